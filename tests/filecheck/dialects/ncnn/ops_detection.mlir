// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %score, %offset, %info = "test.op"() : () -> (tensor<18x14x14xf32>, tensor<36x14x14xf32>, tensor<3xf32>)
%score, %offset, %info = "test.op"() : () -> (tensor<18x14x14xf32>, tensor<36x14x14xf32>, tensor<3xf32>)
// CHECK-NEXT: %regions = ncnn.proposal %score, %offset, %info {name = "rois", feat_stride = 8, base_size = 12, pre_nms_topN = 1234, after_nms_topN = 128, nms_thresh = 0.6, min_size = 4} : (tensor<18x14x14xf32>, tensor<36x14x14xf32>, tensor<3xf32>) -> tensor<?x1x4xf32>
%regions = ncnn.proposal %score, %offset, %info {name = "rois", feat_stride = 8, base_size = 12, pre_nms_topN = 1234, after_nms_topN = 128, nms_thresh = 0.6, min_size = 4} : (tensor<18x14x14xf32>, tensor<36x14x14xf32>, tensor<3xf32>) -> tensor<?x1x4xf32>
// CHECK-NEXT: %boxes, %scores = ncnn.proposal %score, %offset, %info {name = "proposal", blobs = ["boxes", "scores"]} : (tensor<18x14x14xf32>, tensor<36x14x14xf32>, tensor<3xf32>) -> (tensor<?x1x4xf32>, tensor<?x1x1xf32>)
%boxes, %scores = ncnn.proposal %score, %offset, %info {name = "proposal", blobs = ["boxes", "scores"]} : (tensor<18x14x14xf32>, tensor<36x14x14xf32>, tensor<3xf32>) -> (tensor<?x1x4xf32>, tensor<?x1x1xf32>)

// Boxes at 19x19 positions, from the extents of an image or from parameters; MXNet's form.
// CHECK-NEXT: %feature, %image = "test.op"() : () -> (tensor<8x19x19xf32>, tensor<3x300x300xf32>)
%feature, %image = "test.op"() : () -> (tensor<8x19x19xf32>, tensor<3x300x300xf32>)
// CHECK-NEXT: %of_image = ncnn.priorbox %feature, %image {name = "of_image", min_sizes = [60.5], max_sizes = [111.0], aspect_ratios = [2.0, 3.0], variance_0 = 0.25, variance_1 = 0.25, variance_2 = 0.5, variance_3 = 0.5, clip = 1, image_width = -233, image_height = -233, step_width = 16.0, step_height = 16.0, offset = 0.5} : (tensor<8x19x19xf32>, tensor<3x300x300xf32>) -> tensor<2x8664xf32>
%of_image = ncnn.priorbox %feature, %image {name = "of_image", min_sizes = [60.5], max_sizes = [111.0], aspect_ratios = [2.0, 3.0], variance_0 = 0.25, variance_1 = 0.25, variance_2 = 0.5, variance_3 = 0.5, clip = 1, image_width = -233, image_height = -233, step_width = 16.0, step_height = 16.0, offset = 0.5} : (tensor<8x19x19xf32>, tensor<3x300x300xf32>) -> tensor<2x8664xf32>
// CHECK-NEXT: %of_extents = ncnn.priorbox %feature {name = "of_extents", min_sizes = [60.5], aspect_ratios = [2.0], flip = 0, image_width = 300, image_height = 200, step_mmdetection = 1, center_mmdetection = 1} : (tensor<8x19x19xf32>) -> tensor<2x2888xf32>
%of_extents = ncnn.priorbox %feature {name = "of_extents", min_sizes = [60.5], aspect_ratios = [2.0], flip = 0, image_width = 300, image_height = 200, step_mmdetection = 1, center_mmdetection = 1} : (tensor<8x19x19xf32>) -> tensor<2x2888xf32>
// CHECK-NEXT: %mxnet = ncnn.priorbox %feature {name = "mxnet", min_sizes = [0.1, 0.15], aspect_ratios = [1.0, 2.0], image_width = -233, image_height = -233} : (tensor<8x19x19xf32>) -> tensor<4332xf32>
%mxnet = ncnn.priorbox %feature {name = "mxnet", min_sizes = [0.1, 0.15], aspect_ratios = [1.0, 2.0], image_width = -233, image_height = -233} : (tensor<8x19x19xf32>) -> tensor<4332xf32>

// CHECK-NEXT: %loc, %conf = "test.op"() : () -> (tensor<4332xf32>, tensor<22743xf32>)
%loc, %conf = "test.op"() : () -> (tensor<4332xf32>, tensor<22743xf32>)
// CHECK-NEXT: %detections = ncnn.detectionoutput %loc, %conf, %of_image {name = "detections", num_class = 21, nms_threshold = 0.45, nms_top_k = 400, keep_top_k = 200, confidence_threshold = 0.25, variance_0 = 0.2, variance_1 = 0.2, variance_2 = 0.1, variance_3 = 0.1} : (tensor<4332xf32>, tensor<22743xf32>, tensor<2x8664xf32>) -> tensor<?x6xf32>
%detections = ncnn.detectionoutput %loc, %conf, %of_image {name = "detections", num_class = 21, nms_threshold = 0.45, nms_top_k = 400, keep_top_k = 200, confidence_threshold = 0.25, variance_0 = 0.2, variance_1 = 0.2, variance_2 = 0.1, variance_3 = 0.1} : (tensor<4332xf32>, tensor<22743xf32>, tensor<2x8664xf32>) -> tensor<?x6xf32>

// CHECK-NEXT: %coarse, %fine = "test.op"() : () -> (tensor<75x13x13xf32>, tensor<75x26x26xf32>)
%coarse, %fine = "test.op"() : () -> (tensor<75x13x13xf32>, tensor<75x26x26xf32>)
// CHECK-NEXT: %yolo2 = ncnn.yolodetectionoutput %coarse {name = "yolo2", num_class = 10, confidence_threshold = 0.25, nms_threshold = 0.4, biases = [1.08, 1.19, 3.42, 4.41, 6.63, 11.38, 9.42, 5.11, 16.62, 10.52]} : (tensor<75x13x13xf32>) -> tensor<?x6xf32>
%yolo2 = ncnn.yolodetectionoutput %coarse {name = "yolo2", num_class = 10, confidence_threshold = 0.25, nms_threshold = 0.4, biases = [1.08, 1.19, 3.42, 4.41, 6.63, 11.38, 9.42, 5.11, 16.62, 10.52]} : (tensor<75x13x13xf32>) -> tensor<?x6xf32>
// CHECK-NEXT: %yolo3 = ncnn.yolov3detectionoutput %coarse, %fine {name = "yolo3", num_box = 3, confidence_threshold = 0.3, biases = [11.0, 14.0, 23.0, 27.0, 37.0, 58.0, 81.0, 82.0, 135.0, 169.0, 344.0, 319.0], mask = [3.0, 4.0, 5.0, 0.0, 1.0, 2.0], anchors_scale = [32.0, 16.0]} : (tensor<75x13x13xf32>, tensor<75x26x26xf32>) -> tensor<?x6xf32>
%yolo3 = ncnn.yolov3detectionoutput %coarse, %fine {name = "yolo3", num_box = 3, confidence_threshold = 0.3, biases = [11.0, 14.0, 23.0, 27.0, 37.0, 58.0, 81.0, 82.0, 135.0, 169.0, 344.0, 319.0], mask = [3.0, 4.0, 5.0, 0.0, 1.0, 2.0], anchors_scale = [32.0, 16.0]} : (tensor<75x13x13xf32>, tensor<75x26x26xf32>) -> tensor<?x6xf32>

// CHECK-NEXT: %deep = "test.op"() : () -> tensor<125x13x13xf32>
%deep = "test.op"() : () -> tensor<125x13x13xf32>
// CHECK-NEXT: %yolo_default = ncnn.yolodetectionoutput %deep {name = "yolo_default", biases = [1.08, 1.19, 3.42, 4.41, 6.63, 11.38, 9.42, 5.11, 16.62, 10.52]} : (tensor<125x13x13xf32>) -> tensor<?x6xf32>
%yolo_default = ncnn.yolodetectionoutput %deep {name = "yolo_default", num_class = 20, num_box = 5, confidence_threshold = 0.01, nms_threshold = 0.45, biases = [1.08, 1.19, 3.42, 4.41, 6.63, 11.38, 9.42, 5.11, 16.62, 10.52]} : (tensor<125x13x13xf32>) -> tensor<?x6xf32>
// CHECK-NEXT: %prior_default = ncnn.priorbox %feature {name = "prior_default", min_sizes = [60.5], image_width = 300, image_height = 300} : (tensor<8x19x19xf32>) -> tensor<2x1444xf32>
%prior_default = ncnn.priorbox %feature {name = "prior_default", min_sizes = [60.5], variance_0 = 0.1, variance_2 = 0.2, flip = 1, image_width = 300, image_height = 300, step_width = -233.0} : (tensor<8x19x19xf32>) -> tensor<2x1444xf32>
