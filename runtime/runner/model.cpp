#include "model.h"

#include <cstdlib>
#include <cstring>
#include <ctime>

Model::Model(const std::string &param, const std::string &weights, int threads) : threads_(threads)
{
    // Pools as in ncnn's own benchmark: the heap returns freed memory unpredictably.
    net_.opt.blob_allocator = &blobs_;
    net_.opt.workspace_allocator = &workspace_;
    net_.opt.num_threads = threads;
    net_.opt.use_vulkan_compute = false;
    if (int status = net_.load_param(param.c_str()))
        throw Refusal("load_param: " + std::to_string(status));
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

std::vector<int> extents_of(const ncnn::Mat &m)
{
    if (m.empty()) return {0};
    std::vector<int> found;
    if (m.dims > 2) found.push_back(m.c);
    if (m.dims > 3) found.push_back(m.d);
    if (m.dims > 1) found.push_back(m.h);
    found.push_back(m.w);
    return found;
}

std::string bytes_of(const ncnn::Mat &m)
{
    std::string bytes;
    if (m.empty()) return bytes;
    if (m.elempack != 1 || m.elemsize != 4) throw Refusal("an output is not float32");
    for (int q = 0; q < m.c; q++)
        bytes.append((const char *)m.channel(q).data, (size_t)m.w * m.h * m.d * 4);
    return bytes;
}

ncnn::Mat blob_of(const std::string &extents, const std::string &bytes)
{
    std::vector<int> n;
    for (const char *at = extents.c_str(); *at;) {
        char *end;
        n.push_back((int)strtol(at, &end, 10));
        if (end == at) throw Refusal("extents " + extents);
        at = *end ? end + 1 : end;
    }
    ncnn::Mat m;
    switch (n.size()) {
    case 1: m.create(n[0]); break;
    case 2: m.create(n[1], n[0]); break;
    case 3: m.create(n[2], n[1], n[0]); break;
    case 4: m.create(n[3], n[2], n[1], n[0]); break;
    default: throw Refusal("extents " + extents);
    }
    const size_t each = (size_t)m.w * m.h * m.d * 4;
    if (each * m.c != bytes.size()) throw Refusal("extents " + extents + " and the data differ");
    for (int q = 0; q < m.c; q++) memcpy(m.channel(q).data, &bytes[q * each], each);
    return m;
}

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(const std::string &bytes)
{
    std::string text;
    text.reserve(bytes.size() / 3 * 4 + 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
        unsigned value = 0;
        for (size_t j = 0; j < 3; j++)
            value = value << 8 | (i + j < bytes.size() ? (unsigned char)bytes[i + j] : 0);
        for (size_t j = 0; j < 4; j++)
            text += i + j <= bytes.size() ? DIGITS[value >> (18 - 6 * j) & 63] : '=';
    }
    return text;
}

std::string unbase64(const std::string &text)
{
    signed char values[256];
    memset(values, -1, sizeof values);
    for (int i = 0; i < 64; i++) values[(unsigned char)DIGITS[i]] = (signed char)i;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    unsigned value = 0;
    int bits = 0;
    for (unsigned char c : text) {
        if (c == '=') break;
        if (values[c] < 0) throw Refusal("data that is not base64");
        value = value << 6 | (unsigned)values[c];
        bits += 6;
        if (bits >= 8) bytes += (char)(value >> (bits -= 8) & 255);
    }
    return bytes;
}
