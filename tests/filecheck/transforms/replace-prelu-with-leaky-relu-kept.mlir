// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --replace-prelu-with-leaky-relu %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

func.func @slopes(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[0.25, 0.5]> : tensor<2xf32>
  %a = ncnn.prelu %x slope %w {name = "a"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %a : tensor<2xf32>
}

// Not known, no numbers, not ours to know.
func.func @unknown(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %w = ncnn.constant #ncnn.elided : tensor<1xf32>
  %v = ncnn.constant dense<"0x0000807F"> : tensor<1xf32>
  %u = ncnn.constant dense<"0x0000C07F"> : tensor<1xf32>
  %t = ncnn.constant dense<0.25> : tensor<1xf32>
  %a = ncnn.prelu %x slope %w {name = "a"} : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %b = ncnn.prelu %x slope %v {name = "b"} : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %c = ncnn.prelu %x slope %u {name = "c"} : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %d = ncnn.prelu %x slope %t {name = "d", extra = {"9" = 1 : i32}} : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  func.return %a, %b, %c, %d : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
