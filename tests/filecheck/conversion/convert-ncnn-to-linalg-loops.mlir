// RUN: ncnn-opt %s | filecheck %s --match-full-lines --check-prefixes=CHECK,BEFORE
// RUN: ncnn-opt --convert-ncnn-to-linalg %s | filecheck %s --match-full-lines --check-prefixes=CHECK,AFTER
// RUN: ncnn-opt --convert-ncnn-to-linalg %s > %t.once
// RUN: ncnn-opt --convert-ncnn-to-linalg %t.once | diff %t.once -
// RUN: ncnn-opt --convert-ncnn-to-linalg --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: convert-ncnn-to-linalg: ArgMax 'most' (it sorts)

// Steps are a loop, the last one first; what does not vary is computed before it.
// CHECK-LABEL: func.func @recurrent(%x: tensor<5x3xf32>, %w: tensor<1x4x3xf32>, %b: tensor<1x1x4xf32>, %h: tensor<1x4x4xf32>) -> tensor<5x4xf32> {
// BEFORE-NEXT:   %y = ncnn.rnn %x weight_xc %w bias_c %b weight_hc %h {num_output = 4, direction = reverse} : (tensor<5x3xf32>, tensor<1x4x3xf32>, tensor<1x1x4xf32>, tensor<1x4x4xf32>) -> tensor<5x4xf32>
// BEFORE-NEXT:   func.return %y : tensor<5x4xf32>
// AFTER-NEXT:    %0 = arith.constant 5 : index
// AFTER-NEXT:    %1 = arith.constant 1 : index
// AFTER-NEXT:    %2 = arith.constant 0 : index
// AFTER-NEXT:    %3 = tensor.empty() : tensor<4x4xf32>
// AFTER-NEXT:    %4 = tensor.collapse_shape %h [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x4x4xf32> into tensor<4x4xf32>
// AFTER-NEXT:    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<4x4xf32>) outs(%3 : tensor<4x4xf32>) {
// AFTER-NEXT:    ^bb0(%6: f32, %7: f32):
// AFTER-NEXT:      linalg.yield %6 : f32
// AFTER-NEXT:    } -> tensor<4x4xf32>
// AFTER-NEXT:    %8 = tensor.collapse_shape %b [[0 : i64, 1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<4xf32>
// AFTER-NEXT:    %9 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %10 = tensor.empty() : tensor<4xf32>
// AFTER-NEXT:    %11 = linalg.fill ins(%9 : f32) outs(%10 : tensor<4xf32>) -> tensor<4xf32>
// AFTER-NEXT:    %12 = tensor.empty() : tensor<3x4xf32>
// AFTER-NEXT:    %13 = tensor.collapse_shape %w [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x4x3xf32> into tensor<4x3xf32>
// AFTER-NEXT:    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<4x3xf32>) outs(%12 : tensor<3x4xf32>) {
// AFTER-NEXT:    ^bb0(%15: f32, %16: f32):
// AFTER-NEXT:      linalg.yield %15 : f32
// AFTER-NEXT:    } -> tensor<3x4xf32>
// AFTER-NEXT:    %17 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:    %18 = tensor.empty() : tensor<5x4xf32>
// AFTER-NEXT:    %19 = linalg.fill ins(%17 : f32) outs(%18 : tensor<5x4xf32>) -> tensor<5x4xf32>
// AFTER-NEXT:    %20 = linalg.matmul ins(%x, %14 : tensor<5x3xf32>, tensor<3x4xf32>) outs(%19 : tensor<5x4xf32>) -> tensor<5x4xf32>
// AFTER-NEXT:    %21 = tensor.empty() : tensor<5x4xf32>
// AFTER-NEXT:    %y, %22 = scf.for %23 = %2 to %0 step %1 iter_args(%24 = %21, %25 = %11) -> (tensor<5x4xf32>, tensor<4xf32>) {
// AFTER-NEXT:      %26 = arith.subi %0, %1 : index
// AFTER-NEXT:      %27 = arith.subi %26, %23 : index
// AFTER-NEXT:      %28 = tensor.extract_slice %20[%27, 0] [1, 4] [1, 1] : tensor<5x4xf32> to tensor<4xf32>
// AFTER-NEXT:      %29 = tensor.expand_shape %25 [[0 : i64, 1 : i64]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
// AFTER-NEXT:      %30 = arith.constant 0.000000e+00 : f32
// AFTER-NEXT:      %31 = tensor.empty() : tensor<1x4xf32>
// AFTER-NEXT:      %32 = linalg.fill ins(%30 : f32) outs(%31 : tensor<1x4xf32>) -> tensor<1x4xf32>
// AFTER-NEXT:      %33 = linalg.matmul ins(%29, %5 : tensor<1x4xf32>, tensor<4x4xf32>) outs(%32 : tensor<1x4xf32>) -> tensor<1x4xf32>
// AFTER-NEXT:      %34 = tensor.empty() : tensor<4xf32>
// AFTER-NEXT:      %35 = tensor.collapse_shape %33 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
// AFTER-NEXT:      %36 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%8, %28, %35 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%34 : tensor<4xf32>) {
// AFTER-NEXT:      ^bb0(%37: f32, %38: f32, %39: f32, %40: f32):
// AFTER-NEXT:        %41 = arith.addf %37, %38 : f32
// AFTER-NEXT:        %42 = arith.addf %41, %39 : f32
// AFTER-NEXT:        %43 = math.tanh %42 : f32
// AFTER-NEXT:        linalg.yield %43 : f32
// AFTER-NEXT:      } -> tensor<4xf32>
// AFTER-NEXT:      %44 = tensor.insert_slice %36 into %24[%27, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<5x4xf32>
// AFTER-NEXT:      scf.yield %44, %36 : tensor<5x4xf32>, tensor<4xf32>
// AFTER-NEXT:    }
// AFTER-NEXT:    func.return %y : tensor<5x4xf32>
// CHECK-NEXT: }
func.func @recurrent(%x: tensor<5x3xf32>, %w: tensor<1x4x3xf32>, %b: tensor<1x1x4xf32>, %h: tensor<1x4x4xf32>) -> tensor<5x4xf32> {
  %y = ncnn.rnn %x weight_xc %w bias_c %b weight_hc %h {num_output = 4, direction = reverse} : (tensor<5x3xf32>, tensor<1x4x3xf32>, tensor<1x1x4xf32>, tensor<1x4x4xf32>) -> tensor<5x4xf32>
  func.return %y : tensor<5x4xf32>
}

// It sorts: the layer stays, and a remark says so.
// CHECK-LABEL: func.func @sorted(%x: tensor<2x6xf32>) -> tensor<1x2xf32> {
// BEFORE-NEXT:   %y = ncnn.argmax %x {name = "most", topk = 2} : (tensor<2x6xf32>) -> tensor<1x2xf32>
// BEFORE-NEXT:   func.return %y : tensor<1x2xf32>
// AFTER-NEXT:    %y = ncnn.argmax %x {name = "most", topk = 2} : (tensor<2x6xf32>) -> tensor<1x2xf32>
// AFTER-NEXT:    func.return %y : tensor<1x2xf32>
// CHECK-NEXT: }
func.func @sorted(%x: tensor<2x6xf32>) -> tensor<1x2xf32> {
  %y = ncnn.argmax %x {name = "most", topk = 2} : (tensor<2x6xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}
