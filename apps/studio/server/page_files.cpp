#include "page_files.h"

#include <filesystem>

#include "base/source.h"

namespace cutset::studio {

namespace {

// build/studio beside build/PRESET/cutset, share/cutset/studio where it is installed.
std::string page_folder() {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error) return "";
    for (fs::path folder = program.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
        for (const char* place : {"studio", "share/cutset/studio"})
            if (fs::exists(folder / place / "index.html", error) &&
                fs::exists(folder / place / "studio.js", error))
                return (folder / place).string();
    return "";
}

}  // namespace

std::optional<PageFiles> load_page() {
    struct Name {
        const char *target, *file, *type;
    };
    constexpr Name names[] = {{"/", "index.html", "text/html; charset=utf-8"},
                              {"/studio.js", "studio.js", "text/javascript; charset=utf-8"},
                              {"/studio.css", "studio.css", "text/css; charset=utf-8"},
                              {"/chunk.js", "chunk.js", "text/javascript; charset=utf-8"},
                              {"/editor.js", "editor.js", "text/javascript; charset=utf-8"}};
    const std::string folder = page_folder();
    if (folder.empty()) return std::nullopt;
    PageFiles out;
    for (const Name& name : names) {
        std::string problem;
        auto bytes = read_file(folder + "/" + name.file, problem, InputKind::FileOnly);
        if (!bytes) return std::nullopt;
        out[name.target] = {name.type, std::move(*bytes)};
    }
    return out;
}

}  // namespace cutset::studio
