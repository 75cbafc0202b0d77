// Needs `positive_axis(crop.axes[0], rank) != axis`
// Written for this condition.
builtin.module {
  func.func @part_along_1(%x: tensor<*xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %y = ncnn.reshape %x {name = "y", w = 2, h = 4, c = 2} : (tensor<*xf32>) -> tensor<2x4x2xf32>
    %z = ncnn.reshape %y {name = "z", w = 4, h = 4} : (tensor<2x4x2xf32>) -> tensor<4x4xf32>
    %a = ncnn.crop %z {name = "a", starts = [0], ends = [2], axes = [0]} : (tensor<4x4xf32>) -> tensor<?x?xf32>
    %d = ncnn.crop %z {name = "d", starts = [2], ends = [4], axes = [1]} : (tensor<4x4xf32>) -> tensor<?x?xf32>
    func.return %a, %d : tensor<?x?xf32>, tensor<?x?xf32>
  }
}

// -----

// Needs `len(op.inputs) != 1` or `len(crop.inputs) != 1`
// Written for this condition.
builtin.module {
  func.func @MergeCrops_1(%x: tensor<*xf32>, %ref: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %y = ncnn.reshape %x {name = "y", w = 2, h = 4, c = 2} : (tensor<*xf32>) -> tensor<2x4x2xf32>
    %z = ncnn.reshape %y {name = "z", w = 4, h = 4} : (tensor<2x4x2xf32>) -> tensor<4x4xf32>
    %a = ncnn.crop %z, %ref {name = "a", starts = [0], ends = [2], axes = [0]} : (tensor<4x4xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %b = ncnn.crop %z, %ref {name = "b", starts = [2], ends = [4], axes = [0]} : (tensor<4x4xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    func.return %a, %b : tensor<?x?xf32>, tensor<?x?xf32>
  }
}

// -----

// Needs `len(crop.inputs) != 1` or `len(op.inputs) != 1`
// Written for this condition.
builtin.module {
  func.func @part_along_2(%x: tensor<*xf32>, %ref: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %y = ncnn.reshape %x {name = "y", w = 2, h = 4, c = 2} : (tensor<*xf32>) -> tensor<2x4x2xf32>
    %z = ncnn.reshape %y {name = "z", w = 4, h = 4} : (tensor<2x4x2xf32>) -> tensor<4x4xf32>
    %a = ncnn.crop %z, %ref {name = "a", starts = [0], ends = [2], axes = [0]} : (tensor<4x4xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %b = ncnn.crop %z, %ref {name = "b", starts = [2], ends = [4], axes = [0]} : (tensor<4x4xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    func.return %a, %b : tensor<?x?xf32>, tensor<?x?xf32>
  }
}
