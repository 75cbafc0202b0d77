// RUN: ncnn-opt --rename 'a=b,b=a' %s | filecheck %s --check-prefix=SWAP
// RUN: ncnn-opt --rename blob:a=c %s | filecheck %s --check-prefix=BLOB
// RUN: ncnn-opt --rename layer:a=c %s | filecheck %s --check-prefix=LAYER
// RUN: ncnn-opt --rename layer:x=c %s | filecheck %s --check-prefix=INPUT
// RUN: ncnn-opt --rename a=c --rename b=d %s | filecheck %s --check-prefix=TWO
// RUN: ncnn-opt --verify-equivalence --rename x=in %s 2>&1 | filecheck %s --check-prefix=EDIT

// SWAP: ncnn.absval %x {name = "b"}
// SWAP: ncnn.relu %a {name = "a"}
// BLOB: ncnn.absval %x {name = "a", blobs = ["c"]}
// LAYER: ncnn.absval %x {name = "c", blobs = ["a"]}
// INPUT: ncnn.blob = "x", ncnn.layer = "c"
// TWO: ncnn.absval %x {name = "c"}
// TWO: ncnn.relu %a {name = "d"}
// EDIT: rename-model{{ +}}0  -  (the model up to here is edited, later passes are compared with it)
func.func @main(%x: tensor<4xf32> {ncnn.blob = "x"}) -> tensor<4xf32> {
  %a = ncnn.absval %x {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = ncnn.relu %a {name = "b"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// The pass before an edit is compared, too.
// RUN: ncnn-opt --verify-equivalence --canonicalize --outputs b %s 2>&1 | filecheck %s --check-prefix=BEFORE
// BEFORE: canonicalize{{ +}}1  0 'b'
// BEFORE: reorder-model{{ +}}0  -  (the model up to here is edited, later passes are compared with it)
