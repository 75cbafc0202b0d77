#include "message.h"

#include <cstdlib>
#include <cstring>

#include "facts.h"
#include "model.h"

static void end(const char *reason)
{
    fprintf(stderr, "%s\n", reason);
    _Exit(1);
}

// Return the blob whose bytes are next.
static ncnn::Mat read_blob(const std::vector<Value> &extents, const std::string &type,
                           FILE *requests)
{
    std::vector<int> n;
    for (const Value &each : extents) n.push_back((int)each.number);
    ncnn::Mat m;
    switch (n.size()) {
    case 1: m.create(n[0]); break;
    case 2: m.create(n[1], n[0]); break;
    case 3: m.create(n[2], n[1], n[0]); break;
    case 4: m.create(n[3], n[2], n[1], n[0]); break;
    default: end("an array that has not 1 to 4 axes");
    }
    if (type != "<f4") end("an array that is not float32");
    const size_t each = (size_t)m.w * m.h * m.d;
    for (int q = 0; q < m.c; q++)
        if (fread(m.channel(q).data, 4, each, requests) != each) end("an incomplete array");
    return m;
}

// Reads the JSON of a line.
class Reader {
public:
    Reader(const std::string &line, FILE *requests) : at_(line.c_str()), requests_(requests) {}

    Value value();

private:
    bool takes(char c)
    {
        while (*at_ == ' ') at_++;
        if (*at_ != c) return false;
        at_++;
        return true;
    }
    void expect(char c)
    {
        if (!takes(c)) end("a request that is no JSON");
    }
    std::string text();

    const char *at_;
    FILE *requests_;
};

// Read the rest of a text. Only characters of ASCII are written as numbers.
std::string Reader::text()
{
    std::string found;
    for (; *at_ && *at_ != '"'; at_++) {
        if (*at_ != '\\') {
            found += *at_;
            continue;
        }
        const char *escaped = *++at_ ? strchr("b\bf\fn\nr\rt\t", *at_) : nullptr;
        if (*at_ != 'u') {
            found += escaped ? escaped[1] : *at_;
        } else {
            const std::string digits(at_ + 1, strnlen(at_ + 1, 4));
            found += (char)strtoul(digits.c_str(), nullptr, 16);
            at_ += digits.size();
        }
    }
    expect('"');
    return found;
}

Value Reader::value()
{
    Value found;
    if (takes('"')) {
        found.text = text();
    } else if (takes('[')) {
        if (takes(']')) return found;
        do found.items.push_back(value());
        while (takes(','));
        expect(']');
    } else if (takes('{')) {
        if (takes('}')) return found;
        do {
            expect('"');
            const std::string name = text();
            expect(':');
            found.fields[name] = value();
        } while (takes(','));
        expect('}');
        const auto extents = found.fields.find("array"), type = found.fields.find("type");
        if (extents != found.fields.end() && !extents->second.items.empty() &&
            type != found.fields.end() && !type->second.text.empty())
            found.blob = read_blob(extents->second.items, type->second.text, requests_);
    } else {
        char *behind;
        found.number = strtod(at_, &behind);
        if (behind == at_) end("a request that is no JSON");
        at_ = behind;
    }
    return found;
}

bool receive(FILE *requests, Value &request)
{
    std::string line;
    for (int c; (c = getc(requests)) != '\n'; line += (char)c)
        if (c == EOF) return false;
    request = Reader(line, requests).value();
    return true;
}

void send(FILE *answers, const Answer &answer)
{
    fprintf(answers, "%s\n", answer.json.c_str());
    fwrite(answer.bytes.data(), 1, answer.bytes.size(), answers);
    fflush(answers);
}

void append(Answer &answer, const ncnn::Mat &m)
{
    std::vector<int> extents;
    if (m.empty()) extents.push_back(0);
    if (m.dims > 2) extents.push_back(m.c);
    if (m.dims > 3) extents.push_back(m.d);
    if (m.dims > 1) extents.push_back(m.h);
    if (!m.empty()) extents.push_back(m.w);
    answer.json += "{\"array\":" + listed(extents) + ",\"type\":\"<f4\"}";
    if (m.empty()) return;
    if (m.elempack != 1 || m.elemsize != 4) throw Refusal("an output is not float32");
    for (int q = 0; q < m.c; q++)
        answer.bytes.append((const char *)m.channel(q).data, (size_t)m.w * m.h * m.d * 4);
}
