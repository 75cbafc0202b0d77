// Runs a model in ncnn, one thread, and says when a run begins and ends.
//
//     runner MODEL.param MODEL.bin RESULT single|half [BLOB EXTENTS FILE]...
//
// EXTENTS are those of an input, outermost first ("3,224,224"), FILE has its elements, of 4 bytes
// each. RESULT gets a line "BLOB EXTENTS" for each output and its elements behind it. "single" keeps
// blobs and weights in float32, "half" is what ncnn does by default.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

#include <net.h>

static const int FIRST = 5; // of the words about inputs

static void mark() { (void)getppid(); } // the plugin listens to it

static void fail(const std::string &what)
{
    fprintf(stderr, "runner: %s\n", what.c_str());
    exit(1);
}

static ncnn::Mat blob_of(const char *extents, const char *file)
{
    std::vector<int> n;
    for (const char *at = extents; *at;) {
        char *end;
        n.push_back((int)strtol(at, &end, 10));
        at = *end ? end + 1 : end;
    }
    ncnn::Mat flat;
    switch (n.size()) {
    case 1: flat.create(n[0]); break;
    case 2: flat.create(n[1], n[0]); break;
    case 3: flat.create(n[2], n[1], n[0]); break;
    case 4: flat.create(n[3], n[2], n[1], n[0]); break;
    default: fail(std::string("extents ") + extents);
    }
    FILE *f = fopen(file, "rb");
    if (!f) fail(std::string("no file ") + file);
    const size_t each = (size_t)flat.w * flat.h * flat.d;
    for (int q = 0; q < flat.c; q++) // (channels have gaps between them)
        if (fread(flat.channel(q).data, 4, each, f) != each) fail(std::string("short ") + file);
    fclose(f);
    return flat;
}

static void write(FILE *f, const char *name, const ncnn::Mat &m)
{
    if (m.elempack != 1 || m.elemsize != 4) fail(std::string("packed output ") + name);
    fprintf(f, "%s", name);
    const int all[4] = {m.c, m.d, m.h, m.w};
    const bool there[4] = {m.dims > 2, m.dims > 3, m.dims > 1, true};
    for (int i = 0; i < 4; i++)
        if (there[i]) fprintf(f, " %d", all[i]);
    fprintf(f, "\n");
    for (int q = 0; q < m.c; q++)
        fwrite(m.channel(q).data, 4, (size_t)m.w * m.h * m.d, f);
}

int main(int count, char **words)
{
    if (count < FIRST || (count - FIRST) % 3)
        fail("MODEL.param MODEL.bin RESULT single|half [BLOB EXTENTS FILE]...");
    const bool half = !strcmp(words[4], "half");
    ncnn::Net net;
    net.opt.num_threads = 1;
    net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = half;
    net.opt.use_bf16_storage = false;
    if (net.load_param(words[1]) || net.load_model(words[2])) fail("the model does not load");
    std::vector<ncnn::Mat> inputs, outputs;
    for (int i = FIRST; i < count; i += 3) inputs.push_back(blob_of(words[i + 1], words[i + 2]));

    mark();
    ncnn::Extractor ex = net.create_extractor();
    for (size_t i = 0; i < inputs.size(); i++) ex.input(words[FIRST + 3 * i], inputs[i]);
    for (const char *name : net.output_names()) {
        ncnn::Mat output;
        if (ex.extract(name, output)) fail(std::string("no output ") + name);
        outputs.push_back(output);
    }
    mark();

    FILE *f = fopen(words[3], "wb");
    if (!f) fail(std::string("cannot write ") + words[3]);
    for (size_t i = 0; i < outputs.size(); i++) write(f, net.output_names()[i], outputs[i]);
    fclose(f);
    return 0;
}
