// RUN: INVALID

// The runtime writes the window into n_fft floats, unchecked.
%x = "test.op"() : () -> tensor<16000xf32>
// CHECK: Spectrogram 'stft': winlen 513 is not in 1 to n_fft 512
%y = ncnn.spectrogram %x {name = "stft", n_fft = 512, winlen = 513} : (tensor<16000xf32>) -> tensor<257x126x2xf32>

// -----

%x = "test.op"() : () -> tensor<16000xf32>
// CHECK: Spectrogram 'stft': hoplen is -1, not positive
%y = ncnn.spectrogram %x {name = "stft", n_fft = 512, hoplen = -1} : (tensor<16000xf32>) -> tensor<257x?x2xf32>

// -----

%x = "test.op"() : () -> tensor<16000xf32>
// CHECK: Spectrogram 'stft': power has the undefined value 3
%y = ncnn.spectrogram %x {name = "stft", n_fft = 512, power = 3} : (tensor<16000xf32>) -> tensor<257x126xf32>

// -----

%x = "test.op"() : () -> tensor<257x126x2xf32>
// CHECK: invalid_audio.mlir:[[# @LINE + 2]]:77
// CHECK: Expected integer literal or one of ones, hann, hamming
%y = ncnn.inversespectrogram %x {name = "istft", n_fft = 512, window_type = blackman} : (tensor<257x126x2xf32>) -> tensor<16000x2xf32>

// -----

%x = "test.op"() : () -> tensor<257x126x2xf32>
// CHECK: InverseSpectrogram 'istft': returns has the undefined value 3
%y = ncnn.inversespectrogram %x {name = "istft", n_fft = 512, returns = 3} : (tensor<257x126x2xf32>) -> tensor<16000xf32>
