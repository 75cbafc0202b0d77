// RUN: ncnn-opt --storage-of 'Inner*=fp16,b=fp32' %s | filecheck %s
// RUN: ncnn-opt --convert-storage='storage=keep of="Inner*=fp16","b=fp32"' %s | filecheck %s
// RUN: ncnn-opt --storage fp16 --storage-of a=fp32 %s | filecheck %s --check-prefix=REST
// RUN: ncnn-opt --storage-of a=bf16 %s | filecheck %s --check-prefix=BF16
// RUN: ncnn-opt --storage fp16 --storage-of head=fp32 %s | filecheck %s --check-prefix=HEAD
// RUN: ncnn-opt --storage fp16 --storage-of stem=fp32 %s | filecheck %s --check-prefix=REST
// RUN: not ncnn-opt --storage-of c=fp16 %s 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not ncnn-opt --storage-of a=int8 %s 2>&1 | filecheck %s --check-prefix=WORD

// The last pattern that matches a layer decides.
// CHECK: ncnn.innerproduct %x weight %{{.*}} {name = "a", num_output = 2} : (tensor<2xf32>, tensor<2x2xf16>)
// CHECK: ncnn.innerproduct %a weight %{{.*}} {name = "b", num_output = 2} : (tensor<2xf32>, tensor<2x2xf32>)
// REST: ncnn.innerproduct %x weight %{{.*}} {name = "a", num_output = 2} : (tensor<2xf32>, tensor<2x2xf32>)
// REST: ncnn.innerproduct %a weight %{{.*}} {name = "b", num_output = 2} : (tensor<2xf32>, tensor<2x2xf16>)
// BF16: ncnn.innerproduct %x weight %{{.*}} {name = "a", num_output = 2} : (tensor<2xf32>, tensor<2x2xbf16>)
// BF16: ncnn.innerproduct %a weight %{{.*}} {name = "b", num_output = 2} : (tensor<2xf32>, tensor<2x2xf32>)
// HEAD: ncnn.innerproduct %x weight %{{.*}} {name = "a", num_output = 2} : (tensor<2xf32>, tensor<2x2xf16>)
// HEAD: ncnn.innerproduct %a weight %{{.*}} {name = "b", num_output = 2} : (tensor<2xf32>, tensor<2x2xf32>)
// NONE: --storage-of c=fp16: no layer has this type or name
// WORD: the storage of layers is PATTERN=fp16 or fp32 or bf16, not 'a=int8'
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %v = ncnn.constant dense<[[1.0, 2.0], [3.0, 5.0]]> : tensor<2x2xf32>
  %a = ncnn.innerproduct %x weight %w {name = "a", num_output = 2} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %b = ncnn.innerproduct %a weight %v {name = "b", num_output = 2} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %c = ncnn.relu %b {name = "act"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %c : tensor<2xf32>
}
