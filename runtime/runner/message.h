// The messages of a session: a line of JSON, with the bytes of its arrays behind it.
// `runtime/messages.py` describes them.

#ifndef NCNN_OPT_MESSAGE_H
#define NCNN_OPT_MESSAGE_H

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <mat.h>

// A value of JSON. Of its members, one is set.
struct Value {
    double number = 0;
    std::string text;
    std::vector<Value> items;
    std::map<std::string, Value> fields;
    ncnn::Mat blob; // of `{"array": EXTENTS, "type": "<f4"}`
};

// An answer: JSON, and the bytes of its arrays.
struct Answer {
    std::string json;
    std::string bytes;
};

// Read a request; return whether there is one. End the process if it is no message: what follows it
// cannot be read, either.
bool receive(FILE *requests, Value &request);

void send(FILE *answers, const Answer &answer);

// Append a blob to an answer: float32, without packing.
void append(Answer &answer, const ncnn::Mat &blob);

#endif
