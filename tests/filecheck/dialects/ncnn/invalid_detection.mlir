// RUN: INVALID

%x = "test.op"() : () -> tensor<8x19x19xf32>
// CHECK: PriorBox 'prior': give image_width and image_height, or an image
%y = ncnn.priorbox %x {name = "prior", min_sizes = [60.0], max_sizes = [111.0], image_width = -233, image_height = -233} : (tensor<8x19x19xf32>) -> tensor<2x2888xf32>

// -----

%x = "test.op"() : () -> tensor<8x19x19xf32>
// CHECK: PriorBox 'prior': 2 min_sizes, but 1 max_sizes
%y = ncnn.priorbox %x {name = "prior", min_sizes = [60.0, 90.0], max_sizes = [111.0], image_width = 300, image_height = 300} : (tensor<8x19x19xf32>) -> tensor<2x4332xf32>

// -----

%x, %y = "test.op"() : () -> (tensor<18x14x14xf32>, tensor<36x14x14xf32>)
// CHECK: Proposal 'proposal': 2 inputs, but the layer has 3
%z = ncnn.proposal %x, %y {name = "proposal"} : (tensor<18x14x14xf32>, tensor<36x14x14xf32>) -> tensor<?x1x4xf32>

// -----

%x = "test.op"() : () -> tensor<4332xf32>
// CHECK: DetectionOutput 'detections': 1 inputs, but the layer has 3
%z = ncnn.detectionoutput %x {name = "detections", num_class = 21} : (tensor<4332xf32>) -> tensor<?x6xf32>

// -----

%x = "test.op"() : () -> tensor<75x13x13xf32>
// CHECK: YoloDetectionOutput 'yolo': biases lack the anchor 1
%y = ncnn.yolodetectionoutput %x {name = "yolo", num_box = 2, biases = [1.0, 2.0, 3.0]} : (tensor<75x13x13xf32>) -> tensor<?x6xf32>

// -----

// 3 boxes an input; 3 anchors; a mask that goes beyond, is too short, or has too few scales.
%x = "test.op"() : () -> tensor<75x13x13xf32>
// CHECK: Yolov3DetectionOutput 'yolo': biases lack the anchor 3
%y = ncnn.yolov3detectionoutput %x {name = "yolo", num_box = 3, biases = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], mask = [1.0, 2.0, 3.0], anchors_scale = [32.0]} : (tensor<75x13x13xf32>) -> tensor<?x6xf32>

// -----

%x = "test.op"() : () -> tensor<75x13x13xf32>
// CHECK: Yolov3DetectionOutput 'yolo': mask has 2 and biases 6 elements
%y = ncnn.yolov3detectionoutput %x, %x {name = "yolo", num_box = 3, biases = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], mask = [0.0, 1.0], anchors_scale = [32.0, 16.0]} : (tensor<75x13x13xf32>, tensor<75x13x13xf32>) -> tensor<?x6xf32>

// -----

%x = "test.op"() : () -> tensor<75x13x13xf32>
// CHECK: Yolov3DetectionOutput 'yolo': mask has 2 inputs, but anchors_scale 1
%y = ncnn.yolov3detectionoutput %x, %x {name = "yolo", num_box = 3, biases = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], mask = [0.0, 1.0, 2.0, 0.0, 1.0, 2.0], anchors_scale = [32.0]} : (tensor<75x13x13xf32>, tensor<75x13x13xf32>) -> tensor<?x6xf32>

// -----

// An anchor has a width and a height.
%x = "test.op"() : () -> tensor<75x13x13xf32>
// CHECK: YoloDetectionOutput 'yolo': biases lack the anchor 0
%y = ncnn.yolodetectionoutput %x {name = "yolo", num_box = 2, biases = [1.0, 0.0, 3.0, 4.0]} : (tensor<75x13x13xf32>) -> tensor<?x6xf32>

// -----

// No anchor at all, and one for fewer inputs than there are.
%x = "test.op"() : () -> tensor<75x13x13xf32>
// CHECK: Yolov3DetectionOutput 'yolo': mask has 0 and biases 6 elements
%y = ncnn.yolov3detectionoutput %x {name = "yolo", num_box = 3, biases = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], anchors_scale = [32.0]} : (tensor<75x13x13xf32>) -> tensor<?x6xf32>

// -----

%x = "test.op"() : () -> tensor<75x13x13xf32>
// CHECK: Yolov3DetectionOutput 'yolo': mask has 1 inputs, but anchors_scale 2
%y = ncnn.yolov3detectionoutput %x, %x {name = "yolo", num_box = 3, biases = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], mask = [0.0, 1.0, 2.0], anchors_scale = [32.0, 16.0]} : (tensor<75x13x13xf32>, tensor<75x13x13xf32>) -> tensor<?x6xf32>
