// RUN: not ncnn-opt --rename frist=x %s 2>&1 | filecheck %s --check-prefix=NAME
// NAME: edits-errors.mlir: there is no blob and no layer 'frist'; did you mean 'first'?
// RUN: not ncnn-opt --rename layer:x=y %s -o %t.param 2>&1 | filecheck %s --check-prefix=KIND
// KIND: edits-errors.mlir: there is no layer 'x'
// RUN: not ls %t.param
// RUN: not ncnn-opt --rename x=second %s 2>&1 | filecheck %s --check-prefix=CLASH
// CLASH: edits-errors.mlir: 'x' cannot become 'second': another of the blobs has this name; rename 'second' as well
// RUN: not ncnn-opt --rename x=n,second=n %s 2>&1 | filecheck %s --check-prefix=BOTH
// BOTH: edits-errors.mlir: 'x' and 'second' cannot both become 'n'
// RUN: not ncnn-opt --rename x=a,x=b %s 2>&1 | filecheck %s --check-prefix=TWICE
// TWICE: error: in the pass 'rename-model': 'x' is renamed twice
// RUN: not ncnn-opt --rename x %s 2>&1 | filecheck %s --check-prefix=PAIR
// PAIR: error: in the pass 'rename-model': a new name is given as OLD=NEW, not 'x'
// RUN: not ncnn-opt --rename 'x=a b' %s 2>&1 | filecheck %s --check-prefix=BLANK
// BLANK: error: in the pass 'rename-model': 'a b' cannot be a new name: empty, or with a blank in it
// RUN: not ncnn-opt --rename-model=old=x %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: rename-model has the options names, not 'old'
// RUN: not ncnn-opt --reorder-model %s 2>&1 | filecheck %s --check-prefix=NONE
// NONE: reorder-model needs inputs=… or outputs=…

// RUN: not ncnn-opt --inputs y %s 2>&1 | filecheck %s --check-prefix=MISSING
// MISSING: edits-errors.mlir: the order lacks the input 'x': name all inputs
// RUN: not ncnn-opt --inputs x,z %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// UNKNOWN: edits-errors.mlir: there is no input 'z'; the inputs are 'x', 'y'
// RUN: not ncnn-opt --outputs first %s 2>&1 | filecheck %s --check-prefix=OUTPUT
// OUTPUT: edits-errors.mlir: the order lacks the output 'second': name all outputs; --cut-to removes some, --keep-blob adds some
// RUN: not ncnn-opt --outputs first,first %s 2>&1 | filecheck %s --check-prefix=AGAIN
// AGAIN: error: in the pass 'reorder-model': outputs: 'first' is given twice
// RUN: not ncnn-opt --inputs x+x,y %s 2>&1 | filecheck %s --check-prefix=PLUS
// PLUS: edits-errors.mlir: input 'x' is given twice

// RUN: not ncnn-opt --insert ReLU %s 2>&1 | filecheck %s --check-prefix=LINE
// LINE: edits-errors.mlir: 'ReLU' is no line of a .param: TYPE NAME INPUTS OUTPUTS BLOB… ID=VALUE…
// RUN: not ncnn-opt --insert 'ReLU r 1 1 nothing y' %s 2>&1 | filecheck %s --check-prefix=BLOB
// BLOB: edits-errors.mlir: there is no blob 'nothing'
// RUN: not ncnn-opt --insert 'ReLU first 1 1 x z' %s 2>&1 | filecheck %s --check-prefix=LAYER
// LAYER: edits-errors.mlir: there is a layer 'first' already: use another name
// RUN: not ncnn-opt --insert 'ReLU r 1 1 x second' %s 2>&1 | filecheck %s --check-prefix=TAKEN
// TAKEN: edits-errors.mlir: layer 'r' cannot write blob 'second', which another layer writes; a layer that reads the blob can replace it
// RUN: not ncnn-opt --insert 'PReLU r 1 1 x z 0=3' %s 2>&1 | filecheck %s --check-prefix=WEIGHTS
// WEIGHTS: edits-errors.mlir: layer 'r' (PReLU) has weights, which a line does not contain
// RUN: not ncnn-opt --insert 'Input r 0 1 z' %s 2>&1 | filecheck %s --check-prefix=INPUT
// INPUT: edits-errors.mlir: an Input layer cannot be inserted: no layer would read it
// RUN: not ncnn-opt --insert 'ReLU r 1 1 x z 77=1' %s 2>&1 | filecheck %s --check-prefix=PARAMETER
// PARAMETER: edits-errors.mlir: 'ReLU r 1 1 x z 77=1': {{.+}}

func.func @main(%x: tensor<4xf32> {ncnn.blob = "x", ncnn.layer = "input"}, %y: tensor<4xf32> {ncnn.blob = "y"}) -> (tensor<4xf32> {ncnn.blob = "first"}, tensor<4xf32> {ncnn.blob = "second"}) {
  %first = ncnn.absval %x {name = "first"} : (tensor<4xf32>) -> tensor<4xf32>
  %second = ncnn.relu %y {name = "second"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %first, %second : tensor<4xf32>, tensor<4xf32>
}
