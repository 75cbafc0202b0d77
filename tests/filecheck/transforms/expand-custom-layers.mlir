// RUN: ncnn-opt -p 'expand-custom-layers{types=HardTanh,Twice}' %s | filecheck %s
// RUN: ncnn-opt -p 'expand-custom-layers{types=HardTanh,Twice}' --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: not ncnn-opt -p 'expand-custom-layers{types=HardTanh,Other}' %s 2>&1 | filecheck %s --check-prefix=TYPE
// RUN: not ncnn-opt -p 'expand-custom-layers{types=Twice,HardTanh}' %s 2>&1 | filecheck %s --check-prefix=COUNTS
// RUN: not ncnn-opt -p 'expand-custom-layers{types=HardTanh}' %s 2>&1 | filecheck %s --check-prefix=MODELS
// RUN: not ncnn-opt -p 'expand-custom-layers{types=Twice,Twice}' %s 2>&1 | filecheck %s --check-prefix=AGAIN
// RUN: not ncnn-opt -p 'expand-custom-layers{types=HardTanh,Weighted}' %s 2>&1 | filecheck %s --check-prefix=WEIGHTS
// RUN: not ncnn-opt -p 'expand-custom-layers{types=HardTanh,Varied}' %s 2>&1 | filecheck %s --check-prefix=VARIED

// REMARK: remark: expand-custom-layers: HardTanh 'a'
// REMARK-NEXT: remark: expand-custom-layers: HardTanh 'b'
// REMARK-NEXT: remark: expand-custom-layers: Twice 't'
// TYPE: there is no custom layer of type 'Other'
// COUNTS: Twice 't' has 1 inputs and 2 outputs, and the model that stands for it 1 and 1
// MODELS: 1 types of custom layers need 1 further models, not 2
// AGAIN: the layers of 'Twice' are given twice
// WEIGHTS: Weighted 'w' has weights, which a model that stands for all layers of this type cannot have
// VARIED: Varied 'v2' has other parameters than Varied 'v1': one model cannot stand for both

// Shapes are known behind the layers, names stay unique, and outputs keep their names.
// CHECK:      func.func @main(%x: tensor<4x8xf32>)
// CHECK-NEXT:   %{{.+}} = ncnn.clip %x {name = "a_clip", blobs = ["a"], min = -6.0, max = 6.0} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:   %{{.+}} = ncnn.clip %{{.+}} {name = "b_clip", blobs = ["b"], min = -6.0, max = 6.0} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:   %{{.+}} = ncnn.relu %{{.+}} {name = "t_r"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:   %{{.+}} = ncnn.absval %{{.+}} {name = "t_abs", blobs = ["second"]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NOT: func.func
func.func @main(%x: tensor<4x8xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %a = ncnn.custom "HardTanh"(%x) {name = "a", extra = {"0" = 6.0 : f32}} : (tensor<4x8xf32>) -> tensor<*xf32>
  %b = ncnn.custom "HardTanh"(%a) {name = "b", extra = {"0" = 6.0 : f32}} : (tensor<*xf32>) -> tensor<*xf32>
  %first, %second = ncnn.custom "Twice"(%b) {name = "t", blobs = ["t_r", "second"]} : (tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  %c = ncnn.constant #ncnn.elided : tensor<4xf32>
  %w, %u = ncnn.custom "Weighted"(%x) weights(%c) {name = "w", blobs = ["w", "u"]} : (tensor<4x8xf32>, tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  %v, %o = ncnn.custom "Varied"(%x) {name = "v1", blobs = ["v", "o"], extra = {"0" = 1 : i32}} : (tensor<4x8xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  %p, %q = ncnn.custom "Varied"(%x) {name = "v2", blobs = ["p", "q"], extra = {"0" = 2 : i32}} : (tensor<4x8xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  func.return %first, %second, %w, %p : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}
func.func @hardtanh(%in: tensor<*xf32>) -> tensor<*xf32> {
  %y = ncnn.clip %in {name = "clip", min = -6.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}
func.func @twice(%in: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %r = ncnn.relu %in {name = "r"} : (tensor<*xf32>) -> tensor<*xf32>
  %y = ncnn.absval %r {name = "abs"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %r, %y : tensor<*xf32>, tensor<*xf32>
}
