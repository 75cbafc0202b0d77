// RUN: not ncnn-opt --cut-from frist %s 2>&1 | filecheck %s --check-prefix=NEAREST
// NEAREST: cut-model-errors.mlir: there is no layer 'frist'; did you mean 'first'?

// RUN: not ncnn-opt --cut-to xyzzy %s 2>&1 | filecheck %s --check-prefix=NOTHING --match-full-lines
// NOTHING: {{.*}}cut-model-errors.mlir: there is no layer 'xyzzy'

// A blob is no layer, but some layer makes it.
// RUN: not ncnn-opt --cut-to blob %s 2>&1 | filecheck %s --check-prefix=BLOB
// BLOB: there is no layer 'blob'; the blob of that name is made by layer 'first'

// RUN: not ncnn-opt --cut-from last --cut-to first %s 2>&1 | filecheck %s --check-prefix=ORDER
// ORDER: cut-model-errors.mlir: layer 'first' does not depend on 'last'

// RUN: not ncnn-opt --cut-from last --cut-to 12 %s 2>&1 | filecheck %s --check-prefix=SIDE
// SIDE: cut-model-errors.mlir: layer '12' does not depend on 'last'

// RUN: not ncnn-opt --cut-to input %s 2>&1 | filecheck %s --check-prefix=INPUT
// INPUT: cut-model-errors.mlir: 'input' is an input: no layer would be left

// RUN: not ncnn-opt --cut-model %s 2>&1 | filecheck %s --check-prefix=NONE
// NONE: error: in the pipeline 'cut-model': cut-model needs from=LAYER, to=LAYER or both

// RUN: not ncnn-opt --cut-model="start=first" %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error: in the pipeline 'cut-model{start=first}': cut-model has the options from and to, not 'start'

// RUN: not ncnn-opt --cut-model="from=first,last" %s 2>&1 | filecheck %s --check-prefix=TWO
// TWO: error: in the pipeline 'cut-model{from=first,last}': cut-model: from must be one layer, not 2

// RUN: not ncnn-opt --cut-model="from=1.5" %s 2>&1 | filecheck %s --check-prefix=NUMBER
// NUMBER: from: a name that is a number needs quotes: "1.5"

// A name may be a number, and have any characters.
// RUN: ncnn-opt --cut-model="from=12" %s | filecheck %s --check-prefix=NAMES
// RUN: ncnn-opt --cut-from 12 %s | filecheck %s --check-prefix=NAMES
// NAMES: func.func @main(%b: tensor<4xf32> {ncnn.blob = "/a/b.0 \22c\22, \\d"})
// RUN: ncnn-opt --cut-to '/a/b.0 "c", \d' %s | filecheck %s --check-prefix=CHARACTERS
// CHARACTERS: -> (tensor<4xf32> {ncnn.blob = "/a/b.0 \22c\22, \\d"}) {

func.func @main(%data: tensor<4xf32> {ncnn.blob = "data", ncnn.layer = "input"}) -> (tensor<4xf32> {ncnn.blob = "last"}, tensor<4xf32> {ncnn.blob = "12"}) {
  %first = ncnn.exp %data {name = "first", blobs = ["blob"]} : (tensor<4xf32>) -> tensor<4xf32>
  %last = ncnn.relu %first {name = "last"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = ncnn.relu %first {name = "/a/b.0 \22c\22, \\d"} : (tensor<4xf32>) -> tensor<4xf32>
  %c = ncnn.relu %b {name = "12"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %last, %c : tensor<4xf32>, tensor<4xf32>
}
