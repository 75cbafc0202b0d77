// RUN: ncnn-opt --arith-add-fastmath="flags=nnan" %s | filecheck %s
// RUN: ncnn-opt -p "arith-add-fastmath{flags=nnan}" %s | filecheck %s
// RUN: ncnn-opt --arith-add-fastmath %s | filecheck %s --check-prefix=DEFAULT

// CHECK: arith.addf %a, %a fastmath<nnan> : f32
// DEFAULT: arith.addf %a, %a fastmath<fast> : f32
%a = "test.op"() : () -> f32
%b = arith.addf %a, %a : f32
"test.op"(%b) : (f32) -> ()
