// RUN: INVALID

// CHECK: torch.unbind 'u': 1 blob names for 2 results
pnnx.graph {
  %0 = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> !pnnx.any
  %1, %2 = pnnx.op "torch.unbind" "u"(%0) {blobs = ["1"]} : (!pnnx.any) -> (!pnnx.any, !pnnx.any)
}

// -----

// CHECK: a 'a': 2 keys for 1 inputs
pnnx.graph {
  %0 = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> !pnnx.any
  pnnx.op "a" "a"(%0) {keys = ["x", "y"]} : (!pnnx.any) -> ()
}

// -----

// CHECK: a 'b': operand '0' is defined twice
pnnx.graph {
  %0 = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> !pnnx.any
  %1 = pnnx.op "a" "b"(%0) {blobs = ["0"]} : (!pnnx.any) -> !pnnx.any
}

// -----

// CHECK: two words 'a': 'two words' is not a valid name in a .pnnx.param
pnnx.graph {
  pnnx.op "two words" "a"() : () -> ()
}

// -----

// CHECK: a 'a': '@k' is not a valid key in a .pnnx.param
pnnx.graph {
  pnnx.op "a" "a"() {params = {"@k" = 1 : i32}} : () -> ()
}

// -----

// CHECK: a 'a': parameter 'k' has the unsupported value 1 : i64
pnnx.graph {
  pnnx.op "a" "a"() {params = {k = 1 : i64}} : () -> ()
}

// -----

// CHECK: a 'a': weight 'w' has the type tensor<?xf32>
pnnx.graph {
  pnnx.op "a" "a"() {weights = {w = tensor<?xf32>}} : () -> ()
}

// -----

// CHECK: a pnnx.graph contains pnnx.op only, not 'ncnn.constant'
pnnx.graph {
  %w = ncnn.constant #ncnn.elided : tensor<4xf32>
}

// -----

// CHECK: a 'late' uses a value that is defined after it
pnnx.graph {
  pnnx.op "a" "late"(%0) : (!pnnx.any) -> ()
  %0 = pnnx.op "pnnx.Input" "in"() {blobs = ["0"]} : () -> !pnnx.any
}
