// Arbitrary lines typed into a session, in a folder of its own. Runs stop at once, commands of the program
// are not called.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "session/session.h"

namespace {

using namespace cutset;

class Typist : public SessionHost {
  public:
    explicit Typist(const std::string& text) : lines_(text) {}
    std::optional<std::string> next() {
        std::string line;
        if (!std::getline(lines_, line)) return std::nullopt;
        return line;
    }
    void print(std::string_view) override {}
    void report(const Diagnostics& diagnostics, const Sources& sources) override {
        for (const Diagnostic& d : diagnostics.all()) render(d, sources);
    }
    std::optional<std::string> read_line(const std::string&) override { return next(); }
    void show(const Plot&, bool) override {}
    bool edit(const std::string&) override { return false; }
    int operation(const std::vector<std::string>&) override { return 0; }
    std::vector<std::string> operations() const override { return {"steady", "linearize"}; }
    std::atomic<bool>& interrupt() override { return stop_ = true, stop_; }

  private:
    std::istringstream lines_;
    std::atomic<bool> stop_{true};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const bool elsewhere = [] {
        char folder[] = "/tmp/cutset-fuzz-XXXXXX";
        return mkdtemp(folder) && chdir(folder) == 0;
    }();
    if (!elsewhere || size > 2000) return 0;
    Typist typist(std::string(reinterpret_cast<const char*>(data), size));
    Session session(typist);
    while (const auto line = typist.next()) {
        session.complete(*line, line->size());
        if (session.execute(*line) == Session::Outcome::Stop) break;
    }
    return 0;
}
