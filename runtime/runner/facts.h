// Facts about the device as JSON, from /proc and /sys.

#ifndef NCNN_OPT_FACTS_H
#define NCNN_OPT_FACTS_H

#include <string>
#include <vector>

struct Cluster {
    std::vector<int> cpus;
    double max_mhz;
    std::string governor;
};

// A string as JSON.
std::string quoted(const std::string &text);

// Numbers as JSON.
std::string listed(const std::vector<int> &numbers);
std::string listed(const std::vector<double> &numbers);

// The processors that this process may use, in groups of equal speed, the fastest first.
std::vector<Cluster> clusters();

// The least current frequency of these processors in MHz; 0 if the system reports none.
double frequency(const std::vector<int> &cpus);

// All facts, as a JSON object.
std::string facts();

#endif
