// RUN: not ncnn-opt --partition-host-ops %s 2>&1 | filecheck %s --check-prefix=BEHIND
// BEHIND: partition-host-ops-errors.mlir: ArgMax 'best' runs on the host, and InnerProduct 'fc' behind it would have to: it reads weights, which is slow there; cut the model in front of it

// RUN: ncnn-opt --cut-to best %s | ncnn-opt --partition-host-ops | filecheck %s --check-prefix=CUT
// CUT: func.func @tail(%a: tensor<4xf32> {ncnn.blob = "a"}) -> (tensor<1x2xf32> {ncnn.blob = "best"}) {

// RUN: ncnn-opt --cut-from best --cut-to best %s | not ncnn-opt --partition-host-ops 2>&1 | filecheck %s --check-prefix=ALONE
// ALONE: ArgMax 'best' runs on the host (it sorts), and no layer is in front of it

func.func @main(%data: tensor<4xf32> {ncnn.blob = "data"}) -> (tensor<1x3xf32> {ncnn.blob = "out"}) {
  %weight = ncnn.constant #ncnn.elided : tensor<3x2xf32>
  %a = ncnn.relu %data {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  %best = ncnn.argmax %a {name = "best", topk = 2} : (tensor<4xf32>) -> tensor<1x2xf32>
  %fc = ncnn.innerproduct %best weight %weight {name = "fc", num_output = 3} : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<1x3xf32>
  func.return %fc : tensor<1x3xf32>
}
