// A model of any size needs expressions, which the user asked for: the last line says so.
// RUN: ncnn-opt %s --dynamic x=h,w -o %t.param 2>&1 | filecheck %s --check-prefix=RAISED
// RUN: ncnn-opt %s -O --dynamic x=h,w -o %t.param 2>&1 | filecheck %s --check-prefix=RAISED
// RUN: ncnn-opt %s --dynamic x=h,w --for-ncnn 20250428 -o %t.param 2>&1 | filecheck %s --check-prefix=RAISED
// RUN: rm -f %t.old.param
// RUN: not ncnn-opt %s --dynamic x=h,w --for-ncnn 20241226 -o %t.old.param 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: not ls %t.old.param
// Optimizing what is dynamic raises nothing.
// RUN: ncnn-opt -O %t.param -o %t.again.param 2>&1 | filecheck %s --check-prefix=NEITHER

// RAISED:      ncnn-opt: requires ncnn 20250428 now: Interp 'up', parameter 9
// REFUSED:     ncnn-opt: error: {{.*}}for-ncnn-dynamic.mlir: the model does not run in ncnn 20241226: Interp 'up' requires ncnn 20250428 (parameter 9); --for-ncnn 20250428 allows it
// NEITHER-NOT: requires

func.func @main(%x: tensor<4x6x8xf32> {ncnn.blob = "x"}) -> (tensor<4x6x8xf32> {ncnn.blob = "y"}) {
  %m = ncnn.pooling %x {name = "m", pooling_type = avg, kernel_w = 8, kernel_h = 6} : (tensor<4x6x8xf32>) -> tensor<4x1x1xf32>
  %u = ncnn.interp %m {name = "up", blobs = ["u"], resize_type = nearest, output_height = 6, output_width = 8} : (tensor<4x1x1xf32>) -> tensor<4x6x8xf32>
  %y = ncnn.binaryop %u, %x {name = "sum", blobs = ["y"], op_type = add} : (tensor<4x6x8xf32>, tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
  func.return %y : tensor<4x6x8xf32>
}
