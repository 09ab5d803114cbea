#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/foreign_words.h"
#include "base/letters.h"
#include "languages/simnon/expression_parser.h"
#include "languages/simnon/messages.h"
#include "languages/simnon/parse.h"

namespace cutset::simnon {

namespace {

std::optional<SystemRole> declared_role(std::string_view word) {
    for (SystemRole role : {SystemRole::Input, SystemRole::Output, SystemRole::Time, SystemRole::State,
                            SystemRole::Derivative, SystemRole::New, SystemRole::SampleTime})
        if (same_letters(spelling(role), word)) return role;
    return std::nullopt;
}

std::optional<Section> section_named(std::string_view word) {
    for (Section s : {Section::Initial, Section::Output, Section::Dynamics, Section::Connect})
        if (same_letters(spelling(s), word)) return s;
    return std::nullopt;
}

std::optional<SystemKind> kind_named(std::string_view word) {
    for (SystemKind k : {SystemKind::Continuous, SystemKind::Discrete, SystemKind::Connecting})
        if (same_letters(spelling(k), word)) return k;
    return std::nullopt;
}

class FileParser {
  public:
    FileParser(const Sources& sources, SourceId source, Diagnostics& diagnostics)
        : text_(sources.text(source)), source_(source), diagnostics_(diagnostics) {}

    std::vector<System> run() {
        const std::size_t errors_before = diagnostics_.error_count();
        bool stopped = false;
        for (std::size_t begin = 0; begin < text_.size();) {
            const std::size_t end = std::min(text_.find('\n', begin), text_.size());
            read_line(text_.substr(begin, end - begin), static_cast<std::uint32_t>(begin));
            begin = end + 1;
            if (diagnostics_.error_count() - errors_before >= error_limit) {
                diagnostics_.report(too_many_errors(line_));
                stopped = true;
                break;
            }
        }
        const auto last = static_cast<std::uint32_t>(text_.size());
        if (open_ && !stopped) {
            fail(missing_end({source_, last, last}, *open_));
            finish({source_, last, last});
        }
        if (systems_.empty() && !open_ && diagnostics_.error_count() == errors_before)
            fail(no_systems({source_, 0, 0}));
        return std::move(systems_);
    }

  private:
    void fail(Diagnostic d) {
        if (open_) open_->complete = false;
        diagnostics_.report(std::move(d));
    }

    void read_line(std::string_view line, std::uint32_t offset) {
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first != std::string_view::npos && line[first] == '"' && !begun_) comment(line.substr(first + 1));
        const auto size = static_cast<std::uint32_t>(line.size());
        line_ = {source_, offset, offset + size};
        auto tokens = tokenize_line(line, source_, offset, diagnostics_);
        if (!tokens) {
            if (open_) open_->complete = false;
            tokens = without_semicolon(line, offset);
            if (!tokens) tokens = left_side(line, offset);
            if (!tokens) return;
        }
        if (tokens->size() == 1) return;
        line_ = join(tokens->front().where, (*tokens)[tokens->size() - 2].where);
        tokens_ = std::move(*tokens);
        statement();
    }

    // Of a line that ends with `;`, as in other languages: the statement before it.
    std::optional<std::vector<Token>> without_semicolon(std::string_view line, std::uint32_t offset) const {
        Diagnostics unheard;
        const std::string_view statement = trimmed(line.substr(0, line.find('"')));
        if (!statement.ends_with(';')) return std::nullopt;
        return tokenize_line(line.substr(0, line.find(';')), source_, offset, unheard);
    }

    // Of a line that has bad characters: `V = 0`, so that uses of V are no further errors.
    std::optional<std::vector<Token>> left_side(std::string_view line, std::uint32_t offset) const {
        Diagnostics unheard;
        const std::size_t equal = line.find_first_of("=:");
        if (equal == std::string_view::npos || !open_) return std::nullopt;
        auto tokens = tokenize_line(line.substr(0, equal + 1), source_, offset, unheard);
        if (!tokens || tokens->size() < 2) return std::nullopt;
        const Token end = tokens->back();
        tokens->back() = {TokenKind::Number, "0", 0, end.where};
        tokens->push_back(end);
        return tokens;
    }

    void comment(std::string_view text) {
        while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
        while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
        (open_ ? open_->text : head_).emplace_back(text);
    }

    bool is(std::size_t i, std::string_view symbol) const {
        return i < tokens_.size() && tokens_[i].kind == TokenKind::Symbol && tokens_[i].text == symbol;
    }
    bool word(std::size_t i, std::string_view keyword) const {
        return i < tokens_.size() && tokens_[i].kind == TokenKind::Name &&
               same_letters(tokens_[i].text, keyword);
    }
    std::size_t length() const { return tokens_.size() - 1; }  // without End

    void statement() {
        const Token& first = tokens_[0];
        const bool name = first.kind == TokenKind::Name;
        if (name && kind_named(first.text) &&
            (word(1, "SYSTEM") || length() == 1 || !(is(1, "=") || is(1, ":"))))
            return heading(*kind_named(first.text));
        if (!open_) {
            if (name && word(1, "SYSTEM")) {
                const std::vector<std::string> kinds = {"CONTINUOUS", "DISCRETE", "CONNECTING"};
                const std::string near = nearest_name(upper(first.text), kinds);
                if (!near.empty())
                    return begin_anyway(*kind_named(near), misspelled_heading(first.where, first.text, near));
            }
            if (name && word(0, "END") && !std::exchange(told_, false)) return fail(end_twice(first.where));
            if (name && word(0, "END")) return;
            if (!told_) fail(missing_heading(first.where));
            told_ = true;
            return;
        }
        if (name && word(0, "END") && !is(1, "=") && !is(1, ":")) {
            if (length() > 1) fail(too_long(tokens_[1].where, "END"));
            return finish(line_);
        }
        if (!name) return fail(illegal_statement(first.where, first.text, ""));
        begun_ = true;
        const bool assignment = is(1, "=") || is(1, "[") || is(1, "(");
        if (length() == 1) {
            if (const auto section = section_named(first.text)) return begin_section(*section);
        } else if (!assignment && !is(1, ":")) {
            if (const auto role = declared_role(first.text)) return declaration(*role);
            if (section_named(first.text)) return fail(too_long(tokens_[1].where, upper(first.text)));
        }
        if (declared_role(first.text) && length() == 1)
            return fail(missing_name(tokens_[1].where, "VARIABLE"));
        if (reserved_word(first.text) && (assignment || is(1, ":")))
            return fail(word_as_name(first.where, upper(first.text)));
        if (is(1, ":")) return constant();
        if (assignment) return assign();
        std::vector<std::string> words = {"INPUT", "OUTPUT",  "TIME",     "STATE",   "DER", "NEW",
                                          "TSAMP", "INITIAL", "DYNAMICS", "CONNECT", "END"};
        fail(illegal_statement(first.where, first.text, nearest_name(upper(first.text), words)));
    }

    void heading(SystemKind kind) {
        if (open_) {
            fail(missing_end(line_, *open_));
            finish(line_);
        }
        if (!word(1, "SYSTEM"))
            return begin_anyway(kind, bad_heading(tokens_[std::min<std::size_t>(1, length())].where));
        if (length() < 3 || tokens_[2].kind != TokenKind::Name)
            return begin_anyway(kind, missing_name(tokens_[2].where, "SYSTEM NAME"));
        if (reserved_word(tokens_[2].text))
            return begin_anyway(kind, word_as_name(tokens_[2].where, upper(tokens_[2].text)));
        begin(kind, std::string(tokens_[2].text), tokens_[2].where);
        if (length() > 3) fail(too_long(tokens_[3].where, "SYSTEM HEADING"));
    }

    // What follows is read although the heading is wrong.
    void begin_anyway(SystemKind kind, Diagnostic d) {
        begin(kind, "?", line_);
        fail(std::move(d));
    }

    void begin(SystemKind kind, std::string name, Span where) {
        System system;
        system.kind = kind;
        system.name = std::move(name);
        system.where = where;
        system.whole = line_;
        system.text = std::move(head_);
        head_.clear();
        for (const System& s : systems_)
            if (same_letters(s.name, system.name) && system.name != "?") {
                diagnostics_.report(system_twice(where, system.name, s.where));
                system.complete = false;
            }
        open_ = std::move(system);
        section_.reset();
        begun_ = false;
        first_use_.clear();
        suspect_.clear();
        told_ = false;
    }

    void finish(Span end) {
        check_system();
        open_->whole = join(open_->whole, end);
        open_->end = end;
        systems_.push_back(std::move(*open_));
        open_.reset();
        begun_ = false;
    }

    // ---- declarations

    void declaration(SystemRole role) {
        const std::string_view name = spelling(role);
        const SystemKind kind = open_->kind;
        const bool allowed = kind == SystemKind::Connecting ? role == SystemRole::Time
                             : kind == SystemKind::Continuous
                                 ? role != SystemRole::New && role != SystemRole::SampleTime
                                 : role != SystemRole::Derivative;
        if (!allowed) return fail(declaration_not_allowed(tokens_[0].where, name, kind));
        if (section_) fail(declaration_late(tokens_[0].where, name));
        for (std::size_t i = 1; i < length(); ++i) {
            const Token& token = tokens_[i];
            if (is(i, ",")) continue;  // lists of later versions have commas
            if (token.kind != TokenKind::Name) return fail(missing_name(token.where, "VARIABLE"));
            if (reserved_word(token.text)) return fail(word_as_name(token.where, upper(token.text)));
            if (const auto known = open_->find(token.text);
                known && open_->variables[*known].name == token.text) {
                fail(declared_twice(token.where, token.text, open_->variables[*known].where));
                continue;
            }
            if (role == SystemRole::Time || role == SystemRole::SampleTime) {
                const auto same = std::find_if(open_->variables.begin(), open_->variables.end(),
                                               [&](const SystemVariable& v) { return v.role == role; });
                if (same != open_->variables.end()) {
                    fail(only_one(token.where, name, same->where));
                    continue;
                }
            }
            SystemVariable v;
            v.name = std::string(token.text);
            v.where = token.where;
            v.role = role;
            open_->add(std::move(v));
        }
    }

    void begin_section(Section section) {
        const bool connecting = open_->kind == SystemKind::Connecting;
        const bool allowed = section == Section::Initial || (section == Section::Connect) == connecting;
        if (!allowed) return fail(section_not_allowed(tokens_[0].where, section, open_->kind));
        if (section_ && section <= *section_) {
            fail(section_order(tokens_[0].where, section, *section_));
            if (section == Section::Initial) return;
        }
        section_ = section;
    }

    // ---- names

    // The variable; a new one where there is none. Nothing after reporting.
    std::optional<std::size_t> variable(const Token& token, SystemRole role_if_new) {
        if (const auto found = open_->find(token.text)) return found;
        if (open_->ambiguous(token.text)) {
            fail(ambiguous_name(token.where, token.text));
            return std::nullopt;
        }
        SystemVariable v;
        v.name = std::string(token.text);
        v.where = token.where;
        v.role = role_if_new;
        return open_->add(std::move(v));
    }

    void refer_to(std::string_view system, Span where) {
        for (const System::Reference& r : open_->systems)
            if (same_letters(r.name, system)) return;
        open_->systems.push_back({std::string(system), where});
    }

    static tree::Expression plain(std::string_view name, Span where) {
        tree::Expression e;
        e.kind = tree::ExpressionKind::Reference;
        e.where = where;
        e.reference.where = where;
        e.reference.parts.push_back({tree::Separator::None, std::string(name), {}, where});
        return e;
    }

    static tree::Expression previous(tree::Expression variable) {
        tree::Expression e;
        e.kind = tree::ExpressionKind::Call;
        e.text = "pre";
        e.where = variable.where;
        e.arguments.push_back(std::move(variable));
        return e;
    }

    // A name on the right of an assignment.
    std::optional<tree::Expression> operand(const Token& token, const Token* other) {
        if (other) {
            const std::string written = std::string(token.text) + "[" + std::string(other->text) + "]";
            if (same_letters(other->text, open_->name)) {
                fail(own_system(other->where, open_->name));
                return std::nullopt;
            }
            if (open_->kind == SystemKind::Continuous) {
                fail(outside_not_allowed(token.where, open_->kind, written));
                return std::nullopt;
            }
            if (section_ == Section::Initial) {
                fail(outside_in_initial(token.where, written));
                return std::nullopt;
            }
            refer_to(other->text, other->where);
            tree::Expression e = plain(other->text, other->where);
            e.where = e.reference.where = join(token.where, other->where);
            e.reference.parts.push_back(
                {tree::Separator::Variable, std::string(token.text), {}, token.where});
            return e;
        }
        const auto found = variable(token, SystemRole::Parameter);
        if (!found) return std::nullopt;
        const SystemVariable& v = open_->variables[*found];
        first_use_.try_emplace(*found, token.where);
        const bool initial = section_ == Section::Initial;
        switch (v.role) {
            case SystemRole::Time:
                return plain("time", token.where);
            case SystemRole::Input:
                if (!initial) break;
                fail(not_parametric(token.where, target_name_, v));
                return std::nullopt;
            case SystemRole::State:
                if (!initial || target_role_ != SystemRole::Auxiliary) break;
                fail(not_parametric(token.where, target_name_, v));
                return std::nullopt;
            case SystemRole::SampleTime:
                if (initial && !v.initial) {
                    fail(used_before_assigned(token.where, v.name, {}));
                    return std::nullopt;
                }
                if (!initial && !v.assigned) return previous(plain(v.name, token.where));
                break;
            case SystemRole::Output:
            case SystemRole::Derivative:
            case SystemRole::New:
                if (initial ? v.initial.has_value() : v.assigned.has_value()) break;
                // Between samplings the outputs of a discrete system are held.
                if (!initial && v.initial && open_->kind == SystemKind::Discrete)
                    return previous(plain(v.name, token.where));
                if (initial) {
                    fail(not_parametric(token.where, target_name_, v));
                } else {
                    suspect_.emplace(*found, token.where);
                }
                break;
            default:
                break;
        }
        return plain(v.name, token.where);
    }

    // ---- assignments

    void constant() {
        const Token& name = tokens_[0];
        std::size_t at = 2;
        double sign = 1;
        if (is(at, "-") || is(at, "+")) sign = is(at++, "-") ? -1 : 1;
        if (tokens_[at].kind != TokenKind::Number) return fail(missing_number(tokens_[at].where, name.text));
        if (at + 1 < length())
            return fail(too_long(tokens_[at + 1].where, "CONSTANT",
                                 decimal_comma_help(text_, tokens_[at + 1].where.begin)));
        const auto found = variable(name, SystemRole::Parameter);
        if (!found) return;
        SystemVariable& v = open_->variables[*found];
        if (v.role == SystemRole::Auxiliary) {
            const Span first = open_->assignments[v.assigned ? *v.assigned : *v.initial].target_where;
            return fail(assigned_twice(name.where, v.name, first));
        }
        if (v.role != SystemRole::Parameter && v.role != SystemRole::State)
            return fail(constant_not_allowed(name.where, v));
        if (v.constant) return fail(assigned_twice(name.where, v.name, v.constant_where));
        if (v.initial)
            return fail(assigned_twice(name.where, v.name, open_->assignments[*v.initial].target_where));
        v.constant = sign * tokens_[at].number;
        v.constant_where = line_;
    }

    void assign() {
        const Token& name = tokens_[0];
        const Token* other = nullptr;
        std::size_t at = 1;
        if (is(1, "[") || is(1, "(")) {
            if (tokens_[2].kind != TokenKind::Name || reserved_word(tokens_[2].text))
                return fail(missing_name(tokens_[2].where, "SYSTEM NAME"));
            if (!is(3, is(1, "[") ? "]" : ")")) return fail(missing_bracket(tokens_[3].where));
            other = &tokens_[2];
            at = 4;
            if (!is(4, "=")) {
                if (is(4, ":")) return fail(missing_number(tokens_[4].where, name.text));
                return fail(illegal_statement(name.where, name.text, ""));
            }
        }
        if (!section_) section_ = open_->kind == SystemKind::Connecting ? Section::Connect : Section::Output;
        SystemAssignment a;
        a.section = *section_;
        a.where = line_;
        a.target_where = other ? join(name.where, tokens_[3].where) : name.where;
        a.target = std::string(name.text);
        if (other) {
            const std::string written = a.target + "[" + std::string(other->text) + "]";
            if (same_letters(other->text, open_->name)) return fail(own_system(other->where, open_->name));
            if (open_->kind == SystemKind::Continuous)
                return fail(outside_not_allowed(a.target_where, open_->kind, written));
            if (section_ == Section::Initial) return fail(outside_in_initial(a.target_where, written));
            refer_to(other->text, other->where);
            a.system = std::string(other->text);
            target_name_ = written;
            target_role_ = SystemRole::Input;
        } else {
            const auto known = open_->find(name.text);
            target_role_ = known ? open_->variables[*known].role : SystemRole::Auxiliary;
            target_name_ = a.target;
        }
        // The right side first: a variable that appears there for the first time is a parameter.
        ExpressionParser parser(tokens_, at + 1, open_->kind != SystemKind::Continuous, diagnostics_,
                                [this](const Token& t, const Token* o) { return operand(t, o); });
        std::optional<tree::Expression> value = parser.parse();
        std::optional<std::size_t> target;
        if (!other) {
            target = check_target(name, a);
            if (target) a.target = open_->variables[*target].name;
        }
        if (!value) {
            open_->complete = false;
            // The variable counts as assigned, so that its uses are no further errors.
            tree::Expression zero;
            zero.where = line_;
            value = zero;
        }
        if (!other && !target) return;
        a.value = std::move(*value);
        if (target) {
            SystemVariable& v = open_->variables[*target];
            (a.section == Section::Initial ? v.initial : v.assigned) = open_->assignments.size();
        }
        open_->assignments.push_back(std::move(a));
    }

    // The variable to be assigned, if it may be assigned here.
    std::optional<std::size_t> check_target(const Token& name, const SystemAssignment& a) {
        const bool fresh = !open_->find(name.text);
        const auto found = variable(name, SystemRole::Auxiliary);
        if (!found) return std::nullopt;
        const SystemVariable& v = open_->variables[*found];
        const auto refuse = [&](Diagnostic d) {
            fail(std::move(d));
            return std::nullopt;
        };
        const bool initial = a.section == Section::Initial;
        const bool discrete = open_->kind == SystemKind::Discrete;
        if (fresh) return found;
        switch (v.role) {
            case SystemRole::Input:
            case SystemRole::Time:
                return refuse(not_assignable(name.where, v));
            case SystemRole::Parameter: {
                if (v.constant) return refuse(assigned_twice(name.where, v.name, v.constant_where));
                // Appeared on the right first.
                const auto use = first_use_.find(*found);
                const Span where = use == first_use_.end() ? name.where : use->second;
                fail(used_before_assigned(where, v.name, name.where));
                open_->variables[*found].role = SystemRole::Auxiliary;
                return found;
            }
            case SystemRole::Auxiliary:
                return refuse(
                    assigned_twice(name.where, v.name,
                                   open_->assignments[v.assigned ? *v.assigned : *v.initial].target_where));
            case SystemRole::State:
                if (!initial) return refuse(not_in_section(name.where, v, a.section, open_->kind));
                if (v.constant) return refuse(assigned_twice(name.where, v.name, v.constant_where));
                break;
            case SystemRole::Output:
                if (a.section == Section::Dynamics || (initial && !discrete))
                    return refuse(not_in_section(name.where, v, a.section, open_->kind));
                break;
            case SystemRole::Derivative:
            case SystemRole::New:
                if (initial) return refuse(not_in_section(name.where, v, a.section, open_->kind));
                break;
            default:
                break;
        }
        const auto& before = initial ? v.initial : v.assigned;
        if (before)
            return refuse(assigned_twice(name.where, v.name, open_->assignments[*before].target_where));
        return found;
    }

    // ---- what can be said at the end of a system

    void check_system() {
        std::vector<std::string> names;
        for (const SystemVariable& v : open_->variables)
            if (v.role != SystemRole::Parameter || v.constant) names.push_back(v.name);
        std::size_t states = 0, rates = 0, sample_times = 0;
        Span last_state = open_->where;
        const SystemRole rate =
            open_->kind == SystemKind::Discrete ? SystemRole::New : SystemRole::Derivative;
        std::vector<Diagnostic> found;
        for (std::size_t i = 0; i < open_->variables.size(); ++i) {
            const SystemVariable& v = open_->variables[i];
            const auto use = first_use_.find(i);
            if (const auto suspect = suspect_.find(i); suspect != suspect_.end() && v.assigned)
                found.push_back(used_before_assigned(suspect->second, v.name,
                                                     open_->assignments[*v.assigned].target_where));
            const auto unassigned_here = [&](Span where, const std::string& near = "") {
                found.push_back(unassigned(where, v.name, v.role, near));
            };
            switch (v.role) {
                case SystemRole::Parameter:
                    if (!v.constant && use != first_use_.end())
                        unassigned_here(use->second, nearest_name(v.name, names));
                    break;
                case SystemRole::State:
                    ++states;
                    last_state = v.where;
                    break;
                case SystemRole::Derivative:
                case SystemRole::New:
                    ++rates;
                    last_state = v.where;
                    if (!v.assigned) unassigned_here(v.where);
                    break;
                case SystemRole::SampleTime:
                    ++sample_times;
                    if (!v.assigned) unassigned_here(v.where);
                    break;
                case SystemRole::Output:
                    if (!v.assigned) unassigned_here(v.where);
                    break;
                default:
                    break;
            }
        }
        if (states != rates) found.push_back(states_do_not_match(last_state, spelling(rate), states, rates));
        if (open_->kind == SystemKind::Discrete && sample_times == 0)
            found.push_back(missing_sample_time(open_->where, open_->name));
        std::stable_sort(found.begin(), found.end(), [](const Diagnostic& a, const Diagnostic& b) {
            return a.where.begin < b.where.begin;
        });
        for (Diagnostic& d : found) fail(std::move(d));
    }

    std::string_view text_;
    SourceId source_;
    Diagnostics& diagnostics_;
    std::vector<System> systems_;
    std::optional<System> open_;
    std::vector<Token> tokens_;  // of the line
    Span line_;
    std::vector<std::string> head_;  // comments before the heading
    bool begun_ = false;             // a statement other than the heading was read
    bool told_ = false;              // that a heading is missing
    std::optional<Section> section_;
    std::map<std::size_t, Span> first_use_;  // by variable
    std::map<std::size_t, Span> suspect_;    // used before an assignment that may follow
    std::string target_name_;
    SystemRole target_role_ = SystemRole::Auxiliary;
};

}  // namespace

std::vector<System> parse_systems(const Sources& sources, SourceId source, Diagnostics& diagnostics) {
    return FileParser(sources, source, diagnostics).run();
}

}  // namespace cutset::simnon
