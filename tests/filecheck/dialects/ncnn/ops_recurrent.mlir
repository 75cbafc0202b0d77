// RUN: ROUNDTRIP
// RUN: GENERIC

// 7 steps of 5 features; 4 outputs. The gates are stacked along the rows of the weights.
// CHECK:      %x, %h, %cell, %h2, %hp = "test.op"() : () -> (tensor<7x5xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<2x4xf32>, tensor<1x6xf32>)
%x, %h, %cell, %h2, %hp = "test.op"() : () -> (tensor<7x5xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<2x4xf32>, tensor<1x6xf32>)

// CHECK-NEXT: %rnn_xc = ncnn.constant #ncnn.elided : tensor<1x4x5xf32>
%rnn_xc = ncnn.constant #ncnn.elided : tensor<1x4x5xf32>
// CHECK-NEXT: %rnn_b = ncnn.constant #ncnn.elided : tensor<1x1x4xf32>
%rnn_b = ncnn.constant #ncnn.elided : tensor<1x1x4xf32>
// CHECK-NEXT: %rnn_hc = ncnn.constant #ncnn.elided : tensor<1x4x4xf32>
%rnn_hc = ncnn.constant #ncnn.elided : tensor<1x4x4xf32>
// CHECK-NEXT: %rnn = ncnn.rnn %x weight_xc %rnn_xc bias_c %rnn_b weight_hc %rnn_hc {name = "rnn", num_output = 4} : (tensor<7x5xf32>, tensor<1x4x5xf32>, tensor<1x1x4xf32>, tensor<1x4x4xf32>) -> tensor<7x4xf32>
%rnn = ncnn.rnn %x weight_xc %rnn_xc bias_c %rnn_b weight_hc %rnn_hc {name = "rnn", num_output = 4} : (tensor<7x5xf32>, tensor<1x4x5xf32>, tensor<1x1x4xf32>, tensor<1x4x4xf32>) -> tensor<7x4xf32>
// CHECK-NEXT: %rnn_y, %rnn_last = ncnn.rnn %x, %h weight_xc %rnn_xc bias_c %rnn_b weight_hc %rnn_hc {name = "rnn_state", blobs = ["y", "h"], num_output = 4, direction = reverse} : (tensor<7x5xf32>, tensor<1x4xf32>, tensor<1x4x5xf32>, tensor<1x1x4xf32>, tensor<1x4x4xf32>) -> (tensor<7x4xf32>, tensor<1x4xf32>)
%rnn_y, %rnn_last = ncnn.rnn %x, %h weight_xc %rnn_xc bias_c %rnn_b weight_hc %rnn_hc {name = "rnn_state", blobs = ["y", "h"], num_output = 4, direction = reverse} : (tensor<7x5xf32>, tensor<1x4xf32>, tensor<1x4x5xf32>, tensor<1x1x4xf32>, tensor<1x4x4xf32>) -> (tensor<7x4xf32>, tensor<1x4xf32>)

// CHECK-NEXT: %lstm_xc = ncnn.constant #ncnn.elided : tensor<2x16x5xf32>
%lstm_xc = ncnn.constant #ncnn.elided : tensor<2x16x5xf32>
// CHECK-NEXT: %lstm_b = ncnn.constant #ncnn.elided : tensor<2x4x4xf32>
%lstm_b = ncnn.constant #ncnn.elided : tensor<2x4x4xf32>
// CHECK-NEXT: %lstm_hc = ncnn.constant #ncnn.elided : tensor<2x16x4xf32>
%lstm_hc = ncnn.constant #ncnn.elided : tensor<2x16x4xf32>
// CHECK-NEXT: %lstm = ncnn.lstm %x weight_xc %lstm_xc bias_c %lstm_b weight_hc %lstm_hc {name = "lstm", num_output = 4, direction = bidirectional} : (tensor<7x5xf32>, tensor<2x16x5xf32>, tensor<2x4x4xf32>, tensor<2x16x4xf32>) -> tensor<7x8xf32>
%lstm = ncnn.lstm %x weight_xc %lstm_xc bias_c %lstm_b weight_hc %lstm_hc {name = "lstm", num_output = 4, direction = bidirectional} : (tensor<7x5xf32>, tensor<2x16x5xf32>, tensor<2x4x4xf32>, tensor<2x16x4xf32>) -> tensor<7x8xf32>

// 6 cells, projected to 4 outputs.
// CHECK-NEXT: %proj_xc = ncnn.constant #ncnn.elided : tensor<1x24x5xf16>
%proj_xc = ncnn.constant #ncnn.elided : tensor<1x24x5xf16>
// CHECK-NEXT: %proj_b = ncnn.constant #ncnn.elided : tensor<1x4x6xf16>
%proj_b = ncnn.constant #ncnn.elided : tensor<1x4x6xf16>
// CHECK-NEXT: %proj_hc = ncnn.constant #ncnn.elided : tensor<1x24x4xf16>
%proj_hc = ncnn.constant #ncnn.elided : tensor<1x24x4xf16>
// CHECK-NEXT: %proj_hr = ncnn.constant #ncnn.elided : tensor<1x4x6xf16>
%proj_hr = ncnn.constant #ncnn.elided : tensor<1x4x6xf16>
// CHECK-NEXT: %projected, %last_h, %last_c = ncnn.lstm %x, %h, %hp weight_xc %proj_xc bias_c %proj_b weight_hc %proj_hc weight_hr %proj_hr {name = "projected", blobs = ["p", "ph", "pc"], num_output = 4, hidden_size = 6} : (tensor<7x5xf32>, tensor<1x4xf32>, tensor<1x6xf32>, tensor<1x24x5xf16>, tensor<1x4x6xf16>, tensor<1x24x4xf16>, tensor<1x4x6xf16>) -> (tensor<7x4xf32>, tensor<1x4xf32>, tensor<1x6xf32>)
%projected, %last_h, %last_c = ncnn.lstm %x, %h, %hp weight_xc %proj_xc bias_c %proj_b weight_hc %proj_hc weight_hr %proj_hr {name = "projected", blobs = ["p", "ph", "pc"], num_output = 4, hidden_size = 6} : (tensor<7x5xf32>, tensor<1x4xf32>, tensor<1x6xf32>, tensor<1x24x5xf16>, tensor<1x4x6xf16>, tensor<1x24x4xf16>, tensor<1x4x6xf16>) -> (tensor<7x4xf32>, tensor<1x4xf32>, tensor<1x6xf32>)

// CHECK-NEXT: %gru_xc = ncnn.constant #ncnn.elided : tensor<1x12x5xi8>
%gru_xc = ncnn.constant #ncnn.elided : tensor<1x12x5xi8>
// CHECK-NEXT: %gru_b = ncnn.constant #ncnn.elided : tensor<1x4x4xf32>
%gru_b = ncnn.constant #ncnn.elided : tensor<1x4x4xf32>
// CHECK-NEXT: %gru_hc = ncnn.constant #ncnn.elided : tensor<1x12x4xi8>
%gru_hc = ncnn.constant #ncnn.elided : tensor<1x12x4xi8>
// CHECK-NEXT: %gru_s = ncnn.constant #ncnn.elided : tensor<1x12xf32>
%gru_s = ncnn.constant #ncnn.elided : tensor<1x12xf32>
// CHECK-NEXT: %gru = ncnn.gru %x weight_xc %gru_xc bias_c %gru_b weight_hc %gru_hc weight_xc_int8_scales %gru_s weight_hc_int8_scales %gru_s {name = "gru", num_output = 4, int8_scale_term = 1} : (tensor<7x5xf32>, tensor<1x12x5xi8>, tensor<1x4x4xf32>, tensor<1x12x4xi8>, tensor<1x12xf32>, tensor<1x12xf32>) -> tensor<7x4xf32>
%gru = ncnn.gru %x weight_xc %gru_xc bias_c %gru_b weight_hc %gru_hc weight_xc_int8_scales %gru_s weight_hc_int8_scales %gru_s {name = "gru", num_output = 4, int8_scale_term = 1} : (tensor<7x5xf32>, tensor<1x12x5xi8>, tensor<1x4x4xf32>, tensor<1x12x4xi8>, tensor<1x12xf32>, tensor<1x12xf32>) -> tensor<7x4xf32>

// As many cells as outputs is the default.
// CHECK-NEXT: %cells_default = ncnn.lstm %x weight_xc %lstm_xc bias_c %lstm_b weight_hc %lstm_hc {name = "cells_default", num_output = 4, direction = bidirectional} : (tensor<7x5xf32>, tensor<2x16x5xf32>, tensor<2x4x4xf32>, tensor<2x16x4xf32>) -> tensor<7x8xf32>
%cells_default = ncnn.lstm %x weight_xc %lstm_xc bias_c %lstm_b weight_hc %lstm_hc {name = "cells_default", num_output = 4, direction = bidirectional, hidden_size = 4} : (tensor<7x5xf32>, tensor<2x16x5xf32>, tensor<2x4x4xf32>, tensor<2x16x4xf32>) -> tensor<7x8xf32>
