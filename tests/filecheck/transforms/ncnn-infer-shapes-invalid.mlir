// RUN: not ncnn-opt --input-shape dat=3,4 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=NEAREST
// NEAREST: ncnn-opt: error: {{.*}}ncnn-infer-shapes-invalid.mlir: there is no input 'dat'; did you mean 'data'?

// RUN: not ncnn-opt --input-shape xyzzy=3,4 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=NOTHING
// NOTHING: ncnn-opt: error: {{.*}}ncnn-infer-shapes-invalid.mlir: there is no input 'xyzzy'; the inputs are {{.*}}'data'{{.*}}

// The name of an Input layer is not that of its blobs, nor is that of a blob further down.
// RUN: not ncnn-opt --input-shape both=3,4 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=LAYER
// LAYER: ncnn-opt: error: {{.*}}there is no input 'both'; the layer of that name gives 'one', 'two'
// RUN: not ncnn-opt --input-shape relu=3,4 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=INNER
// INNER: ncnn-opt: error: {{.*}}there is no input 'relu'; the inputs are {{.*}}'data'{{.*}}

// RUN: not ncnn-opt --input-shape data %s 2>&1 | filecheck %s --match-full-lines --check-prefix=NO-EXTENTS
// NO-EXTENTS: ncnn-opt: error: --input-shape takes INPUT=EXTENTS, as data=3,224,224, not 'data'
// RUN: not ncnn-opt --input-shape =3 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=NO-NAME
// NO-NAME: ncnn-opt: error: --input-shape takes INPUT=EXTENTS, as data=3,224,224, not '=3'
// RUN: not ncnn-opt --input-shape data=3,-1 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=NEGATIVE
// NEGATIVE: ncnn-opt: error: --input-shape data=3,-1: extents are positive numbers or ?, not '3,-1'
// RUN: not ncnn-opt --input-shape data=3x4 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=CROSS
// CROSS: ncnn-opt: error: --input-shape data=3x4: extents are positive numbers or ?, not '3x4'; write 3,4
// RUN: not ncnn-opt --input-shape data=0 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=ZERO
// ZERO: ncnn-opt: error: --input-shape data=0: extents are positive numbers or ?, not '0'
// RUN: not ncnn-opt --input-shape data=1,2,3,4,5 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=RANK
// RANK: ncnn-opt: error: --input-shape data=1,2,3,4,5: a blob has 1 to 4 extents of 31 bits, not '1,2,3,4,5'
// RUN: not ncnn-opt --input-shape data=2147483648 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=LARGE
// LARGE: ncnn-opt: error: --input-shape data=2147483648: a blob has 1 to 4 extents of 31 bits, not '2147483648'
// RUN: not ncnn-opt --input-shape data=3 --input-shape data=4 %s 2>&1 | filecheck %s --match-full-lines --check-prefix=TWICE
// TWICE: ncnn-opt: error: --input-shape is given twice for 'data'

// RUN: not ncnn-opt --ncnn-infer-shapes='input_shape="data:3,4"' %s 2>&1 | filecheck %s --check-prefix=COMMA
// COMMA: extents are positive numbers or ?, not '3,4'
// RUN: not ncnn-opt --ncnn-infer-shapes='input_shape="data"' %s 2>&1 | filecheck %s --check-prefix=NO-COLON
// NO-COLON: input_shape takes NAME:EXTENTS, not 'data'
// RUN: not ncnn-opt --ncnn-infer-shapes='input_shape="data:3","data:4"' %s 2>&1 | filecheck %s --check-prefix=AGAIN
// AGAIN: input_shape has 'data' twice

// A name may have any characters but line ends.
// RUN: ncnn-opt --input-shape 'q"\:=,7=7' %s | filecheck %s --check-prefix=ODD
// ODD: %odd: tensor<7xf32> {ncnn.blob = "q\22\\:=,7"
func.func @main(%data: tensor<3x4xf32> {ncnn.blob = "data"}, %a: tensor<3xf32> {ncnn.blob = "one", ncnn.layer = "both"}, %b: tensor<3xf32> {ncnn.blob = "two", ncnn.layer = "both"}, %odd: tensor<*xf32> {ncnn.blob = "q\22\5C:=,7"}) -> tensor<3x4xf32> {
  %relu = ncnn.relu %data {name = "relu"} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return %relu : tensor<3x4xf32>
}
