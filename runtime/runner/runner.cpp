// The runner on a device, in C++ with ncnn. It reads requests from standard input, and writes answers
// to standard output. docs/devices.md describes them, and the build. `runtime/devices/runner.py` is
// the same program in Python.

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utime.h>

#include <gpu.h>
#include <platform.h>

#include "facts.h"
#include "message.h"
#include "model.h"

static const int PROTOCOL = 2;
static const char LOCK[] = "ncnn-opt-device"; // the lock that all users of a device share
static const unsigned IDLE = 900;             // a runner without a request ends after these seconds
static const int WARM_UP = 2;                 // runs of each model before a measurement

typedef std::vector<std::string> Words;

// End the process when standard input closes, even in the middle of a run.
static void *watch_input(void *)
{
    for (;;) {
        pollfd input = {0, POLLRDHUP, 0};
        poll(&input, 1, -1);
        if (input.revents) _exit(0);
    }
}

// Take the lock of this device, which ends with the process. Abstract names (Linux, Android) need
// no file and hold for all users.
static bool take_lock()
{
    sockaddr_un address;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path + 1, LOCK, strlen(LOCK));
    const socklen_t size = (socklen_t)(offsetof(sockaddr_un, sun_path) + 1 + strlen(LOCK));
    const int lock = socket(AF_UNIX, SOCK_STREAM, 0);
    if (lock >= 0 && bind(lock, (sockaddr *)&address, size) == 0) return true;
    if (errno == EADDRINUSE) return false;
    const int file = open(".lock", O_RDWR | O_CREAT, 0600);
    return flock(file, LOCK_EX | LOCK_NB) == 0;
}

class Runner {
public:
    Runner()
    {
        for (const Cluster &each : clusters())
            cpus_.insert(cpus_.end(), each.cpus.begin(), each.cpus.end());
    }

    Answer result(const std::string &method, const std::vector<Value> &arguments);

private:
    std::string pin();
    Answer run(Model &model, const Blobs &inputs);
    std::string time(int blocks, const Blobs &inputs, const Words &keys);
    Model &model(const std::string &key);

    int threads_ = 1;
    std::map<std::string, std::unique_ptr<Model>> models_; // by key
    std::map<int, Blobs> samples_;                         // by number
    std::vector<int> cpus_;
};

Model &Runner::model(const std::string &key)
{
    if (!models_.count(key)) throw Refusal("no model '" + key + "'");
    return *models_[key];
}

// Restrict the process to the fastest cluster, if there are several.
std::string Runner::pin()
{
    const std::vector<Cluster> groups = clusters();
    if (groups.size() < 2) return "[]";
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int cpu : groups[0].cpus) CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set)) return "[]";
    cpus_ = groups[0].cpus;
    return listed(cpus_);
}

Answer Runner::run(Model &model, const Blobs &inputs)
{
    Answer result = {"{", ""};
    for (const auto &each : model.run(inputs)) {
        result.json += (result.json.size() > 1 ? "," : "") + quoted(each.first) + ":";
        append(result, each.second);
    }
    result.json += "}";
    return result;
}

// Time models in turn, in blocks of two rounds, as `paired_times/clock.py`: A B B A, then B A A B. A
// run that is not measured precedes each change of the model, because the caches contain the other
// model's data.
std::string Runner::time(int blocks, const Blobs &inputs, const Words &keys)
{
    const size_t count = keys.size();
    for (int i = 0; i < WARM_UP; i++)
        for (const std::string &key : keys) model(key).time(inputs);
    std::string result = "[";
    for (int i = 0; i < blocks; i++) {
        std::vector<std::vector<double>> times(count);
        const double before = frequency(cpus_);
        size_t last = count;
        for (size_t j = 0; j < 2 * count; j++) {
            size_t index = j < count ? j : 2 * count - 1 - j;
            if (i % 2) index = count - 1 - index;
            if (index != last) model(keys[index]).time(inputs);
            last = index;
            times[index].push_back(model(keys[index]).time(inputs));
        }
        result += i ? ",{\"ms\":[" : "{\"ms\":[";
        for (size_t j = 0; j < count; j++) result += (j ? "," : "") + listed(times[j]);
        result += "],\"mhz\":" + listed(std::vector<double>{before, frequency(cpus_)}) + "}";
    }
    return result + "]";
}

static std::string gpus()
{
    std::string result = "[";
#if NCNN_VULKAN
    for (int i = 0; i < ncnn::get_gpu_count(); i++)
        result += (i ? "," : "") + quoted(ncnn::get_gpu_info(i).device_name());
#endif
    return result + "]";
}

static Words texts(const Value &list)
{
    Words found;
    for (const Value &each : list.items) found.push_back(each.text);
    return found;
}

Answer Runner::result(const std::string &method, const std::vector<Value> &arguments)
{
    const size_t count = arguments.size();
    if (method == "facts") return {facts(), ""};
    if (method == "gpus") return {gpus(), ""};
    if (method == "pin") return {pin(), ""};
    if (method == "run" && count == 2)
        return run(model(arguments[0].text), samples_[(int)arguments[1].number]);
    if (method == "time" && count == 3) {
        const Blobs &inputs = samples_[(int)arguments[1].number];
        return {time((int)arguments[0].number, inputs, texts(arguments[2])), ""};
    }
    if (method == "layers" && count == 3) {
        Model &timed = model(arguments[0].text);
        const Blobs &inputs = samples_[(int)arguments[1].number];
        timed.time_layers(inputs, texts(arguments[2]));
        return {listed(timed.time_layers(inputs, texts(arguments[2]))), ""};
    }
    if (method == "threads" && count == 1) {
        threads_ = (int)arguments[0].number;
    } else if (method == "load" && count == 3) {
        const std::string &key = arguments[0].text;
        models_.erase(key);
        std::unique_ptr<Model> loaded(
            new Model(arguments[1].text, arguments[2].text, threads_));
        models_[key] = std::move(loaded);
        for (int i = 1; i < 3; i++) // used: it is removed later
            utime(arguments[i].text.c_str(), nullptr);
    } else if (method == "keep" && count == 2) {
        Blobs &inputs = samples_[(int)arguments[0].number];
        inputs.clear();
        for (const auto &each : arguments[1].fields) inputs[each.first] = each.second.blob;
    } else {
        throw Refusal("unknown request '" + method + "'");
    }
    return {"null", ""};
}

int main()
{
    // Standard output is for answers only. The runtime prints messages to standard error.
    FILE *answers = fdopen(dup(1), "w");
    dup2(2, 1);
    if (!take_lock()) {
        send(answers, {"{\"busy\":true}", ""});
        return 0;
    }
    pthread_t watcher;
    pthread_create(&watcher, nullptr, watch_input, nullptr);
    alarm(IDLE);
    send(answers, {"{\"protocol\":" + std::to_string(PROTOCOL) +
                       ",\"runner\":\"c++\",\"ncnn\":" + quoted(NCNN_VERSION_STRING) + "}",
                   ""});
    Runner runner;
    for (Value request; receive(stdin, request); request = Value()) {
        alarm((unsigned)request.fields["seconds"].number);
        Answer answer;
        try {
            answer = runner.result(request.fields["method"].text, request.fields["arguments"].items);
            answer.json = "{\"result\":" + answer.json + "}";
        } catch (const std::exception &e) {
            answer = {"{\"error\":" + quoted(e.what()) + "}", ""};
        }
        alarm(IDLE);
        send(answers, answer);
    }
    return 0;
}
