"""The audit of a model: bounds that the ncnn runtime does not check when it loads and runs a file.

`findings.audit` applies all rules. `graph` has the rules for the text and the graph of a file,
`blobs` for the shapes, sizes and elements of blobs, and `layers` for the layer types.
"""
