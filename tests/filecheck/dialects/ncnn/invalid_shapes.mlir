// RUN: INVALID

// The shapes of the results must be such as follow, as far as both are known.
// CHECK: ReLU 'relu': output 0 is tensor<3x5xf32>, but tensor<3x4xf32> follows from the inputs and parameters
func.func @extent(%x: tensor<3x4xf32>) {
  %relu = ncnn.relu %x {name = "relu"} : (tensor<3x4xf32>) -> tensor<3x5xf32>
  func.return
}

// -----

// CHECK: Flatten 'flat': output 0 is tensor<2x6xf32>, but tensor<12xf32> follows from the inputs and parameters
func.func @rank(%x: tensor<3x4xf32>) {
  %flat = ncnn.flatten %x {name = "flat"} : (tensor<3x4xf32>) -> tensor<2x6xf32>
  func.return
}

// -----

// CHECK: Pooling 'pool': output 0 is tensor<3x4x?xf32>, but tensor<?x2x?xf32> follows from the inputs and parameters
func.func @partly_known(%x: tensor<?x4x?xf32>) {
  %pool = ncnn.pooling %x {name = "pool", kernel_w = 2, stride_w = 2} : (tensor<?x4x?xf32>) -> tensor<3x4x?xf32>
  func.return
}

// -----

// CHECK: Slice: output 1 is tensor<3x4xf32>, but tensor<2x4xf32> follows from the inputs and parameters
func.func @second_result(%x: tensor<4x4xf32>) {
  %a, %b = ncnn.slice %x {slices = [-233, -233]} : (tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<3x4xf32>)
  func.return
}

// -----

// A weight that is no blob of the graph has a shape.
// CHECK: InnerProduct 'fc': weight 'weight' has shape tensor<?x4xf32>, but the parameters need {{.*}}
func.func @weight(%x: tensor<4xf32>, %w: tensor<?x4xf32>) {
  %fc = ncnn.innerproduct %x weight %w {name = "fc", num_output = 4} : (tensor<4xf32>, tensor<?x4xf32>) -> tensor<*xf32>
  func.return
}

// -----

// CHECK: func.func @dynamic_weight
func.func @dynamic_weight(%x: tensor<4x8x8xf32>, %w: tensor<*xf32>) {
  %conv = ncnn.convolution %x weight %w {name = "conv"} : (tensor<4x8x8xf32>, tensor<*xf32>) -> tensor<?x?x?xf32>
  func.return
}

// -----

// What is not known contradicts nothing; element types are free.
// CHECK: func.func @agree
func.func @agree(%x: tensor<?x4xf32>, %y: tensor<*xf32>) {
  %a = ncnn.relu %x {name = "a"} : (tensor<?x4xf32>) -> tensor<3x?xf32>
  %b = ncnn.relu %y {name = "b"} : (tensor<*xf32>) -> tensor<3x4xf32>
  %c = ncnn.relu %x {name = "c"} : (tensor<?x4xf32>) -> tensor<*xf32>
  %d = ncnn.relu %x {name = "d"} : (tensor<?x4xf32>) -> tensor<?x4xf16>
  func.return
}
