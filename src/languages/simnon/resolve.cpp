#include <algorithm>
#include <map>
#include <set>

#include "languages/simnon/lower.h"
#include "languages/simnon/messages.h"
#include "languages/simnon/walk.h"

namespace cutset::simnon {

namespace {

class Resolver {
  public:
    Resolver(System& connecting, std::vector<System>& systems, const FindModel& find_model,
             Diagnostics& diagnostics)
        : connecting_(connecting), systems_(systems), find_model_(find_model), diagnostics_(diagnostics) {
        for (std::size_t i = 0; i < systems.size(); ++i) by_letters_.emplace(upper(systems[i].name), i);
    }

    void run() {
        names_of_systems(connecting_);
        for (System& s : systems_) names_of_systems(s);
        connect();
        for (System& s : systems_)
            if (s.kind == SystemKind::Discrete) modify(s);
        check_inputs();
    }

  private:
    void fail(Diagnostic d) { diagnostics_.report(std::move(d)); }

    System* find(std::string_view name) {
        const auto found = by_letters_.find(upper(name));
        return found == by_letters_.end() ? nullptr : &systems_[found->second];
    }

    std::string model(const std::string& name) const {
        const auto found = models_.find(upper(name));
        return found == models_.end() ? name : found->second;
    }

    void names_of_systems(System& s) {
        for (System::Reference& r : s.systems) {
            if (const System* other = find(r.name)) {
                r.name = other->name;
            } else if (const std::string model = find_model_(r.name); !model.empty()) {
                models_.emplace(upper(r.name), model);
                r.name = model;
            } else if (missing_.insert(upper(r.name)).second) {
                std::vector<std::string> names;
                for (const System& o : systems_) names.push_back(o.name);
                fail(unknown_system(r.where, r.name, nearest_name(r.name, names), ""));
            }
        }
        for (SystemAssignment& a : s.assignments)
            change_references(a.value, [&](tree::Reference& r) { reference(r); });
    }

    // SYSTEM.v
    void reference(tree::Reference& r) {
        if (r.parts.size() != 2) return;
        const System* other = find(r.parts[0].name);
        if (!other) {
            r.parts[0].name = model(r.parts[0].name);
            return;
        }
        r.parts[0].name = other->name;
        const SystemVariable* v = variable(*other, r.parts[1].name, r.parts[1].where);
        if (!v) return;
        if (v->role == SystemRole::Time) {
            r.parts.erase(r.parts.begin() + 1);
            r.parts[0].name = "time";
        } else {
            r.parts[1].name = v->name;
        }
    }

    const SystemVariable* variable(const System& s, std::string_view name, Span where) {
        if (const auto found = s.find(name)) return &s.variables[*found];
        if (!s.complete) return nullptr;  // it may be missing because of another error
        if (s.ambiguous(name)) {
            fail(ambiguous_name(where, name));
            return nullptr;
        }
        std::vector<std::string> names;
        for (const SystemVariable& v : s.variables) names.push_back(v.name);
        fail(unknown_variable(where, name, s, nearest_name(name, names)));
        return nullptr;
    }

    void connect() {
        std::map<std::pair<std::string, std::string>, Span> first;
        for (SystemAssignment& a : connecting_.assignments) {
            if (a.system.empty()) continue;
            const System* other = find(a.system);
            if (other) {
                a.system = other->name;
                const SystemVariable* v = variable(*other, a.target, a.target_where);
                if (!v) continue;
                a.target = v->name;
                if (v->role != SystemRole::Input) {
                    fail(not_an_input(a.target_where, *other, *v));
                    continue;
                }
            }
            if (!other) a.system = model(a.system);
            const auto [it, fresh] = first.try_emplace({a.system, a.target}, a.target_where);
            if (!fresh) fail(input_twice(a.target_where, a.target, a.system, it->second));
        }
    }

    void modify(System& s) {
        for (SystemAssignment& a : s.assignments) {
            if (a.system.empty()) continue;
            const System* other = find(a.system);
            if (!other) {  // a model: `reinit` says what is wrong with it
                a.system = model(a.system);
                continue;
            }
            a.system = other->name;
            const SystemVariable* v = variable(*other, a.target, a.target_where);
            if (!v) continue;
            a.target = v->name;
            if (other->kind != SystemKind::Continuous || v->role != SystemRole::State)
                fail(not_a_continuous_state(a.target_where, *other, *v));
        }
    }

    void check_inputs() {
        std::set<std::pair<std::string, std::string>> given;
        for (const SystemAssignment& a : connecting_.assignments) given.insert({a.system, a.target});
        for (const System& s : systems_)
            for (const SystemVariable& v : s.variables)
                if (v.role == SystemRole::Input && !given.count({s.name, v.name}) && connecting_.complete)
                    fail(input_unassigned(connecting_.end, v.name, s.name, v.where));
    }

    System& connecting_;
    std::vector<System>& systems_;
    const FindModel& find_model_;
    Diagnostics& diagnostics_;
    std::map<std::string, std::size_t> by_letters_;
    std::map<std::string, std::string> models_;
    std::set<std::string> missing_;
};

}  // namespace

void resolve(System& connecting, std::vector<System>& systems, const FindModel& find_model,
             Diagnostics& diagnostics) {
    Resolver(connecting, systems, find_model, diagnostics).run();
}

}  // namespace cutset::simnon
