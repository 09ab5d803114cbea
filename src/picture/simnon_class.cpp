#include "picture/simnon_class.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "picture/formula.h"
#include "picture/signals.h"
#include "picture/text_of.h"

namespace cutset::picture {

namespace {

using simnon::same_letters;
using simnon::SystemAssignment;
using simnon::SystemVariable;

std::optional<PortKind> kind_of(SystemRole role) {
    if (role == SystemRole::Input) return PortKind::Input;
    if (role == SystemRole::Output) return PortKind::Output;
    return std::nullopt;
}

TextKind text_kind(SystemRole role) {
    switch (role) {
        case SystemRole::Input:
            return TextKind::Input;
        case SystemRole::Output:
            return TextKind::Output;
        case SystemRole::State:
            return TextKind::State;
        case SystemRole::Derivative:
        case SystemRole::New:
            return TextKind::Derivative;
        case SystemRole::Parameter:
            return TextKind::Parameter;
        default:
            return TextKind::Local;
    }
}

ClassKind class_kind(const simnon::System& s) {
    if (!s.library.empty()) return ClassKind::External;
    switch (s.kind) {
        case SystemKind::Discrete:
            return ClassKind::Discrete;
        case SystemKind::Connecting:
            return ClassKind::Connecting;
        default:
            return ClassKind::Continuous;
    }
}

const Port* find_any_case(const std::vector<Port>& ports, const std::string& name) {
    if (const Port* p = find_port(ports, name)) return p;
    for (const Port& p : ports)
        if (same_letters(p.name, name)) return &p;
    return nullptr;
}

// The block diagram of a connecting system.
class Diagram {
  public:
    Diagram(const simnon::System& system, const Sources& sources, const FindClass& find, ClassPicture& out)
        : system_(system), sources_(sources), find_(find), out_(out) {}

    void draw() {
        for (const simnon::System::Reference& r : system_.systems) {
            const Outside* outside = find_(r.name);
            Block b;
            b.name = b.type = r.name;
            if (outside) b.key = outside->key;
            b.where = b.statement = r.where;
            out_.blocks.push_back(std::move(b));
            outsides_.push_back(outside);
        }
        for (const SystemAssignment& a : system_.assignments) {
            if (a.system.empty()) continue;
            const auto target = end_of(a.system, a.target);
            if (target)
                add_signal(a.value, *target, a.target + "[" + a.system + "]", a.where, scope(), signals());
        }
        // What no other system takes is an output of the whole.
        for (const SystemAssignment& a : system_.assignments) {
            if (!a.system.empty() || used_.count(simnon::upper(a.target)) || parametric(a)) continue;
            Port port;
            port.name = a.target;
            port.kind = PortKind::Output;
            port.side = Side::Right;
            port.where = a.target_where;
            port.variables.push_back({a.target, VariableRole::Output, false, "", "", "", a.target_where});
            out_.ports.push_back(std::move(port));
            add_signal(a.value, {std::nullopt, a.target, {}}, a.target, a.where, scope(), signals());
        }
    }

  private:
    Signals signals() { return {out_.blocks, out_.lines}; }
    SignalScope scope() {
        return {sources_, [this](const tree::Reference& r) { return find_signal(r); }, true};
    }

    bool parametric(const SystemAssignment& a) const { return a.section == simnon::Section::Initial; }

    std::optional<LineEnd> end_of(const std::string& system, const std::string& variable) const {
        for (std::size_t i = 0; i < outsides_.size(); ++i) {
            if (!same_letters(out_.blocks[i].name, system)) continue;
            const Port* p = outsides_[i] ? find_any_case(outsides_[i]->ports, variable) : nullptr;
            return LineEnd{static_cast<std::uint32_t>(i), p ? p->name : "", p ? "" : variable};
        }
        return std::nullopt;
    }

    // An output of a system, or a variable of this one that is computed from such: its value is drawn once.
    std::optional<LineEnd> find_signal(const tree::Reference& r) {
        if (r.parts.size() == 2) return end_of(r.parts[0].name, r.parts[1].name);
        if (r.parts.size() != 1) return std::nullopt;
        const std::string key = simnon::upper(r.parts[0].name);
        for (const SystemAssignment& a : system_.assignments) {
            if (!a.system.empty() || simnon::upper(a.target) != key || parametric(a)) continue;
            used_[key] = true;
            if (const auto known = sources_of_.find(key); known != sources_of_.end()) return known->second;
            sources_of_[key] = std::nullopt;  // of a loop there is no end
            const auto source = signal_source(a.value, a.target, a.where, scope(), signals());
            sources_of_[key] = source;
            return source;
        }
        return std::nullopt;
    }

    const simnon::System& system_;
    const Sources& sources_;
    const FindClass& find_;
    ClassPicture& out_;
    std::vector<const Outside*> outsides_;
    std::map<std::string, bool> used_;
    std::map<std::string, std::optional<LineEnd>> sources_of_;
};

void add_texts(const simnon::System& system, const Sources& sources, ClassPicture& out) {
    for (const SystemVariable& v : system.variables) {
        if (v.role == SystemRole::Time || v.role == SystemRole::SampleTime) continue;
        if (v.role == SystemRole::Auxiliary && !v.constant) continue;
        TextPart t;
        t.kind = text_kind(v.role);
        t.name = v.name;
        t.where = v.where;
        if (v.constant) {
            t.value = written(sources, v.constant_where);
            t.value_where = v.constant_where;
        }
        if (t.value.empty() && v.constant) t.value = std::to_string(*v.constant);
        t.text = t.value.empty() ? t.name : t.name + ":" + t.value;
        out.texts.push_back(std::move(t));
    }
    for (const SystemAssignment& a : system.assignments) {
        TextPart t;
        t.kind = a.section == simnon::Section::Initial ? TextKind::Initial : TextKind::Equation;
        t.text = written(sources, a.where);
        t.where = a.where;
        t.drawn = system.kind == SystemKind::Connecting && a.section != simnon::Section::Initial;
        out.texts.push_back(std::move(t));
    }
    std::stable_sort(out.texts.begin(), out.texts.end(),
                     [](const TextPart& a, const TextPart& b) { return a.where.begin < b.where.begin; });
}

Outside simnon_outside(const simnon::System& system) {
    Outside out;
    std::string text;
    for (const std::string& line : system.text) text += line + "\n";
    out.title = first_sentence(text);
    for (const SystemVariable& v : system.variables) {
        const auto kind = kind_of(v.role);
        if (!kind) continue;
        Port port;
        port.name = v.name;
        port.kind = *kind;
        port.where = v.where;
        port.variables.push_back({v.name,
                                  *kind == PortKind::Input ? VariableRole::Input : VariableRole::Output,
                                  false, "", "", "", v.where});
        out.ports.push_back(std::move(port));
    }
    return out;
}

ClassPicture simnon_picture(const simnon::System& system, const Outside& outside, const Sources& sources,
                            const FindClass& find) {
    ClassPicture out;
    out.name = system.name;
    out.language = "simnon";
    out.kind = class_kind(system);
    out.runnable = true;
    out.title = outside.title;
    for (const std::string& line : system.text) out.documentation += line + "\n";
    out.where = system.where;
    out.whole = system.whole;
    out.ports = outside.ports;
    add_texts(system, sources, out);
    if (system.kind == SystemKind::Connecting) Diagram(system, sources, find, out).draw();
    return out;
}

class SimnonReader : public ClassReader {
  public:
    SimnonReader(simnon::System system, const Sources& sources)
        : system_(std::move(system)), sources_(sources) {}

    Span whole() const override { return system_.whole; }
    Outside outside() const override { return simnon_outside(system_); }
    ClassPicture picture(const Outside& outside, const FindClass& find, Layout&) const override {
        return simnon_picture(system_, outside, sources_, find);
    }
    std::map<std::uint32_t, std::string> formulas() const override {
        std::map<std::uint32_t, std::string> out;
        for (const SystemAssignment& a : system_.assignments) {
            std::string target = "<mi>" + html_escaped(a.target) + "</mi>";
            if (!a.system.empty())
                target = "<msub>" + target + "<mi>" + html_escaped(a.system) + "</mi></msub>";
            out[a.where.begin] = target + "<mo>=</mo>" + math_of(a.value);
        }
        return out;
    }

  private:
    simnon::System system_;
    const Sources& sources_;
};

}  // namespace

std::unique_ptr<ClassReader> simnon_reader(simnon::System system, const Sources& sources) {
    return std::make_unique<SimnonReader>(std::move(system), sources);
}

}  // namespace cutset::picture
