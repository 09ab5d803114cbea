// No journal crashes a sweep that goes on from it. Lines get the checksum that is missing, so that they are
// believed; those that have one stay.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "base/fingerprint.h"
#include "operations/ensembles/sweep.h"

namespace {

std::string with_checksums(const std::string& text) {
    std::istringstream lines(text);
    std::string journal;
    for (std::string line; std::getline(lines, line);) {
        const bool has = line.find("\"sum\":") != std::string::npos;
        if (!has && line.size() > 2 && line.back() == '}')
            line = line.substr(0, line.size() - 1) + ",\"sum\":\"" + cutset::fingerprint(line).text() + "\"}";
        journal += line + "\n";
    }
    return journal;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    static const std::string folder = [] {
        char name[] = "/tmp/cutset-fuzz-XXXXXX";
        return std::string(mkdtemp(name));
    }();
    std::ofstream(folder + "/sweep.jsonl", std::ios::binary)
        << with_checksums({reinterpret_cast<const char*>(data), size});
    const Workspace workspace;
    Ensemble ensemble(workspace, "", {}, {}, {}, Engine::Interpret, {});
    CaseList list;
    list.names = {"R"};
    list.cases = {{1}, {2}, {3}};
    const std::atomic<bool> stop{true};  // nothing is run
    SweepSettings settings;
    settings.directory = folder;
    settings.columns = {{SweepColumn::Kind::Final, "x"}};
    settings.content = "fuzz";
    settings.interrupt = &stop;
    Diagnostics diagnostics;
    sweep(ensemble, list, settings, diagnostics);
    return 0;
}
