// RUN: ncnn-opt --convert-pnnx-to-ncnn --split-input-file --verify-diagnostics %s | filecheck %s

// An operator without layers is an error that names it.
// CHECK: torch.kthvalue 'best' has no form in ncnn's layers: the conversion does not know it; cut the model there
pnnx.graph {
  %x = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> tensor<1x8xf32>
  %y = pnnx.op "torch.kthvalue" "best"(%x) {blobs = ["1"]} : (tensor<1x8xf32>) -> tensor<1x8xf32>
  pnnx.op "pnnx.Output" "out"(%y) : (tensor<1x8xf32>) -> ()
}
// -----

// A condition of an operator does not hold.
// CHECK: F.max_pool2d 'pool' has no form in ncnn's layers: it has a dilation
pnnx.graph {
  %x = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> tensor<1x2x8x8xf32>
  %y = pnnx.op "F.max_pool2d" "pool"(%x) {blobs = ["1"], params = {kernel_size = array<i32: 2, 2>, dilation = array<i32: 2, 2>, stride = array<i32: 1, 1>}} : (tensor<1x2x8x8xf32>) -> tensor<1x2x6x6xf32>
  pnnx.op "pnnx.Output" "out"(%y) : (tensor<1x2x6x6xf32>) -> ()
}
// -----

// The stated shape is not the one that the layer computes.
// CHECK: 'relu' has no form in ncnn's layers: its result has the shape 1x9, not 1x8
pnnx.graph {
  %x = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> tensor<1x8xf32>
  %y = pnnx.op "F.relu" "relu"(%x) {blobs = ["1"]} : (tensor<1x8xf32>) -> tensor<1x9xf32>
  pnnx.op "pnnx.Output" "out"(%y) : (tensor<1x9xf32>) -> ()
}
// -----

// Other exports beside the graph stay: the conversion of this graph gives the reason in an attribute.
// CHECK: builtin.module attributes {pnnx.unconverted = "torch.kthvalue 'best' has no form in ncnn's layers: the conversion does not know it; cut the model there"}
// CHECK: ncnn.relu
// CHECK: pnnx.graph
func.func @main(%in0: tensor<8xf32> {ncnn.blob = "in0"}) -> (tensor<8xf32> {ncnn.blob = "out0"}) {
  %y = ncnn.relu %in0 {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}
pnnx.graph {
  %x = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> tensor<1x8xf32>
  %y = pnnx.op "torch.kthvalue" "best"(%x) {blobs = ["1"]} : (tensor<1x8xf32>) -> tensor<1x8xf32>
  pnnx.op "pnnx.Output" "out"(%y) : (tensor<1x8xf32>) -> ()
}
// -----

// The message names the modules around the operator.
// CHECK: torch.kthvalue 'best' (behind nn.ReLU 'block.0.act' and before nn.Sigmoid 'block.1.gate') has no form in ncnn's layers
pnnx.graph {
  %x = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> tensor<1x8xf32>
  %a = pnnx.op "nn.ReLU" "block.0.act"(%x) {blobs = ["1"]} : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %y = pnnx.op "torch.kthvalue" "best"(%a) {blobs = ["2"]} : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %z = pnnx.op "nn.Sigmoid" "block.1.gate"(%y) {blobs = ["3"]} : (tensor<1x8xf32>) -> tensor<1x8xf32>
  pnnx.op "pnnx.Output" "out"(%z) : (tensor<1x8xf32>) -> ()
}
// -----

// A sort that compares too many pairs of elements.
// CHECK: torch.argsort 'sort' has no form in ncnn's layers: it sorts 1 rows of 32768 elements: 1,073,741,824 pairs; cut the model there
pnnx.graph {
  %x = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> tensor<1x32768xf32>
  %y = pnnx.op "torch.argsort" "sort"(%x) {blobs = ["1"], params = {dim = 1 : i32}} : (tensor<1x32768xf32>) -> tensor<1x32768xi64>
  pnnx.op "pnnx.Output" "out"(%y) : (tensor<1x32768xi64>) -> ()
}
// -----

// Computing with an input's integers needs their range.
// CHECK: torch.ne 'mask' has no form in ncnn's layers: it computes with integers of an input whose range is not known
pnnx.graph {
  %x = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> tensor<1x8xi64>
  %y = pnnx.op "torch.ne" "mask"(%x) {blobs = ["1"], params = {other = 1 : i32}} : (tensor<1x8xi64>) -> tensor<1x8xi1>
  pnnx.op "pnnx.Output" "out"(%y) : (tensor<1x8xi1>) -> ()
}
