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
        bool needed;
    };
    constexpr Name names[] = {{"/", "index.html", "text/html; charset=utf-8", true},
                              {"/studio.js", "studio.js", "text/javascript; charset=utf-8", true},
                              {"/studio.css", "studio.css", "text/css; charset=utf-8", true},
                              {"/editor.js", "editor.js", "text/javascript; charset=utf-8", false}};
    const std::string folder = page_folder();
    if (folder.empty()) return std::nullopt;
    PageFiles out;
    for (const Name& name : names) {
        std::string problem;
        auto bytes = read_file(folder + "/" + name.file, problem, InputKind::FileOnly);
        if (!bytes && name.needed) return std::nullopt;
        if (bytes) out[name.target] = {name.type, std::move(*bytes)};
    }
    return out;
}

}  // namespace cutset::studio
