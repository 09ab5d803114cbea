#include "translate/external_system.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "translate/messages.h"

namespace cutset {

namespace fs = std::filesystem;

namespace {

std::optional<SystemRole> role_named(const std::string& word) {
    static constexpr std::pair<const char*, SystemRole> roles[] = {
        {"input", SystemRole::Input},      {"output", SystemRole::Output},  {"state", SystemRole::State},
        {"init", SystemRole::Initial},     {"der", SystemRole::Derivative}, {"new", SystemRole::New},
        {"tsamp", SystemRole::SampleTime}, {"par", SystemRole::Parameter},  {"var", SystemRole::Auxiliary}};
    for (const auto& [name, role] : roles)
        if (word == name) return role;
    return std::nullopt;
}

// Something that is not allowed in what the system declares; empty when all is well.
std::string mistake(const simnon::System& s) {
    const auto count = [&](SystemRole role) {
        std::size_t n = 0;
        for (const simnon::SystemVariable& v : s.variables) n += v.role == role;
        return n;
    };
    const bool discrete = s.kind == SystemKind::Discrete;
    const std::size_t states = count(SystemRole::State), inits = count(SystemRole::Initial);
    if (count(discrete ? SystemRole::Derivative : SystemRole::New) > 0)
        return discrete ? "a discrete system has NEW variables, not DER"
                        : "a continuous system has DER variables, not NEW";
    if (count(discrete ? SystemRole::New : SystemRole::Derivative) != states)
        return std::string("there must be as many ") + (discrete ? "NEW" : "DER") + " as STATE variables";
    if (inits != 0 && inits != states) return "there must be as many INIT as STATE variables, or none";
    if (count(SystemRole::SampleTime) != (discrete ? 1 : 0))
        return discrete ? "a discrete system has one TSAMP variable"
                        : "a continuous system has no TSAMP variable";
    return "";
}

}  // namespace

std::optional<simnon::System> describe_external_system(const std::string& path, SourceId source, Span from,
                                                       Diagnostics& diagnostics) {
    const auto fail = [&](const std::string& why) {
        diagnostics.report(translate_messages::bad_external_system(from, path, why));
        return std::nullopt;
    };
    std::error_code ec;
    const std::string full = fs::absolute(path, ec).string();
    // Stays loaded: its variables last as long as the program.
    void* handle = dlopen(full.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle) {
        const char* why = dlerror();
        return fail(why ? why : "it cannot be loaded");
    }
    using Describe = const char* (*)();
    const auto describe = reinterpret_cast<Describe>(dlsym(handle, "cutset_system_describe"));
    const std::string text = describe ? describe() : "";
    dlclose(handle);
    if (!describe) return fail("it has no CUTSET_SYSTEM(…)");

    simnon::System system;
    system.library = full;
    system.where = system.whole = system.end = {source, 0, 0};
    std::istringstream lines(text);
    std::string type, line;
    lines >> type >> system.name;
    if (type == "problem") return fail(text.substr(8));
    const std::string upper = simnon::upper(type);
    if (!upper.starts_with("CONT") && !upper.starts_with("DISCR"))
        return fail("its part 1 must call cutset_ident(\"CONT\", name) or cutset_ident(\"DISCR\", name)");
    system.kind = upper[0] == 'C' ? SystemKind::Continuous : SystemKind::Discrete;
    const auto good = [](const std::string& name) {
        if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
        for (char c : name)
            if (!(std::isalnum(static_cast<unsigned char>(c)) || c == '_')) return false;
        return true;
    };
    if (!good(system.name)) return fail("its name is not a name: " + system.name);
    std::string word, name, value;
    while (lines >> word >> name >> value) {
        const auto role = role_named(word);
        if (!role || !good(name)) return fail("it declares a variable with a bad name: " + name);
        if (const auto same = system.find(name); same && system.variables[*same].name == name)
            return fail("it declares " + name + " twice");
        if (name == "LSTOP" || name == "LDARK") return fail(name + " is the name of a flag of the system");
        simnon::SystemVariable v;
        v.name = name;
        v.where = system.where;
        v.role = *role;
        if (*role == SystemRole::Parameter || *role == SystemRole::Initial)
            v.constant = std::strtod(value.c_str(), nullptr);
        system.add(std::move(v));
    }
    if (const std::string wrong = mistake(system); !wrong.empty()) return fail(wrong);
    return system;
}

void end_external_systems(const ClassTree& classes) {
    std::set<std::string> done;
    for (const auto& file : classes.files)
        for (const auto& c : file->classes)
            for (const tree::Item& item : c->items) {
                const auto* f = std::get_if<std::shared_ptr<tree::Function>>(&item.what);
                if (!f || !(*f)->external || (*f)->external->symbol != "cutset_system_compute") continue;
                if (!done.insert((*f)->external->library).second) continue;
                void* handle = dlopen((*f)->external->library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
                if (!handle) continue;
                using Final = void (*)();
                if (const auto final = reinterpret_cast<Final>(dlsym(handle, "cutset_system_final"))) final();
                dlclose(handle);
            }
}

}  // namespace cutset
