// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --eliminate-duplicate-layers %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Another parameter, blob, order of blobs, feature mask.
func.func @others(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = ncnn.elu %x {name = "a", alpha = 0.5} : (tensor<2xf32>) -> tensor<2xf32>
  %b = ncnn.elu %x {name = "b", alpha = 0.25} : (tensor<2xf32>) -> tensor<2xf32>
  %c = ncnn.elu %y {name = "c", alpha = 0.5} : (tensor<2xf32>) -> tensor<2xf32>
  %d = ncnn.elu %x {name = "d", alpha = 0.5, featmask = 1} : (tensor<2xf32>) -> tensor<2xf32>
  %e = ncnn.binaryop %x, %y {name = "e", op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %f = ncnn.binaryop %y, %x {name = "f", op_type = sub} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %a, %b, %c, %d, %e, %f : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// Other weights; weights that were left out; of another type; a sign; a weight and a blob.
func.func @weights(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %p = ncnn.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %q = ncnn.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %r = ncnn.constant #ncnn.elided : tensor<2xf32>
  %s = ncnn.constant #ncnn.elided : tensor<2xf32>
  %t = ncnn.constant dense<[1.0, 0.0]> : tensor<2xf16>
  %u = ncnn.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %v = ncnn.constant {name = "v"} dense<[1.0, 0.0]> : tensor<2xf32>
  %a = ncnn.scale %x scale %p {name = "a"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = ncnn.scale %x scale %q {name = "b"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %c = ncnn.scale %x scale %r {name = "c"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %d = ncnn.scale %x scale %s {name = "d"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %e = ncnn.scale %x scale %t {name = "e"} : (tensor<2xf32>, tensor<2xf16>) -> tensor<2xf32>
  %f = ncnn.scale %x scale %u {name = "f"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %g = ncnn.scale %x scale %v {name = "g"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %a, %b, %c, %d, %e, %f, %g : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// Types that nobody knows, parameters that nobody knows, copies that are wanted.
func.func @unknown(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = ncnn.custom "Dice"(%x) {name = "a"} : (tensor<2xf32>) -> tensor<2xf32>
  %b = ncnn.custom "Dice"(%x) {name = "b"} : (tensor<2xf32>) -> tensor<2xf32>
  %c = ncnn.tanh %x {name = "c", extra = {"9" = 1 : i32}} : (tensor<2xf32>) -> tensor<2xf32>
  %d = ncnn.tanh %x {name = "d", extra = {"9" = 1 : i32}} : (tensor<2xf32>) -> tensor<2xf32>
  %e = ncnn.deepcopy %x {name = "e"} : (tensor<2xf32>) -> tensor<2xf32>
  %f = ncnn.deepcopy %x {name = "f"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %a, %b, %c, %d, %e, %f : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// MemoryData of other values, of a sign, of another type, rank, storage or feature mask; left out.
func.func @memory() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf16>, tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = ncnn.constant {name = "a"} dense<[1.0, 0.0]> : tensor<2xf32>
  %b = ncnn.constant {name = "b"} dense<[1.0, 3.0]> : tensor<2xf32>
  %c = ncnn.constant {name = "c"} dense<[1.0, -0.0]> : tensor<2xf32>
  %d = ncnn.constant {name = "d", load_type = 0} dense<[1.0, 0.0]> : tensor<2xf16>
  %e = ncnn.constant {name = "e"} dense<[[1.0, 0.0]]> : tensor<1x2xf32>
  %f = ncnn.constant {name = "f", load_type = 0} dense<[1.0, 0.0]> : tensor<2xf32>
  %g = ncnn.constant {name = "g", featmask = 1} dense<[1.0, 0.0]> : tensor<2xf32>
  %h = ncnn.constant {name = "h"} #ncnn.elided : tensor<2xf32>
  %i = ncnn.constant {name = "i"} #ncnn.elided : tensor<2xf32>
  func.return %a, %b, %c, %d, %e, %f, %g, %h, %i : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf16>, tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
