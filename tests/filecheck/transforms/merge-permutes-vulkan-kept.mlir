// RUN: ncnn-opt --merge-permutes %s | filecheck %s --check-prefix=ANY
// RUN: ncnn-opt --ncnn-tune="processor=vulkan" --merge-permutes --remarks=missed %s 2>&1 | filecheck %s --check-prefixes=MISSED
// RUN: ncnn-opt --ncnn-tune="processor=arm" --merge-permutes %s | filecheck %s --check-prefix=CPU
// RUN: ncnn-opt --ncnn-tune="processor=none" --merge-permutes %s | filecheck %s --check-prefix=CPU

// The Vulkan code of Permute is wrong in float16 if 4 channels share an element, stay in place, and their plane is odd.
// ANY-LABEL: func.func @odd_plane
// ANY: ncnn.permute
// ANY: ncnn.permute
// MISSED: merge-permutes{{.*}}float16 on Vulkan would be wrong (permute_pack4.comp)
// CPU-LABEL: func.func @odd_plane
// CPU-NEXT: %b = ncnn.permute %x {name = "b", order_type = 1}
// CPU-NEXT: func.return
func.func @odd_plane(%x: tensor<8x5x7xf32>) -> tensor<8x7x5xf32> {
  %a = ncnn.permute %x {name = "a", order_type = 4} : (tensor<8x5x7xf32>) -> tensor<7x8x5xf32>
  %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<7x8x5xf32>) -> tensor<8x7x5xf32>
  func.return %b : tensor<8x7x5xf32>
}

// ANY-LABEL: func.func @even_plane
// ANY-NEXT: {{.*}}ncnn.reshape
// ANY-NEXT: %b = ncnn.permute %x {name = "b", order_type = 1}
// ANY-NEXT: func.return
func.func @even_plane(%in: tensor<?xf32>) -> tensor<8x7x4xf32> {
  %x = ncnn.reshape %in {name = "x", w = 7, h = 4, c = 8} : (tensor<?xf32>) -> tensor<8x4x7xf32>
  %a = ncnn.permute %x {name = "a", order_type = 4} : (tensor<8x4x7xf32>) -> tensor<7x8x4xf32>
  %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<7x8x4xf32>) -> tensor<8x7x4xf32>
  func.return %b : tensor<8x7x4xf32>
}

// ANY-LABEL: func.func @single_channels
// ANY-NEXT: {{.*}}ncnn.reshape
// ANY-NEXT: %b = ncnn.permute %x {name = "b", order_type = 1}
// ANY-NEXT: func.return
func.func @single_channels(%in: tensor<?xf32>) -> tensor<6x7x5xf32> {
  %x = ncnn.reshape %in {name = "x", w = 7, h = 5, c = 6} : (tensor<?xf32>) -> tensor<6x5x7xf32>
  %a = ncnn.permute %x {name = "a", order_type = 4} : (tensor<6x5x7xf32>) -> tensor<7x6x5xf32>
  %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<7x6x5xf32>) -> tensor<6x7x5xf32>
  func.return %b : tensor<6x7x5xf32>
}

// The first Permute is wrong there already.
// ANY-LABEL: func.func @wrong_before
// ANY-NEXT: {{.*}}ncnn.reshape
// ANY-NEXT: %b = ncnn.permute %x {name = "b", order_type = 4}
// ANY-NEXT: func.return
func.func @wrong_before(%in: tensor<?xf32>) -> tensor<8x7x3x5xf32> {
  %x = ncnn.reshape %in {name = "x", w = 7, h = 5, d = 3, c = 8} : (tensor<?xf32>) -> tensor<8x3x5x7xf32>
  %a = ncnn.permute %x {name = "a", order_type = 1} : (tensor<8x3x5x7xf32>) -> tensor<8x3x7x5xf32>
  %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<8x3x7x5xf32>) -> tensor<8x7x3x5xf32>
  func.return %b : tensor<8x7x3x5xf32>
}

// Other axes move: the elements of 4 channels are gathered or spread one by one.
// ANY-LABEL: func.func @channels_move
// ANY-NEXT: {{.*}}ncnn.reshape
// ANY-NEXT: %b = ncnn.permute %x {name = "b", order_type = 3}
// ANY-NEXT: func.return
func.func @channels_move(%in: tensor<?xf32>) -> tensor<5x7x8xf32> {
  %x = ncnn.reshape %in {name = "x", w = 7, h = 5, c = 8} : (tensor<?xf32>) -> tensor<8x5x7xf32>
  %a = ncnn.permute %x {name = "a", order_type = 4} : (tensor<8x5x7xf32>) -> tensor<7x8x5xf32>
  %b = ncnn.permute %a {name = "b", order_type = 4} : (tensor<7x8x5xf32>) -> tensor<5x7x8xf32>
  func.return %b : tensor<5x7x8xf32>
}

// One element of 4 channels.
// ANY-LABEL: func.func @four_channels
// ANY: %a = ncnn.permute
// ANY-NEXT: %b = ncnn.permute %a
func.func @four_channels(%in: tensor<?xf32>) -> tensor<4x7x5xf32> {
  %x = ncnn.reshape %in {name = "x", w = 7, h = 5, c = 4} : (tensor<?xf32>) -> tensor<4x5x7xf32>
  %a = ncnn.permute %x {name = "a", order_type = 4} : (tensor<4x5x7xf32>) -> tensor<7x4x5xf32>
  %b = ncnn.permute %a {name = "b", order_type = 2} : (tensor<7x4x5xf32>) -> tensor<4x7x5xf32>
  func.return %b : tensor<4x7x5xf32>
}
