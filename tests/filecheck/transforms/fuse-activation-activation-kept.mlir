// RUN: ncnn-opt %s > %t.before
// RUN: ncnn-opt --fuse-activation-activation %s | diff %t.before -

// Nothing here may change. Each function is one that does, but for one thing.

// Between -1 and 0 the slope shows.
func.func @leaky_clip(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s", slope = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.clip %s {name = "z", min = -1.0, max = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

func.func @clip_leaky(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.clip %x {name = "s", min = -1.0, max = 1.0} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.relu %s {name = "z", slope = 0.5} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

func.func @relu_sigmoid(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.sigmoid %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

func.func @mish_clip(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.mish %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.clip %s {name = "z", min = 0.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

func.func @hardswish_relu(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.hardswish %x {name = "s", alpha = 0.16666667} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.relu %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

func.func @mish_mish(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.mish %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.mish %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// A negative slope gives more than 6 far below 0.
func.func @growing_clip(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s", slope = -0.5} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.clip %s {name = "z", min = 0.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// Somebody else needs the value between.
func.func @second_consumer(%x: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %s = ncnn.relu %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.clip %s {name = "z", min = -1.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
  %other = ncnn.absval %s {name = "other"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z, %other : tensor<*xf32>, tensor<*xf32>
}

// The model gives it out.
func.func @returned(%x: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %s = ncnn.relu %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.clip %s {name = "z", min = -1.0, max = 6.0} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z, %s : tensor<*xf32>, tensor<*xf32>
}

// The two may not be treated alike.
func.func @other_features(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s", featmask = 1} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.relu %s {name = "z"} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// A parameter of which nothing is known.
func.func @unknown_parameter(%x: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.relu %s {name = "z", extra = {"27" = 5 : i32}} : (tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}

// The larger of two blobs.
func.func @two_blobs(%x: tensor<*xf32>, %r: tensor<*xf32>) -> tensor<*xf32> {
  %s = ncnn.relu %x {name = "s"} : (tensor<*xf32>) -> tensor<*xf32>
  %z = ncnn.binaryop %s, %r {name = "z", op_type = max} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  func.return %z : tensor<*xf32>
}
