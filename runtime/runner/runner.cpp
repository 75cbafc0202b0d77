// The runner on a device, in C++ with ncnn. A request is a line of words on standard input; an
// answer is a line of JSON on standard output. docs/devices.md describes the protocol and the
// build. `runtime/devices/runner.py` is the same program in Python.

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sstream>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utime.h>

#include <gpu.h>
#include <platform.h>

#include "facts.h"
#include "model.h"

static const int PROTOCOL = 1;
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

    std::string answer(const Words &words);
    unsigned seconds() const { return seconds_; }

private:
    std::string pin();
    std::string run(Model &model);
    std::string time(int blocks, const Words &slots);
    std::string layers(Model &model, const Words &blobs);
    Model &model(const std::string &slot);

    unsigned seconds_ = 60;
    int threads_ = 1;
    std::map<std::string, std::unique_ptr<Model>> models_;
    Blobs inputs_;
    std::vector<int> cpus_;
};

Model &Runner::model(const std::string &slot)
{
    if (!models_.count(slot)) throw Refusal("no model in slot '" + slot + "'");
    return *models_[slot];
}

// Restrict the process to the fastest cluster, if there are several.
std::string Runner::pin()
{
    const std::vector<Cluster> groups = clusters();
    if (groups.size() < 2) return "{\"cpus\":[]}";
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int cpu : groups[0].cpus) CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set)) return "{\"cpus\":[]}";
    cpus_ = groups[0].cpus;
    return "{\"cpus\":" + listed(cpus_) + "}";
}

std::string Runner::run(Model &model)
{
    std::string result = "{\"outputs\":{";
    for (const auto &each : model.run(inputs_))
        result += (result.back() == '{' ? "" : ",") + quoted(each.first) +
                  ":{\"shape\":" + listed(extents_of(each.second)) +
                  ",\"data\":" + quoted(base64(bytes_of(each.second))) + "}";
    return result + "}}";
}

// Time models in turn, in blocks of two rounds, as `paired_times/clock.py`: A B B A, then B A A B. A
// run that is not measured precedes each change of the model, because the caches contain the other
// model's data.
std::string Runner::time(int blocks, const Words &slots)
{
    const size_t count = slots.size();
    for (int i = 0; i < WARM_UP; i++)
        for (const std::string &slot : slots) model(slot).time(inputs_);
    std::string result = "{\"blocks\":[";
    for (int i = 0; i < blocks; i++) {
        std::vector<std::vector<double>> times(count);
        const double before = frequency(cpus_);
        size_t last = count;
        for (size_t j = 0; j < 2 * count; j++) {
            size_t index = j < count ? j : 2 * count - 1 - j;
            if (i % 2) index = count - 1 - index;
            if (index != last) model(slots[index]).time(inputs_);
            last = index;
            times[index].push_back(model(slots[index]).time(inputs_));
        }
        result += i ? ",{\"ms\":[" : "{\"ms\":[";
        for (size_t j = 0; j < count; j++) result += (j ? "," : "") + listed(times[j]);
        result += "],\"mhz\":" + listed(std::vector<double>{before, frequency(cpus_)}) + "}";
    }
    return result + "]}";
}

std::string Runner::layers(Model &model, const Words &blobs)
{
    model.time_layers(inputs_, blobs);
    return "{\"ms\":" + listed(model.time_layers(inputs_, blobs)) + "}";
}

static std::string gpus()
{
    std::string result = "{\"gpus\":[";
#if NCNN_VULKAN
    for (int i = 0; i < ncnn::get_gpu_count(); i++)
        result += (i ? "," : "") + quoted(ncnn::get_gpu_info(i).device_name());
#endif
    return result + "]}";
}

std::string Runner::answer(const Words &words)
{
    const std::string name = words.empty() ? "" : words[0];
    const size_t count = words.size();
    if (name == "facts") return facts();
    if (name == "gpus") return gpus();
    if (name == "pin") return pin();
    if (name == "limit" && count == 2)
        seconds_ = (unsigned)std::stoul(words[1]);
    else if (name == "threads" && count == 2)
        threads_ = std::stoi(words[1]);
    else if (name == "load" && count == 4) {
        models_.erase(words[1]);
        models_[words[1]].reset(new Model(words[2], words[3], threads_));
        for (int i = 2; i < 4; i++) utime(words[i].c_str(), nullptr); // used: it is removed later
    } else if (name == "input" && count == 4)
        inputs_[words[1]] = blob_of(words[2], unbase64(words[3]));
    else if (name == "run" && count == 2)
        return run(model(words[1]));
    else if (name == "time" && count >= 3)
        return time(std::stoi(words[1]), Words(words.begin() + 2, words.end()));
    else if (name == "layers" && count >= 2)
        return layers(model(words[1]), Words(words.begin() + 2, words.end()));
    else
        throw Refusal("unknown request '" + name + "'");
    return "{}";
}

static void send(FILE *answers, const std::string &answer)
{
    fprintf(answers, "%s\n", answer.c_str());
    fflush(answers);
}

static bool read_line(std::string &line)
{
    line.clear();
    for (int c; (c = getchar()) != EOF;) {
        if (c == '\n') return true;
        line += (char)c;
    }
    return false;
}

int main()
{
    // Standard output is for answers only. The runtime prints messages to standard error.
    FILE *answers = fdopen(dup(1), "w");
    dup2(2, 1);
    if (!take_lock()) {
        send(answers, "{\"busy\":true}");
        return 0;
    }
    pthread_t watcher;
    pthread_create(&watcher, nullptr, watch_input, nullptr);
    alarm(IDLE);
    send(answers, "{\"protocol\":" + std::to_string(PROTOCOL) +
                      ",\"runner\":\"c++\",\"ncnn\":" + quoted(NCNN_VERSION_STRING) + "}");
    Runner runner;
    for (std::string line, word; read_line(line);) {
        Words words;
        for (std::istringstream stream(line); stream >> word;) words.push_back(word);
        alarm(runner.seconds());
        std::string answer;
        try {
            answer = runner.answer(words);
        } catch (const std::exception &e) {
            answer = "{\"error\":" + quoted(e.what()) + "}";
        }
        alarm(IDLE);
        send(answers, answer);
    }
    return 0;
}
