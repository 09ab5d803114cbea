#include "export/listed_temporaries.h"

namespace cutset {

namespace {

struct Use {
    std::uint32_t count = 0;
    bool always = false;  // evaluated whenever the procedure runs
    bool calls = false;   // a table or function, itself or below
};

class Sharing {
  public:
    explicit Sharing(Procedure& procedure) : procedure_(procedure) {}

    void run() {
        for (const CodeLine& line : procedure_.lines)
            if (line.value) count(line.value, true);
        std::vector<CodeLine> lines;
        lines.reserve(procedure_.lines.size());
        for (const CodeLine& line : procedure_.lines) {
            if (line.value) name(line.value, lines);
            lines.push_back(line);
        }
        procedure_.lines = std::move(lines);
    }

  private:
    // Depth is bounded by the parser and by what transformations add to it.
    bool count(Expr e, bool always) {
        if (e->argument_count == 0) return false;
        Use& use = uses_[e];
        ++use.count;
        // A second visit is needed when the first one was in a branch only.
        if (use.count > 1 && (use.always || !always)) return use.calls;
        const bool first = use.count == 1;
        use.always = use.always || always;
        if (e->op == Op::NoEvent || e->op == Op::Sample) return false;
        bool calls = e->op == Op::Apply || e->op == Op::Delay;
        for (std::size_t i = 0; i < e->argument_count; ++i) {
            const Expr a = e->arg(i);
            if (!first) {
                if (a->argument_count && conditional(e, i, always)) {
                    --uses_[a].count;
                    calls |= count(a, true);
                }
                continue;
            }
            calls |= count(a, conditional(e, i, always));
        }
        uses_[e].calls |= calls;
        return uses_[e].calls;
    }

    // Whether argument i is evaluated for certain when e is.
    static bool conditional(Expr e, std::size_t i, bool always) {
        if (!always) return false;
        if (e->op == Op::If) return i == 0;
        if (e->op == Op::And || e->op == Op::Or) return i == 0;
        return true;
    }

    static bool worth(Expr e) {
        if (e->boolean || e->op == Op::NoEvent || e->op == Op::Sample) return false;
        // -x, 2*x and x^2 are as good as a name.
        if (e->op == Op::Multiply && e->argument_count == 2 && e->arg(0)->is_number() &&
            e->arg(1)->argument_count == 0)
            return false;
        return !(e->op == Op::Power && e->arg(0)->argument_count == 0 &&
                 (e->arg(1)->is_number(2) || e->arg(1)->is_number(-1)));
    }

    void name(Expr e, std::vector<CodeLine>& lines) {
        if (e->argument_count == 0 || e->op == Op::NoEvent || e->op == Op::Sample) return;
        if (!met_.insert({e, true}).second) return;
        for (Expr a : e->args()) name(a, lines);
        const Use& use = uses_[e];
        if (use.count < 2 || !worth(e) || (!use.always && use.calls)) return;
        const std::uint32_t number = procedure_.temporaries++;
        lines.push_back({CodeLine::Kind::Assign, {Place::Kind::Temporary, number}, e, 0});
        procedure_.names.emplace(e, number);
    }

    Procedure& procedure_;
    std::unordered_map<Expr, Use> uses_;
    std::unordered_map<Expr, bool> met_;
};

}  // namespace

void name_shared(Procedure& procedure) {
    Sharing(procedure).run();
}

std::vector<std::string> used_lines(const Procedure& procedure, std::vector<std::uint32_t>& used,
                                    const std::function<std::string(const CodeLine&)>& text) {
    std::vector<std::string> lines;
    std::vector<std::vector<std::uint32_t>> mentions;
    for (const CodeLine& c : procedure.lines) {
        used.clear();
        lines.push_back(text(c));
        mentions.push_back(used);
    }
    std::vector<bool> needed(procedure.temporaries, false);
    std::vector<std::string> kept;
    for (std::size_t i = lines.size(); i-- > 0;) {
        const CodeLine& c = procedure.lines[i];
        if (c.kind == CodeLine::Kind::Assign && c.place.kind == Place::Kind::Temporary &&
            !needed[c.place.index])
            continue;
        for (std::uint32_t number : mentions[i]) needed[number] = true;
        kept.push_back(std::move(lines[i]));
    }
    std::reverse(kept.begin(), kept.end());
    return kept;
}

}  // namespace cutset
