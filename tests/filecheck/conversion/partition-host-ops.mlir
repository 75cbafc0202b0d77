// RUN: ncnn-opt --partition-host-ops %s | filecheck %s --match-full-lines
// RUN: ncnn-opt --partition-host-ops --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK: remark: partition-host-ops: Proposal 'rois' (on the host: which boxes there are, and how many, depends on values)

// What was outlined is never made linalg: the tail stays as it is.
// RUN: ncnn-opt --partition-host-ops --convert-ncnn-to-linalg %s | filecheck %s --check-prefix=LOWERED
// LOWERED: func.func @main
// LOWERED-NOT: ncnn.convolution
// LOWERED: func.func @tail
// LOWERED: ncnn.proposal
// LOWERED: ncnn.binaryop

// The tail takes an output that it only hands on ("score"), what its layers read ("prob", "deltas")
// and an input of the model ("im_info"). It has a copy of what is constant.
// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @main(%data: tensor<8x6x6xf32> {ncnn.blob = "data"}, %info: tensor<3xf32> {ncnn.blob = "im_info"}) -> (tensor<18x6x6xf32> {ncnn.blob = "score"}, tensor<18x6x6xf32> {ncnn.blob = "prob"}, tensor<36x6x6xf32> {ncnn.blob = "deltas"}) {
// CHECK-NEXT:     %score_weight = ncnn.constant #ncnn.elided : tensor<18x8x1x1xf32>
// CHECK-NEXT:     %deltas_weight = ncnn.constant #ncnn.elided : tensor<36x8x1x1xf32>
// CHECK-NEXT:     %score = ncnn.convolution %data weight %score_weight {name = "score", num_output = 18, kernel_w = 1} : (tensor<8x6x6xf32>, tensor<18x8x1x1xf32>) -> tensor<18x6x6xf32>
// CHECK-NEXT:     %deltas = ncnn.convolution %data weight %deltas_weight {name = "deltas", num_output = 36, kernel_w = 1} : (tensor<8x6x6xf32>, tensor<36x8x1x1xf32>) -> tensor<36x6x6xf32>
// CHECK-NEXT:     %prob = ncnn.sigmoid %score {name = "sigmoid", blobs = ["prob"]} : (tensor<18x6x6xf32>) -> tensor<18x6x6xf32>
// CHECK-NEXT:     func.return %score, %prob, %deltas : tensor<18x6x6xf32>, tensor<18x6x6xf32>, tensor<36x6x6xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   builtin.module @host {
// CHECK-NEXT:     func.func @tail(%score: tensor<18x6x6xf32> {ncnn.blob = "score"}, %prob: tensor<18x6x6xf32> {ncnn.blob = "prob"}, %deltas: tensor<36x6x6xf32> {ncnn.blob = "deltas"}, %info: tensor<3xf32> {ncnn.blob = "im_info"}) -> (tensor<*xf32> {ncnn.blob = "moved"}, tensor<18x6x6xf32> {ncnn.blob = "score"}) {
// CHECK-NEXT:       %rois = ncnn.proposal %prob, %deltas, %info {name = "rois"} : (tensor<18x6x6xf32>, tensor<36x6x6xf32>, tensor<3xf32>) -> tensor<*xf32>
// CHECK-NEXT:       %shift = ncnn.constant {name = "shift"} dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT:       %moved = ncnn.binaryop %rois, %shift {name = "moved", op_type = add} : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
// CHECK-NEXT:       func.return %moved, %score : tensor<*xf32>, tensor<18x6x6xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @main(%data: tensor<8x6x6xf32> {ncnn.blob = "data"}, %info: tensor<3xf32> {ncnn.blob = "im_info"}) -> (tensor<*xf32> {ncnn.blob = "moved"}, tensor<18x6x6xf32> {ncnn.blob = "score"}) {
  %score_weight = ncnn.constant #ncnn.elided : tensor<18x8x1x1xf32>
  %shift = ncnn.constant {name = "shift"} dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %deltas_weight = ncnn.constant #ncnn.elided : tensor<36x8x1x1xf32>
  %score = ncnn.convolution %data weight %score_weight {name = "score", num_output = 18, kernel_w = 1, kernel_h = 1} : (tensor<8x6x6xf32>, tensor<18x8x1x1xf32>) -> tensor<18x6x6xf32>
  %deltas = ncnn.convolution %data weight %deltas_weight {name = "deltas", num_output = 36, kernel_w = 1, kernel_h = 1} : (tensor<8x6x6xf32>, tensor<36x8x1x1xf32>) -> tensor<36x6x6xf32>
  %prob = ncnn.sigmoid %score {name = "sigmoid", blobs = ["prob"]} : (tensor<18x6x6xf32>) -> tensor<18x6x6xf32>
  %rois = ncnn.proposal %prob, %deltas, %info {name = "rois"} : (tensor<18x6x6xf32>, tensor<36x6x6xf32>, tensor<3xf32>) -> tensor<*xf32>
  %moved = ncnn.binaryop %rois, %shift {name = "moved"} : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  func.return %moved, %score : tensor<*xf32>, tensor<18x6x6xf32>
}
