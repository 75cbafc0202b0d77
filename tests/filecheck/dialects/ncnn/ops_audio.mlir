// RUN: ROUNDTRIP
// RUN: GENERIC

// CHECK:      %samples, %frames = "test.op"() : () -> (tensor<16000xf32>, tensor<257x101x2xf32>)
%samples, %frames = "test.op"() : () -> (tensor<16000xf32>, tensor<257x101x2xf32>)

// CHECK-NEXT: %complex = ncnn.spectrogram %samples {name = "stft", n_fft = 512} : (tensor<16000xf32>) -> tensor<257x126x2xf32>
%complex = ncnn.spectrogram %samples {name = "stft", n_fft = 512} : (tensor<16000xf32>) -> tensor<257x126x2xf32>
// CHECK-NEXT: %power = ncnn.spectrogram %samples {name = "power", n_fft = 512, power = square, hoplen = 160, winlen = 400, window_type = hann, center = 0, pad_type = replicate, normalized = window, onesided = 0} : (tensor<16000xf32>) -> tensor<512x97xf32>
%power = ncnn.spectrogram %samples {name = "power", n_fft = 512, power = square, hoplen = 160, winlen = 400, window_type = hann, center = 0, pad_type = replicate, normalized = window, onesided = 0} : (tensor<16000xf32>) -> tensor<512x97xf32>
// CHECK-NEXT: %inverse = ncnn.inversespectrogram %frames {name = "istft", n_fft = 512, hoplen = 160, window_type = hamming, center = 0, normalized = n_fft} : (tensor<257x101x2xf32>) -> tensor<16512x2xf32>
%inverse = ncnn.inversespectrogram %frames {name = "istft", n_fft = 512, hoplen = 160, window_type = hamming, center = 0, normalized = n_fft} : (tensor<257x101x2xf32>) -> tensor<16512x2xf32>
// CHECK-NEXT: %real = ncnn.inversespectrogram %frames {name = "istft_real", n_fft = 512, returns = real} : (tensor<257x101x2xf32>) -> tensor<12800xf32>
%real = ncnn.inversespectrogram %frames {name = "istft_real", n_fft = 512, returns = real} : (tensor<257x101x2xf32>) -> tensor<12800xf32>

// hoplen is n_fft / 4 and winlen n_fft unless they are given; pads are reflections.
// CHECK-NEXT: %defaults = ncnn.spectrogram %samples {name = "defaults", n_fft = 512} : (tensor<16000xf32>) -> tensor<257x126x2xf32>
%defaults = ncnn.spectrogram %samples {name = "defaults", n_fft = 512, power = complex, hoplen = 128, winlen = 512, window_type = ones, center = 1, pad_type = reflect, normalized = no, onesided = 1} : (tensor<16000xf32>) -> tensor<257x126x2xf32>
