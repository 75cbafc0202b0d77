// mlir-opt's options, understood or answered. Dumps are on standard error.

// RUN: ncnn-opt --pass-pipeline='builtin.module(eliminate-noop, eliminate-dropout)' %s | filecheck %s
// RUN: ncnn-opt -pass-pipeline='builtin.module(eliminate-noop,eliminate-dropout)' %s | filecheck %s
// RUN: ncnn-opt -p 'builtin.module( builtin.module(eliminate-noop , eliminate-dropout))' %s | filecheck %s
// RUN: ncnn-opt -p 'any(eliminate-dropout,eliminate-noop)' --mlir-disable-threading %s | filecheck %s
// CHECK:      builtin.module
// CHECK-NEXT: func.func @main
// CHECK-NEXT: ncnn.relu %x
// CHECK-NEXT: func.return

// RUN: ncnn-opt -p 'builtin.module(cut-model{from="a b" to=c})' --print-pipeline | filecheck %s --check-prefix=QUOTED
// QUOTED: cut-model{from="a b" to=c},

// RUN: not ncnn-opt -p 'builtin.module(gpu.module(eliminate-noop))' %s 2>&1 | filecheck %s --check-prefix=NESTED
// NESTED: error: in the pipeline 'gpu.module(eliminate-noop)': passes run on the module, not on each 'gpu.module': leave out gpu.module(…)

// RUN: ncnn-opt --eliminate-noop --eliminate-split --mlir-print-ir-after-all %s 2>&1 >%t.mlir | filecheck %s --check-prefix=ALL
// ALL:     // -----// IR Dump After eliminate-noop //----- //
// ALL-NOT: ncnn.noop
// ALL:     // -----// IR Dump After eliminate-split //----- //
// ALL:     // -----// IR Dump After convert-storage //----- //

// RUN: ncnn-opt --eliminate-split --eliminate-noop --eliminate-dropout --mlir-print-ir-after-change %s 2>&1 >%t.mlir | filecheck %s --check-prefix=CHANGE
// CHANGE-NOT: eliminate-split
// CHANGE:     // -----// IR Dump After eliminate-noop //----- //
// CHANGE-NOT: IR Dump

// RUN: ncnn-opt --eliminate-noop --mlir-timing %s 2>&1 >%t.mlir | filecheck %s --check-prefix=TIMES
// TIMES:      seconds share pass
// TIMES-NEXT: {{[0-9.]+ +[0-9.]+%}} eliminate-noop
// TIMES-NEXT: {{[0-9.]+ +[0-9.]+%}} convert-storage
// TIMES-NEXT: {{[0-9.]+ +[0-9.]+%}} (verification)
// TIMES-NEXT: {{[0-9.]+ +[0-9.]+%}} (reports)
// TIMES-NEXT: {{[0-9.]+}} 100.0% total
// TIMES:      seconds share pattern (rewrites of attempts)
// TIMES-NEXT: EliminateIdentity (1 of

// RUN: ncnn-opt --mlir-print-op-generic %s | filecheck %s --check-prefix=PLAIN
// PLAIN: "ncnn.noop"(%x)

// RUN: ncnn-opt --mlir-print-debuginfo %s | filecheck %s --check-prefix=DEBUG
// DEBUG: ncnn.noop %x {{.*}} loc("model.param":3:1)

// RUN: ncnn-opt --verify-roundtrip %s | filecheck %s --check-prefix=TWICE
// RUN: ncnn-opt --verify-roundtrip --weights none %S/Inputs/net.param --elide-weights | filecheck %s --check-prefix=FILE
// RUN: rm -rf %t.d && mkdir %t.d && ncnn-opt %S/Inputs/net.param --weights random -o %t.d/net.param
// RUN: ncnn-opt --verify-roundtrip %t.d/net.param --elide-weights | filecheck %s --check-prefix=FILE
// TWICE: ncnn.noop
// FILE: ncnn.convolution

// RUN: ncnn-opt --show-dialects | filecheck %s --check-prefix=DIALECTS
// DIALECTS:      ours:
// DIALECTS-NEXT: ncnn, fused, pnnx

// RUN: not ncnn-opt --eliminate-noop --cut-to nowhere --mlir-pass-pipeline-crash-reproducer=%t.crash.mlir %s 2>&1 | filecheck %s --check-prefix=CRASH
// CRASH:      the IR before the failing pipeline is in '{{.*}}.crash.mlir'; its first line is the command
// CRASH-NEXT: error: {{.*}}: there is no layer 'nowhere'
// RUN: filecheck %s --check-prefix=REPRODUCER < %t.crash.mlir
// REPRODUCER:      // ncnn-opt {{.*}}.crash.mlir -p 'cut-model{to=nowhere},eliminate-noop,convert-storage{storage=keep}'
// REPRODUCER-NEXT: // PassFailedException: there is no layer 'nowhere'
// REPRODUCER:      ncnn.noop %x
// RUN: not ncnn-opt %t.crash.mlir -p 'cut-model{to=nowhere},eliminate-noop,convert-storage{storage=keep}' 2>&1 | filecheck %s --check-prefix=AGAIN
// AGAIN: error: {{.*}}: there is no layer 'nowhere'
// RUN: ncnn-opt --eliminate-noop --crash-reproducer %t.none.mlir %s && test ! -e %t.none.mlir

// RUN: not ncnn-opt --mlir-elide-elementsattrs-if-larger=16 %s 2>&1 | filecheck %s --check-prefix=ANSWER
// ANSWER: error: '--mlir-elide-elementsattrs-if-larger=16' is an option of mlir-opt: --elide-weights omits large weights

func.func @main(%x: tensor<8xf32> {ncnn.blob = "x"}) -> tensor<8xf32> {
  %y = ncnn.noop %x {name = "noop"} : (tensor<8xf32>) -> tensor<8xf32> loc("model.param":3:1)
  %z = ncnn.relu %y {name = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %z : tensor<8xf32>
}
