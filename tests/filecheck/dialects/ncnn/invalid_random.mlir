// RUN: not ncnn-opt %s 2>&1 | filecheck %s

// More random values than a text may ask for, in all.
// CHECK: ncnn-opt: error: {{.*}}invalid_random.mlir: 'third': the text is too short for its number of random values
%first = ncnn.constant #ncnn.random<seed = 0, stream = 0> : tensor<500000xf32>
%second = ncnn.constant #ncnn.random<seed = 0, stream = 1> : tensor<500000xf32>
%third = ncnn.constant #ncnn.random<seed = 0, stream = 2> : tensor<500000xf32>
