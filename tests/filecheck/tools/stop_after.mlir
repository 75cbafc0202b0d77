// RUN: ncnn-opt --canonicalize --stop-after 0 %s 2>/dev/null | filecheck %s --check-prefix=NONE
// RUN: ncnn-opt --canonicalize --stop-after 1 --remarks %s 2>&1 >/dev/null | filecheck %s --check-prefix=ONE --match-full-lines
// RUN: ncnn-opt --eliminate-dropout --canonicalize --stop-after 2 --remarks %s 2>&1 >/dev/null | filecheck %s --check-prefix=TWO --match-full-lines
// RUN: ncnn-opt --canonicalize --stop-after 9 --remarks=json %s 2>&1 >/dev/null | filecheck %s --check-prefix=ALL --match-full-lines

// Each rewrite of a pattern counts, over all passes.

// NONE: ncnn.dropout
// NONE: ncnn.dropout
// NONE: ncnn.noop

// ONE:      remark: eliminate-dropout: Dropout 'first'
// ONE-NEXT: ncnn-opt: stopped after 1 rewrites
// ONE-NOT:  {{.}}

// TWO:      remark: eliminate-dropout: Dropout 'first'
// TWO-NEXT: remark: eliminate-dropout: Dropout 'second'
// TWO-NEXT: ncnn-opt: stopped after 2 rewrites
// TWO-NOT:  {{.}}

// ALL:      {"rewrite": "eliminate-dropout", "layers": [{"type": "Dropout", "name": "first"}], "note": ""}
// ALL-NEXT: {"rewrite": "eliminate-dropout", "layers": [{"type": "Dropout", "name": "second"}], "note": ""}
// ALL-NEXT: {"rewrite": "eliminate-noop", "layers": [{"type": "Noop", "name": null}], "note": ""}
// ALL-NEXT: ncnn-opt: only 3 rewrites
// ALL-NOT:  {{.}}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = ncnn.dropout %x {name = "first"} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = ncnn.dropout %0 {name = "second"} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = ncnn.noop %1 : (tensor<2xf32>) -> tensor<2xf32>
  %3 = ncnn.relu %2 {name = "relu"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %3 : tensor<2xf32>
}
