// RUN: ncnn-opt --declare-custom-shapes='shapes="Up=*(0w,p0),*(0h,p0),0c","Two=in0;0w"' %s | filecheck %s
// RUN: ncnn-opt --custom-shape 'Up=*(0w,p0),*(0h,p0),0c' --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: ncnn-opt --custom-shape 'Up=*(0w,p0),*(0h,p0),0c' --custom-shape 'Two=in0;0w' %s | ncnn-opt --canonicalize | filecheck %s --check-prefix=LATER
// RUN: ncnn-opt --canonicalize %s | filecheck %s --check-prefix=KEPT
// RUN: not ncnn-opt --custom-shape 'Up=in0;in0' %s 2>&1 | filecheck %s --check-prefix=OUTPUTS
// RUN: not ncnn-opt --custom-shape 'Up=0w,0d' %s 2>&1 | filecheck %s --check-prefix=RANK
// RUN: not ncnn-opt --custom-shape 'Up=0w,2*0h' %s 2>&1 | filecheck %s --check-prefix=WORD
// RUN: not ncnn-opt --custom-shape 'Upp=in0' %s 2>&1 | filecheck %s --check-prefix=TYPE

// CHECK:      %a = ncnn.custom "Up"(%x) {name = "a", extra = {"0" = 2 : i32}, shape = "*(0w,p0),*(0h,p0),0c"} : (tensor<3x6x8xf32>) -> tensor<3x12x16xf32>
// CHECK-NEXT: %b = ncnn.relu %a {name = "b"} : (tensor<3x12x16xf32>) -> tensor<3x12x16xf32>
// CHECK-NEXT: %c, %d = ncnn.custom "Two"(%b) {name = "c", blobs = ["c", "d"], shape = "in0;0w"} : (tensor<3x12x16xf32>) -> (tensor<3x12x16xf32>, tensor<16xf32>)
// CHECK-NEXT: %e = ncnn.custom "Other"(%d) {name = "e"} : (tensor<16xf32>) -> tensor<*xf32>
// REMARK: remark: declare-custom-shapes: Up 'a'
// A Reshape that keeps all extents of a 3-D blob does nothing.
// LATER-NOT: ncnn.reshape
// KEPT: ncnn.reshape
// OUTPUTS: Up 'a' has another number of outputs, 1, than 'in0;in0', 2
// RANK: Up 'a' has no 0d, which '0w,0d' names: input 0 is 3-D
// WORD: '2*0h' is no extent (as 0w), parameter (as p0), number or function (as *)
// TYPE: there is no custom layer of type 'Upp'; did you mean 'Up'?
func.func @main(%x: tensor<3x6x8xf32>) -> (tensor<?x?x?xf32>, tensor<*xf32>) {
  %a = ncnn.custom "Up"(%x) {name = "a", extra = {"0" = 2 : i32}} : (tensor<3x6x8xf32>) -> tensor<*xf32>
  %b = ncnn.relu %a {name = "b"} : (tensor<*xf32>) -> tensor<*xf32>
  %c, %d = ncnn.custom "Two"(%b) {name = "c", blobs = ["c", "d"]} : (tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  %e = ncnn.custom "Other"(%d) {name = "e"} : (tensor<*xf32>) -> tensor<*xf32>
  %r = ncnn.reshape %c {name = "r", w = 0, h = 0, c = 0} : (tensor<*xf32>) -> tensor<?x?x?xf32>
  func.return %r, %e : tensor<?x?x?xf32>, tensor<*xf32>
}
