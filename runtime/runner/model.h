// A loaded model, and its runs.

#ifndef NCNN_OPT_MODEL_H
#define NCNN_OPT_MODEL_H

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <net.h>

// A request that fails.
struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

typedef std::map<std::string, ncnn::Mat> Blobs;

class Model {
public:
    Model(const std::string &param, const std::string &weights, int threads);

    // The outputs, in float32 and without packing.
    std::vector<std::pair<std::string, ncnn::Mat>> run(const Blobs &inputs);

    // The time of a run from inputs to outputs in milliseconds.
    double time(const Blobs &inputs);

    // The times of the layers that make these blobs, -1 for a failure.
    std::vector<double> time_layers(const Blobs &inputs, const std::vector<std::string> &blobs);

private:
    double now() const;
    ncnn::Extractor extractor(const Blobs &inputs);

    ncnn::UnlockedPoolAllocator blobs_;
    ncnn::PoolAllocator workspace_;
    ncnn::Net net_;
    int threads_;
};

#endif
