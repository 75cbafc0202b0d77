#include "facts.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cpu.h>
#include <platform.h>

static const std::string CPUS = "/sys/devices/system/cpu/cpu";

static std::string read(const std::string &path)
{
    std::string text;
    FILE *f = fopen(path.c_str(), "rb");
    if (!f) return text;
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) text.append(part, n);
    fclose(f);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\0' || text.back() == ' '))
        text.pop_back();
    return text;
}

static double number(const std::string &path) { return atof(read(path).c_str()); }

static std::string trimmed(const std::string &text)
{
    const size_t from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t\r\n");
    return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

std::string quoted(const std::string &text)
{
    std::string result = "\"";
    for (unsigned char c : text) {
        char escaped[8];
        if (c == '"' || c == '\\') result += '\\';
        if (c < 32) {
            snprintf(escaped, sizeof escaped, "\\u%04x", c);
            result += escaped;
        } else {
            result += (char)c;
        }
    }
    return result + '"';
}

static std::string plain(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.9g", value);
    return text;
}

template <typename Numbers> static std::string joined(const Numbers &numbers)
{
    std::string result = "[";
    for (double each : numbers) result += (result.size() > 1 ? "," : "") + plain(each);
    return result + "]";
}

std::string listed(const std::vector<int> &numbers) { return joined(numbers); }
std::string listed(const std::vector<double> &numbers) { return joined(numbers); }

static std::string listed(const std::vector<std::string> &texts)
{
    std::string result = "[";
    for (const std::string &each : texts) result += (result.size() > 1 ? "," : "") + quoted(each);
    return result + "]";
}

static std::vector<int> usable()
{
    std::vector<int> found;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int i = 0; i < CPU_SETSIZE; i++)
            if (CPU_ISSET(i, &set)) found.push_back(i);
    return found;
}

std::vector<Cluster> clusters()
{
    std::map<std::pair<double, double>, Cluster> found;
    for (int cpu : usable()) {
        const std::string folder = CPUS + std::to_string(cpu);
        const double fastest = number(folder + "/cpufreq/cpuinfo_max_freq");
        Cluster &cluster = found[{-number(folder + "/cpu_capacity"), -fastest}];
        cluster.max_mhz = fastest / 1000;
        cluster.governor = read(folder + "/cpufreq/scaling_governor");
        cluster.cpus.push_back(cpu);
    }
    std::vector<Cluster> result;
    for (const auto &each : found) result.push_back(each.second);
    return result;
}

double frequency(const std::vector<int> &cpus)
{
    double least = 0;
    for (int cpu : cpus) {
        const double f = number(CPUS + std::to_string(cpu) + "/cpufreq/scaling_cur_freq") / 1000;
        if (f == 0) return 0;
        if (least == 0 || f < least) least = f;
    }
    return least;
}

static std::string temperatures()
{
    std::string result = "{";
    for (int i = 0;; i++) {
        const std::string zone = "/sys/class/thermal/thermal_zone" + std::to_string(i);
        if (access(zone.c_str(), F_OK)) break;
        const double value = number(zone + "/temp") / 1000;
        const std::string name = read(zone + "/type");
        if (value == 0) continue;
        result += (result.size() > 1 ? "," : "") + quoted(name) + ":" + plain(value);
    }
    return result + "}";
}

std::string facts()
{
    std::map<std::string, std::string> fields;
    std::vector<std::string> parts, features;
    std::string text = read("/proc/cpuinfo") + "\n";
    for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
        const std::string line = text.substr(at, end - at);
        const size_t colon = line.find(':');
        if (colon == std::string::npos) continue;
        const std::string name = trimmed(line.substr(0, colon));
        const std::string value = trimmed(line.substr(colon + 1));
        fields.insert({name, value});
        if (name == "CPU part") parts.push_back(value);
    }
    std::string flags = fields.count("flags") ? fields["flags"] : fields["Features"];
    for (char *word = strtok(&flags[0], " "); word; word = strtok(nullptr, " "))
        features.push_back(word);
    const std::string cpu = fields.count("model name") ? fields["model name"] : fields["Hardware"];
    utsname name;
    uname(&name);
    long kilobytes = 0;
    sscanf(read("/proc/meminfo").c_str(), "MemTotal: %ld", &kilobytes);
    std::string groups = "[";
    for (const Cluster &each : clusters())
        groups += std::string(groups.size() > 1 ? "," : "") + "{\"cpus\":" + listed(each.cpus) +
                  ",\"max_mhz\":" + plain(each.max_mhz) +
                  ",\"governor\":" + quoted(each.governor) + "}";
#if defined(__aarch64__) || defined(__arm__)
    const bool half = ncnn::cpu_support_arm_vfpv4();
#else
    const bool half = false;
#endif
    return "{\"arch\":" + quoted(name.machine) + ",\"cpu\":" + quoted(cpu) +
           ",\"parts\":" + listed(parts) +
           ",\"board\":" + quoted(read("/proc/device-tree/model")) +
           ",\"features\":" + listed(features) + ",\"clusters\":" + groups + "]" +
           ",\"memory_mb\":" + std::to_string(kilobytes / 1024) +
           ",\"temperature\":" + temperatures() + ",\"ncnn\":" + quoted(NCNN_VERSION_STRING) +
           ",\"precision\":" + quoted(half ? "float16" : "float32") + "}";
}
