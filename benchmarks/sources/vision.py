"""Vision models of transformers."""

# Options of all types are handed on as keywords.
# pyright: reportArgumentType=false

from typing import Any

from .building import LAST, SIZES, Maker, build, image, sub

PATCHES: dict[str, Any] = {"image_size": 64, "patch_size": 16, **SIZES}
DINO: dict[str, Any] = {
    "hidden_size": 128,
    "num_attention_heads": 4,
    "image_size": 56,
    "patch_size": 14,
}
STAGES = {
    "num_encoder_blocks": 4,
    "depths": [1, 1, 1, 1],
    "hidden_sizes": [16, 32, 64, 64],
    "decoder_hidden_size": 64,
}
RESNET = {"embedding_size": 16, "hidden_sizes": [32, 32, 64, 64], "depths": [1, 1, 1, 1]}

FIRST: dict[str, Maker] = {
    "ViT": build("ViTModel", image(64), LAST, **PATCHES),
    "DINOv2": build("Dinov2Model", image(56), LAST, **DINO, num_hidden_layers=2),
    "DINOv3": build("DINOv3ViTModel", image(64), LAST, **PATCHES),
    "Depth Anything": build(
        "DepthAnythingForDepthEstimation", image(56), "predicted_depth",
        backbone_config=sub(
            "Dinov2Config", **DINO, num_hidden_layers=4, reshape_hidden_states=False,
            out_features=["stage1", "stage2", "stage3", "stage4"],
        ),
        reassemble_hidden_size=128, neck_hidden_sizes=[16, 32, 64, 64], fusion_hidden_size=32,
    ),
    "CLIP vision": build("CLIPVisionModel", image(64), LAST, **PATCHES),
    "SigLIP vision": build("SiglipVisionModel", image(64), LAST, **PATCHES),
    "Segformer": build(
        "SegformerForSemanticSegmentation", image(128), "logits", **STAGES, num_labels=5
    ),
    "Swin": build(
        "SwinModel", image(128), LAST, image_size=128, embed_dim=32, depths=[1, 1, 2, 1],
        num_heads=[2, 2, 4, 4], window_size=4,
    ),
    "Swin2SR": build(
        "Swin2SRForImageSuperResolution", image(32), "reconstruction", image_size=32,
        embed_dim=36, depths=[2, 2], num_heads=[3, 3], window_size=4, upscale=2,
    ),
    "MobileViT": build(
        "MobileViTModel", image(128), LAST, image_size=128, hidden_sizes=[32, 48, 64],
        neck_hidden_sizes=[16, 16, 24, 32, 40, 48, 128],
    ),
    "ConvNeXt V2": build(
        "ConvNextV2Model", image(128), LAST, hidden_sizes=[16, 32, 64, 64], depths=[1, 1, 2, 1]
    ),
    "RT-DETR": build(
        "RTDetrForObjectDetection", image(128), "logits", "pred_boxes",
        backbone_config=sub(
            "RTDetrResNetConfig", **RESNET, out_features=["stage2", "stage3", "stage4"]
        ),
        encoder_hidden_dim=32, encoder_in_channels=[32, 64, 64], feat_strides=[8, 16, 32],
        encoder_ffn_dim=64, d_model=32, num_queries=20, decoder_in_channels=[32, 32, 32],
        decoder_ffn_dim=64, decoder_layers=2, decoder_attention_heads=4, num_labels=4,
        anchor_image_size=[128, 128],
    ),
    "ViTPose": build(
        "VitPoseForPoseEstimation", image(64, 48), "heatmaps",
        backbone_config=sub(
            "VitPoseBackboneConfig", image_size=[64, 48], patch_size=[16, 16], hidden_size=64,
            num_hidden_layers=2, num_attention_heads=4, out_features=["stage2"],
        ),
        num_labels=5,
    ),
    "SAM vision": build(
        "SamVisionModel", image(64), LAST, hidden_size=64, num_hidden_layers=2,
        num_attention_heads=4, image_size=64, patch_size=8, output_channels=32, window_size=4,
        global_attn_indexes=[1], mlp_dim=128,
    ),
    "PVT v2": build(
        "PvtV2Model", image(128), LAST, hidden_sizes=[16, 32, 64, 64], depths=[1, 1, 1, 1],
        num_attention_heads=[1, 2, 4, 4],
    ),
    "LeViT": build(
        "LevitModel", image(64), LAST, image_size=64, hidden_sizes=[32, 48, 64],
        num_attention_heads=[2, 3, 4], depths=[1, 1, 1],
    ),
    "EfficientNet": build(
        "EfficientNetModel", image(128), LAST, width_coefficient=0.5, depth_coefficient=0.5,
        hidden_dim=640,
    ),
}  # fmt: skip
"""The vision models of the first list."""

OTHERS: dict[str, Maker] = {
    "ResNet": build("ResNetModel", image(64), LAST, **RESNET),
    "RegNet": build(
        "RegNetModel", image(64), LAST, **{**RESNET, "hidden_sizes": [16, 32, 64, 64]},
        groups_width=8,
    ),
    "BEiT": build("BeitModel", image(64), LAST, **PATCHES, use_relative_position_bias=True),
    "Data2Vec vision": build("Data2VecVisionModel", image(64), LAST, **PATCHES),
    "DeiT": build("DeiTModel", image(64), LAST, **PATCHES),
    "Hiera": build(
        "HieraModel", image(64), LAST, embed_dim=32, image_size=[64, 64], depths=[1, 1, 2, 1],
        num_heads=[1, 2, 4, 8], masked_unit_size=[8, 8], query_stride=[2, 2],
    ),
    "DPT": build(
        "DPTForDepthEstimation", image(64), "predicted_depth",
        **{**PATCHES, "num_hidden_layers": 4},
        backbone_out_indices=[0, 1, 2, 3], neck_hidden_sizes=[16, 32, 64, 64],
        fusion_hidden_size=32,
    ),
    "ConvNeXt": build(
        "ConvNextModel", image(64), LAST, hidden_sizes=[16, 32, 64, 64], depths=[1, 1, 2, 1]
    ),
    "MobileNet V2": build("MobileNetV2Model", image(64), LAST, depth_multiplier=0.5),
    "MobileViT V2": build(
        "MobileViTV2Model", image(64), LAST, image_size=64, width_multiplier=0.5
    ),
    "PoolFormer": build(
        "PoolFormerModel", image(64), LAST, depths=[1, 1, 2, 1], hidden_sizes=[16, 32, 64, 64]
    ),
    "FocalNet": build(
        "FocalNetModel", image(64), LAST, image_size=64, embed_dim=32, depths=[1, 1, 2, 1]
    ),
    "Swin V2": build(
        "Swinv2Model", image(128), LAST, image_size=128, embed_dim=32, depths=[1, 1, 2, 1],
        num_heads=[2, 2, 4, 4], window_size=4,
    ),
    "Donut Swin": build(
        "DonutSwinModel", image(128), LAST, image_size=128, embed_dim=32, depths=[1, 1, 2, 1],
        num_heads=[2, 2, 4, 4], window_size=4,
    ),
    "GLPN": build(
        "GLPNForDepthEstimation", image(64), "predicted_depth", **STAGES,
        num_attention_heads=[1, 2, 4, 4],
    ),
    "YOLOS": build(
        "YolosForObjectDetection", image(64), "logits", "pred_boxes",
        **{**PATCHES, "image_size": [64, 64]}, num_detection_tokens=10, num_labels=4,
    ),
    "DETR": build(
        "DetrForObjectDetection", image(64), "logits", "pred_boxes",
        backbone_config=sub("ResNetConfig", **RESNET, out_features=["stage4"]),
        use_timm_backbone=False, use_pretrained_backbone=False, backbone=None, d_model=64,
        encoder_layers=1, decoder_layers=1, encoder_ffn_dim=64, decoder_ffn_dim=64,
        encoder_attention_heads=4, decoder_attention_heads=4, num_queries=10, num_labels=4,
    ),
    "ViT MAE encoder": build("ViTMAEModel", image(64), LAST, **PATCHES, mask_ratio=0.0),
    "BLIP vision": build("BlipVisionModel", image(64), LAST, **PATCHES),
    "OWL-ViT vision": build("OwlViTVisionModel", image(64), LAST, **PATCHES),
    "UperNet": build(
        "UperNetForSemanticSegmentation", image(64), "logits",
        backbone_config=sub(
            "ConvNextConfig", hidden_sizes=[16, 32, 64, 64], depths=[1, 1, 2, 1],
            out_features=["stage1", "stage2", "stage3", "stage4"],
        ),
        hidden_size=32, auxiliary_in_channels=64, num_labels=5,
    ),
}  # fmt: skip
"""Other vision models."""
