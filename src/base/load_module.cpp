#include "base/load_module.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

namespace cutset {

std::string module_path(const std::string& name) {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return "";
    std::string folder(path, static_cast<std::size_t>(length));
    folder.resize(folder.rfind('/'));
    for (const char* where : {"/", "/../lib/cutset/", folder.ends_with("/tests/unit") ? "/../../" : "/"}) {
        const std::string file = fmt::format("{}{}{}", folder, where, name);
        if (access(file.c_str(), R_OK) == 0) return file;
    }
    return "";
}

void* load_from_module(const std::string& name, const char* function, std::string& problem) {
    const std::string file = module_path(name);
    if (file.empty()) {
        problem = name + " is not beside the program";
        return nullptr;
    }
    void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        problem = dlerror();
        return nullptr;
    }
    void* found = dlsym(module, function);
    if (!found) problem = module_of_another_version(name);
    return found;
}

std::string module_of_another_version(const std::string& name) {
    return name + " belongs to another version of the program";
}

}  // namespace cutset
