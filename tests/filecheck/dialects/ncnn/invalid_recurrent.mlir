// RUN: INVALID

// 7 steps of 5 features, 4 outputs.
%x = "test.op"() : () -> tensor<7x5xf32>
%xc = ncnn.constant #ncnn.elided : tensor<1x16x5xf32>
%b = ncnn.constant #ncnn.elided : tensor<1x4x4xf32>
%hc = ncnn.constant #ncnn.elided : tensor<1x16x4xf32>
// CHECK: LSTM 'lstm': weight_data_size 80 is not a multiple of 4 gates times 4 cells times 2 directions
%y = ncnn.lstm %x weight_xc %xc bias_c %b weight_hc %hc {name = "lstm", num_output = 4, direction = bidirectional} : (tensor<7x5xf32>, tensor<1x16x5xf32>, tensor<1x4x4xf32>, tensor<1x16x4xf32>) -> tensor<7x8xf32>

// -----

// 6 cells need a projection to 4 outputs.
%x = "test.op"() : () -> tensor<7x5xf32>
%xc = ncnn.constant #ncnn.elided : tensor<1x24x5xf32>
%b = ncnn.constant #ncnn.elided : tensor<1x4x6xf32>
%hc = ncnn.constant #ncnn.elided : tensor<1x24x4xf32>
// CHECK: LSTM 'lstm': weight 'weight_hr' is missing
%y = ncnn.lstm %x weight_xc %xc bias_c %b weight_hc %hc {name = "lstm", num_output = 4, hidden_size = 6} : (tensor<7x5xf32>, tensor<1x24x5xf32>, tensor<1x4x6xf32>, tensor<1x24x4xf32>) -> tensor<7x4xf32>

// -----

// An RNN has one gate and no cell.
%x = "test.op"() : () -> tensor<7x5xf32>
%xc = ncnn.constant #ncnn.elided : tensor<1x16x5xf32>
%b = ncnn.constant #ncnn.elided : tensor<1x4x4xf32>
%hc = ncnn.constant #ncnn.elided : tensor<1x16x4xf32>
// CHECK: RNN 'rnn': weight 'weight_xc' has shape 1x16x5, but the parameters need 1x4x20
%y = ncnn.rnn %x weight_xc %xc bias_c %b weight_hc %hc {name = "rnn", num_output = 4} : (tensor<7x5xf32>, tensor<1x16x5xf32>, tensor<1x4x4xf32>, tensor<1x16x4xf32>) -> tensor<7x4xf32>

// -----

%x, %h = "test.op"() : () -> (tensor<7x5xf32>, tensor<1x4xf32>)
%xc = ncnn.constant #ncnn.elided : tensor<1x12x5xf32>
%b = ncnn.constant #ncnn.elided : tensor<1x4x4xf32>
%hc = ncnn.constant #ncnn.elided : tensor<1x12x4xf32>
// CHECK: GRU 'gru': 3 inputs, but the layer has 1 to 2
%y = ncnn.gru %x, %h, %h weight_xc %xc bias_c %b weight_hc %hc {name = "gru", num_output = 4} : (tensor<7x5xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x12x5xf32>, tensor<1x4x4xf32>, tensor<1x12x4xf32>) -> tensor<7x4xf32>

// -----

%x = "test.op"() : () -> tensor<7x5xf32>
%xc = ncnn.constant #ncnn.elided : tensor<1x12x5xi8>
%b = ncnn.constant #ncnn.elided : tensor<1x4x4xf32>
%hc = ncnn.constant #ncnn.elided : tensor<1x12x4xi8>
// CHECK: GRU 'gru': weight 'weight_xc_int8_scales' is missing
%y = ncnn.gru %x weight_xc %xc bias_c %b weight_hc %hc {name = "gru", num_output = 4, int8_scale_term = 1} : (tensor<7x5xf32>, tensor<1x12x5xi8>, tensor<1x4x4xf32>, tensor<1x12x4xi8>) -> tensor<7x4xf32>

// -----

%x = "test.op"() : () -> tensor<7x5xf32>
%xc = ncnn.constant #ncnn.elided : tensor<1x12x5xf32>
%b = ncnn.constant #ncnn.elided : tensor<1x4x4xf32>
%hc = ncnn.constant #ncnn.elided : tensor<1x12x4xf32>
// CHECK: GRU 'gru': direction is 0 to 2, not 3
%y = ncnn.gru %x weight_xc %xc bias_c %b weight_hc %hc {name = "gru", num_output = 4, direction = 3} : (tensor<7x5xf32>, tensor<1x12x5xf32>, tensor<1x4x4xf32>, tensor<1x12x4xf32>) -> tensor<7x4xf32>
