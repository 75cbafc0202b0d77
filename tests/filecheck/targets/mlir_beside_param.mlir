// RUN: rm -rf %t && mkdir %t
// RUN: ncnn-opt %s -o %t/model.param
// RUN: cp %t/model.bin %t/before.bin

// An .mlir beside a .param of the same name refers to its .bin as long as the weights are the same.
// RUN: ncnn-opt %t/model.param -o %t/model.mlir
// RUN: filecheck %s --input-file=%t/model.mlir --check-prefix=SAME
// RUN: diff %t/before.bin %t/model.bin
// SAME: %fc_weight = ncnn.constant #ncnn.weight<"model.bin", 4> : tensor<17x2xf32>

// That .bin must not change then: the .mlir would be another one.
// RUN: not ncnn-opt -O %t/model.param -o %t/model.param 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: diff %t/before.bin %t/model.bin
// REFUSED: ncnn-opt: error: '{{.*}}model.mlir' refers to '{{.*}}model.bin', which would change; choose another name than '{{.*}}model.param', or another one for the weights with --output-weights

// Other weights of an .mlir get a .bin of their own.
// RUN: ncnn-opt -O %t/model.param -o %t/model.mlir 2>&1 | filecheck %s --check-prefix=NOTE
// RUN: filecheck %s --input-file=%t/model.mlir --check-prefix=OTHER
// RUN: diff %t/before.bin %t/model.bin
// NOTE: note: the weights go to '{{.*}}model.mlir.bin', since '{{.*}}model.bin' belongs to an ncnn model
// OTHER: %fc_weight = ncnn.constant #ncnn.weight<"model.mlir.bin", {{[0-9]+}}> : tensor<17x2xf32>
func.func @main(%x: tensor<2xf32>) -> tensor<17xf32> {
  %w = ncnn.constant dense<0.5> : tensor<17x2xf32>
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 17} : (tensor<2xf32>, tensor<17x2xf32>) -> tensor<17xf32>
  %twice = ncnn.binaryop %fc {name = "twice", op_type = mul, with_scalar = 1, b = 2.0} : (tensor<17xf32>) -> tensor<17xf32>
  func.return %twice : tensor<17xf32>
}
