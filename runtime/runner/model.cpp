#include "model.h"

#include <ctime>
#include <set>

#include <layer.h>

// Whether several layers, or one layer twice, read a blob without a Split. Such a model runs only
// without light mode.
static bool lacks_split(const ncnn::Net &net)
{
    std::set<int> read;
    for (const ncnn::Layer *layer : net.layers())
        for (int blob : layer->bottoms)
            if (!read.insert(blob).second) return true;
    return false;
}

Model::Model(const std::string &param, const std::string &weights, int threads) : threads_(threads)
{
    // Pools as in ncnn's own benchmark: the heap returns freed memory unpredictably.
    net_.opt.blob_allocator = &blobs_;
    net_.opt.workspace_allocator = &workspace_;
    net_.opt.num_threads = threads;
    net_.opt.use_vulkan_compute = false;
    if (int status = net_.load_param(param.c_str()))
        throw Refusal("load_param: " + std::to_string(status));
    if (lacks_split(net_)) net_.opt.lightmode = false;
    if (int status = net_.load_model(weights.c_str()))
        throw Refusal("load_model: " + std::to_string(status));
}

double Model::now() const
{
    // With one thread, CPU time: it excludes other processes.
    timespec t;
    clock_gettime(threads_ == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec;
}

ncnn::Extractor Model::extractor(const Blobs &inputs)
{
    ncnn::Extractor ex = net_.create_extractor();
    for (const char *name : net_.input_names()) {
        const auto found = inputs.find(name);
        if (found == inputs.end()) continue;
        if (int status = ex.input(name, found->second.clone()))
            throw Refusal(std::string("input '") + name + "': " + std::to_string(status));
    }
    return ex;
}

static ncnn::Mat extract(ncnn::Extractor &ex, const char *name)
{
    ncnn::Mat output;
    if (int status = ex.extract(name, output))
        throw Refusal(std::string("extract '") + name + "': " + std::to_string(status));
    return output;
}

std::vector<std::pair<std::string, ncnn::Mat>> Model::run(const Blobs &inputs)
{
    std::vector<std::pair<std::string, ncnn::Mat>> found;
    ncnn::Extractor ex = extractor(inputs);
    for (const char *name : net_.output_names()) found.push_back({name, extract(ex, name).clone()});
    return found;
}

double Model::time(const Blobs &inputs)
{
    ncnn::Extractor ex = extractor(inputs);
    const double start = now();
    for (const char *name : net_.output_names()) extract(ex, name);
    return now() - start;
}

std::vector<double> Model::time_layers(const Blobs &inputs, const std::vector<std::string> &blobs)
{
    ncnn::Extractor ex = extractor(inputs);
    ex.set_light_mode(false);
    std::vector<double> times;
    for (const std::string &name : blobs) {
        ncnn::Mat blob;
        const double start = now();
        const int status = ex.extract(name.c_str(), blob, 1); // 1: without conversion of its layout
        times.push_back(status ? -1 : now() - start);
    }
    return times;
}
