// A layer that is left is an error with the remedy.
// RUN: not ncnn-opt --convert-ncnn-to-fused --convert-fused-to-linalg --convert-ncnn-to-linalg --externalize-weights="style=args" %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// UNKNOWN: fused.conv 'conv' is not lowered: the shape of input 'x' is not known; Convolution 'conv' takes 4,?,?; try --input-shape x=4,224,224, or keep layers with --externalize-weights="allow-partial=true"

// RUN: not ncnn-opt --input-shape x=4,8,8 --convert-ncnn-to-fused --convert-fused-to-linalg --externalize-weights="style=args" %s 2>&1 | filecheck %s --check-prefix=EARLY
// EARLY: Softmax 'y' is not lowered: run --convert-fused-to-linalg and --convert-ncnn-to-linalg first, or keep

// RUN: not ncnn-opt --input-shape x=4,8,8 --convert-ncnn-to-fused --convert-fused-to-linalg --convert-ncnn-to-linalg --externalize-weights="style=args" %S/Inputs/host.mlir 2>&1 | filecheck %s --check-prefix=ARGMAX
// ARGMAX: ArgMax 'best' is not lowered: it sorts, or keep layers

// RUN: not ncnn-opt --partition-host-ops --convert-ncnn-to-fused --convert-fused-to-linalg --convert-ncnn-to-linalg --externalize-weights="style=args" %S/Inputs/host.mlir 2>&1 | filecheck %s --check-prefix=HOST
// HOST: ArgMax 'best' runs on the host, and stays a layer in the module @host, which other tools do not read; leave it out with --partition-host-ops="drop=true", or keep

// RUN: ncnn-opt --partition-host-ops="drop=true" --convert-ncnn-to-fused --convert-fused-to-linalg --convert-ncnn-to-linalg --externalize-weights="style=args" %S/Inputs/host.mlir | filecheck %s --check-prefix=DROPPED
// DROPPED-NOT: ncnn.
// DROPPED: linalg.generic
// DROPPED-NOT: ncnn.

// RUN: ncnn-opt --convert-ncnn-to-fused --externalize-weights="style=args allow-partial=true" %s | filecheck %s --check-prefix=PARTIAL
// PARTIAL: fused.conv
// PARTIAL: ncnn.softmax

func.func @main(%x: tensor<*xf32> {ncnn.blob = "x"}) -> (tensor<*xf32> {ncnn.blob = "y"}) {
  %weight = ncnn.constant #ncnn.elided : tensor<6x4x3x3xf32>
  %bias = ncnn.constant #ncnn.elided : tensor<6xf32>
  %conv = ncnn.convolution %x weight %weight bias %bias {name = "conv", num_output = 6, kernel_w = 3, pad_left = 1} : (tensor<*xf32>, tensor<6x4x3x3xf32>, tensor<6xf32>) -> tensor<*xf32>
  %y = ncnn.softmax %conv {name = "y", axis = 0, fixbug0 = 1} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}
