// No journal crashes a sweep that goes on from it.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "operations/ensembles/sweep.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    static const std::string folder = [] {
        char name[] = "/tmp/cutset-fuzz-XXXXXX";
        return std::string(mkdtemp(name));
    }();
    std::ofstream(folder + "/sweep.jsonl", std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
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
