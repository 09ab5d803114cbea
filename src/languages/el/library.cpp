#include "languages/el/library.h"

#include "languages/el/messages.h"

namespace cutset::el {

namespace {

template <class T>
void put(std::map<std::string, const T*>& there, const T& what, Diagnostics& diagnostics) {
    const auto [at, is_new] = there.emplace(what.name, &what);
    if (!is_new) diagnostics.report(declared_twice(what.where, what.name, at->second->where));
}

}  // namespace

const Component* Library::component(const std::string& name) const {
    const auto at = components.find(name);
    return at == components.end() ? nullptr : at->second;
}

std::vector<std::string> Library::component_names(bool ports) const {
    std::vector<std::string> out;
    for (const auto& [name, c] : components)
        if (c->is_port == ports) out.push_back(name);
    return out;
}

Library make_library(const std::vector<File>& files, Diagnostics& diagnostics) {
    Library out;
    out.names.insert("MATH");
    for (const File& f : files) {
        if (!f.library.empty()) out.names.insert(f.library);
        for (const LibraryUse& u : f.uses) out.names.insert(u.name);
        for (const Component& c : f.components) put(out.components, c, diagnostics);
        for (const Function& c : f.functions) put(out.functions, c, diagnostics);
        for (const Enumeration& c : f.enumerations) put(out.enumerations, c, diagnostics);
        for (const Declaration& c : f.constants) put(out.constants, c, diagnostics);
    }
    return out;
}

std::string without_library(const Library& library, const std::string& name) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos || !library.names.contains(name.substr(0, dot))) return name;
    return name.substr(dot + 1);
}

}  // namespace cutset::el
