#include "native/code_record.h"

#include <cstring>
#include <type_traits>

namespace cutset::native {

namespace {

// One description of the bytes for both directions.
class RecordWriter {
  public:
    template <class T>
    void plain(T& v) {
        out.append(reinterpret_cast<const char*>(&v), sizeof v);
    }
    template <class T>
    void numbers(std::vector<T>& v) {
        count(v);
        out.append(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T));
    }
    template <class T>
    void count(std::vector<T>& v) {
        std::uint64_t n = v.size();
        plain(n);
    }
    std::string out;
};

class RecordReader {
  public:
    explicit RecordReader(std::string_view from) : left(from) {}
    template <class T>
    void plain(T& v) {
        take(&v, sizeof v);
    }
    template <class T>
    void numbers(std::vector<T>& v) {
        count(v);
        take(v.data(), v.size() * sizeof(T));
    }
    template <class T>
    void count(std::vector<T>& v) {
        std::uint64_t n = 0;
        plain(n);
        if (n > left.size()) {
            good = false;
            n = 0;
        }
        v.resize(n);
    }
    std::string_view left;
    bool good = true;

  private:
    void take(void* to, std::size_t n) {
        if (n > left.size()) {
            good = false;
            return;
        }
        if (n > 0) std::memcpy(to, left.data(), n);
        left.remove_prefix(n);
    }
};

template <class Way>
void put(Way& way, CodeRecord& record) {
    way.count(record.sections);
    for (RecordedSection& section : record.sections) {
        way.plain(section.number);
        way.plain(section.scratch);
        way.count(section.steps);
        for (RecordedStep& step : section.steps) {
            way.plain(step.key);
            way.plain(step.count);
            way.numbers(step.places);
            way.numbers(step.table);
        }
    }
    way.count(record.functions);
    for (RecordedFunction& function : record.functions) {
        way.plain(function.callee);
        way.plain(function.kind);
        way.plain(function.careful);
        way.plain(function.places);
        way.plain(function.key);
        way.numbers(function.called);
    }
}

}  // namespace

std::string CodeRecord::archive() const {
    RecordWriter writer;
    put(writer, const_cast<CodeRecord&>(*this));  // writing changes nothing
    return std::move(writer.out);
}

std::optional<CodeRecord> CodeRecord::unarchive(std::string_view bytes) {
    RecordReader reader(bytes);
    CodeRecord record;
    put(reader, record);
    if (!reader.good || !reader.left.empty()) return std::nullopt;
    return record;
}

}  // namespace cutset::native
