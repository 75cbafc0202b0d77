"""A model and what an optimizer made of it, for the tests of reports."""

BEFORE = """7767517
9 10
Input data 0 1 data 0=8 1=8 2=3
Convolution conv 1 1 data conv 0=4 1=3 4=1 6=108
BatchNorm bn 1 1 conv bn 0=4
ReLU relu 1 1 bn relu
Split split 1 2 relu relu_a relu_b
Dropout drop 1 1 relu_a drop
BinaryOp add 2 1 drop relu_b add 0=0
Pooling pool 1 1 add pool 0=1 4=1
InnerProduct fc 1 1 pool prob 0=5 1=1 2=20
"""
AFTER = """7767517
7 8
Input data 0 1 data 0=8 1=8 2=3
Convolution conv 1 1 data relu 0=4 1=3 4=1 5=1 6=108 9=1
Split splitncnn_0 1 2 relu relu_0 relu_1
BinaryOp add 2 1 relu_0 relu_1 add 0=0
Pooling pool 1 1 add pool 0=1 4=1
Swish new 1 1 pool new
InnerProduct fc 1 1 new prob 0=5 1=1 2=20
"""
