#include "session/el_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "numerics/integrators/solver.h"
#include "results/writer.h"
#include "session/el_messages.h"
#include "session/el_report.h"
#include "translate/experiment_text.h"

namespace cutset {

namespace {

using el::Statement;
using el::StatementKind;
using object::Expression;
using object::ExpressionKind;
using object::Operator;

// A program that is not done after so many statements does not end.
constexpr std::size_t statement_limit = 10'000'000;
constexpr int call_depth = 200;

struct Method {
    std::string_view theirs;
    Solver ours;
};
constexpr Method methods[] = {
    {"DASSL", Solver::Ida},       {"DASSL_SPARSE", Solver::Ida}, {"IDAS", Solver::Ida},
    {"IDAS_SPARSE", Solver::Ida}, {"CVODE_BDF", Solver::Cvode},  {"CVODE_AM", Solver::Adams},
    {"RK4", Solver::Rk4},         {"RK45", Solver::Dopri},       {"RKF", Solver::Dopri},
    {"EULER", Solver::Euler},
};

// The reports of an experiment, and the rows of all its periods.
class Reports : public RowSink {
  public:
    void add(std::unique_ptr<ResultWriter> writer) { writers_.push_back(std::move(writer)); }
    std::optional<std::string> begin(const Columns& columns) override {
        for (std::size_t i = begun_; i < writers_.size(); ++i)
            if (auto problem = writers_[i]->begin(columns)) return problem;
        begun_ = writers_.size();
        first_ = true;
        return std::nullopt;
    }
    std::optional<std::string> row(std::span<const double> values) override {
        // A period begins where the last one ended.
        const bool again = std::exchange(first_, false) &&
                           std::equal(values.begin(), values.end(), last_.begin(), last_.end());
        last_.assign(values.begin(), values.end());
        for (std::size_t i = 0; !again && i < begun_; ++i)
            if (auto problem = writers_[i]->append(values)) return problem;
        return std::nullopt;
    }
    std::optional<std::string> finish() {
        for (std::size_t i = 0; i < begun_; ++i)
            if (auto problem = writers_[i]->finish()) return problem;
        return std::nullopt;
    }

  private:
    std::vector<std::unique_ptr<ResultWriter>> writers_;
    std::size_t begun_ = 0;
    bool first_ = false;
    std::vector<double> last_;
};

class ExperimentProgram {
  public:
    ExperimentProgram(Workspace& workspace, const el::Experiment& experiment, LiveModel::Settings settings,
                      ElProgramHost& host, Diagnostics& diagnostics)
        : workspace_(workspace),
          experiment_(experiment),
          settings_(std::move(settings)),
          host_(host),
          diagnostics_(diagnostics) {}

    bool run() {
        if (!experiment_.component.empty()) {
            model_ = LiveModel::make(workspace_, settings_);
            diagnostics_.add(std::exchange(workspace_.diagnostics, {}));
            if (!model_) return false;
        }
        for (const el::Declaration& d : experiment_.variables)
            if (d.dimensions.empty())
                locals_[d.name] = d.init && d.init->kind != ExpressionKind::String ? number(*d.init) : 0;
        try {
            execute(experiment_.body);
        } catch (Stop) {
        }
        if (auto problem = reports_.finish())
            diagnostics_.report(el_messages::report_problem(experiment_.where, *problem));
        return !diagnostics_.has_errors();
    }

  private:
    struct Stop {};
    struct Break {};
    struct Continue {};
    struct Return {
        double value = 0;
    };

    [[noreturn]] void fail(Diagnostic d) {
        diagnostics_.report(std::move(d));
        throw Stop{};
    }
    // What the model reports; errors end the program.
    void pass_on(const Diagnostics& own) {
        diagnostics_.add(own);
        if (own.has_errors()) throw Stop{};
    }

    static std::string path(const object::Name& n, const std::function<double(const Expression&)>& index) {
        std::string out;
        for (const object::NamePart& p : n.parts) {
            out += (out.empty() ? "" : ".") + p.name;
            for (std::size_t i = 0; i < p.indices.size(); ++i)
                out += (i ? "," : "[") + fmt::format("{}", static_cast<long>(index(p.indices[i])));
            if (!p.indices.empty()) out += "]";
        }
        return out;
    }
    std::string path(const object::Name& n) {
        return path(n, [&](const Expression& e) { return number(e); });
    }

    // ---- statements

    void execute(const std::vector<Statement>& body) {
        for (const Statement& s : body) {
            if (++executed_ > statement_limit) fail(el_messages::without_end(s.where));
            execute(s);
        }
    }

    void execute(const Statement& s) {
        switch (s.kind) {
            case StatementKind::Equation:
                return assign(s, *s.right, 0);
            case StatementKind::Add:
                return assign(s, *s.right, 1);
            case StatementKind::Subtract:
                return assign(s, *s.right, -1);
            case StatementKind::Call:
                if (call_for_effect(*s.left)) return;
                number(*s.left);
                return;
            case StatementKind::If:
                for (const el::Branch& b : s.branches)
                    if (!b.condition || number(*b.condition) != 0) return execute(b.body);
                return;
            case StatementKind::While:
                while (number(*s.condition) != 0)
                    if (!once(s)) return;
                return;
            case StatementKind::Count:
                locals_[path(s.left->name)] = number(*s.right);
                while (number(*s.condition) != 0) {
                    if (!once(s)) return;
                    locals_[path(s.left->name)] = number(*s.step);
                }
                return;
            case StatementKind::Expand:
                return loop(s, 0);
            case StatementKind::Break:
                throw Break{};
            case StatementKind::Continue:
                throw Continue{};
            case StatementKind::Return:
                throw Return{s.left ? number(*s.left) : 0};
            case StatementKind::Stop:
                if (!s.text.empty()) host_.say(s.text + "\n");
                throw Stop{};
            case StatementKind::Assert:
                if (number(*s.condition) != 0) return;
                host_.say(s.text + "\n");
                if (s.level == el::AssertWord::Fatal || s.level == el::AssertWord::Error)
                    fail(el_messages::run_failed(s.where));
                return;
            default:
                fail(el_messages::not_in_body(s.where, "this"));
        }
    }

    // The body of a loop; false after BREAK.
    bool once(const Statement& s) {
        if (++executed_ > statement_limit) fail(el_messages::without_end(s.where));
        try {
            execute(s.body);
        } catch (Break) {
            return false;
        } catch (Continue) {
        }
        return true;
    }

    void loop(const Statement& s, std::size_t level) {
        if (level == s.iterators.size()) {
            if (!once(s)) throw Break{};
            return;
        }
        const object::Iterator& i = s.iterators[level];
        std::vector<double> values;
        const auto collect = [&](const Expression& e, std::vector<double>& into) {
            if (e.kind == ExpressionKind::Range) {
                for (double v = number(e.arguments[0]), last = number(e.arguments[1]); v <= last; ++v) {
                    if (++executed_ > statement_limit) fail(el_messages::without_end(s.where));
                    into.push_back(v);
                }
            } else if (e.kind == ExpressionKind::Array) {
                for (const Expression& a : e.arguments) into.push_back(number(a));
            } else {
                into.push_back(number(e));
            }
        };
        collect(*i.range, values);
        std::vector<double> without;
        if (i.except) collect(*i.except, without);
        try {
            for (double v : values) {
                if (std::find(without.begin(), without.end(), v) != without.end()) continue;
                locals_[i.name] = v;
                loop(s, level + 1);
            }
        } catch (Break) {
        }
        locals_.erase(i.name);
    }

    void assign(const Statement& s, const Expression& right, int change) {
        if (s.left->kind != ExpressionKind::Name) fail(el_messages::not_in_body(s.where, "this assignment"));
        const std::string name = path(s.left->name);
        if (name == "IMETHOD") return set_method(right);
        double value = number(right);
        if (change) value = this->value(*s.left) + change * value;
        if (name == "TIME") return set_time(value);
        if (name == "TSTOP") return void(stop_ = value);
        if (name == "CINT") return void(interval_ = value);
        if (name == "REL_ERROR" || name == "TOLERANCE") return void(tolerance_ = value);
        if (name == "ABS_ERROR") return void(absolute_ = value);
        if (name == "MAX_INTEG_STEP") return void(longest_step_ = value);
        if (name == "DEBUG_LEVEL") return void(debug_level_ = value);
        if (name == "INIT_INTEG_STEP" || name == "REPORT_MODE") return;
        if (locals_.contains(name)) locals_[name] = value;
        if (!model_) {
            if (!locals_.contains(name)) fail(el_messages::unknown_in_body(s.where, name));
            return;
        }
        const auto kind = model_->kind(name);
        if (!kind) {
            if (locals_.contains(name)) return;
            fail(el_messages::unknown_in_body(s.where, name));
        }
        Diagnostics own;
        switch (*kind) {
            case LiveModel::Kind::Parameter:
            case LiveModel::Kind::StructureParameter:
                model_->set_parameter(name, value, own);
                parameters_[name] = value;
                break;
            case LiveModel::Kind::Input:
                model_->set_input(name, fmt::format("{}", value), own);
                break;
            case LiveModel::Kind::State:
            case LiveModel::Kind::Discrete:
                if (model_->started() && !again_)
                    model_->set_state(name, value, own);
                else
                    model_->set_initial(name, value, own);
                break;
            default:
                own.report(el_messages::computed(s.where, name));
        }
        pass_on(own);
    }

    void set_method(const Expression& e) {
        const std::string name = e.kind == ExpressionKind::Name ? path(e.name) : e.text;
        for (const Method& m : methods)
            if (m.theirs == name) return void(solver_ = m.ours);
        diagnostics_.report(el_messages::unknown_method(e.where, name));
        solver_ = Solver::Auto;
    }

    // The time is set back: what the variables are now they are at that time.
    void set_time(double value) {
        if (model_ && model_->started() && value != model_->time()) {
            Diagnostics own;
            for (const LiveModel::Quantity& q : model_->quantities())
                if (q.kind == LiveModel::Kind::State || q.kind == LiveModel::Kind::Discrete)
                    if (const auto now = model_->value(q.path, own)) model_->set_initial(q.path, *now, own);
            pass_on(own);
            again_ = true;
        }
        time_ = value;
    }

    // ---- what calls do

    bool integrate(double stop, Span where) {
        if (!model_) fail(el_messages::not_in_body(where, "INTEG without a model"));
        SimulateOptions o = settings_.run;
        o.start = time_;
        o.stop = stop;
        if (interval_ > 0) o.step = interval_;
        o.tolerance = tolerance_.value_or(o.tolerance);
        if (absolute_) o.absolute = *absolute_;
        o.solver = solver_;
        if (longest_step_) o.max_step = *longest_step_;
        const bool on = model_->started() && !again_;
        again_ = false;
        const std::string title = begin_period(o);
        Diagnostics own;
        const RunSummary summary = on ? model_->go_on(o, reports_, own) : model_->run(o, reports_, own);
        diagnostics_.add(own);
        time_ = summary.time;
        const bool failed = summary.outcome == RunOutcome::Failed;
        if (debug_level_ >= 1)
            host_.say(fmt::format("End of {} (Status: {}, TIME: {}, events: {})\n", title,
                                  failed ? "NOK" : "OK", time_, summary.events));
        return summary.outcome != RunOutcome::Failed && !own.has_errors();
    }

    // A transient is what is integrated in one piece; each INTEG that goes on with it is a further period.
    std::string begin_period(const SimulateOptions& o) {
        const bool on = model_->started() && o.start == last_end_ && periods_ > 0;
        if (!on) {
            ++transients_;
            periods_ = 0;
        }
        ++periods_;
        last_end_ = o.stop;
        const std::string title = fmt::format("transient-{}", transients_);
        if (debug_level_ < 1) return title;
        if (on)
            host_.say(
                fmt::format("[TIME: {}] Integration period {} (TSTOP: {})\n", o.start, periods_, o.stop));
        else
            host_.say(fmt::format("Begin {} (TIME: {}, TSTOP: {}, CINT: {}, Method: {})\n", title, o.start,
                                  o.stop, interval_, name_of(o.solver)));
        return title;
    }

    // Derivatives zero: the initialization of a model of its own, whose values this one gets.
    bool steady(Span where) {
        if (!model_) fail(el_messages::not_in_body(where, "STEADY without a model"));
        LiveModel::Settings settings = settings_;
        settings.transform.initial = InitialMode::Steady;
        Diagnostics own;
        const auto at_rest = LiveModel::make(workspace_, settings);
        diagnostics_.add(std::exchange(workspace_.diagnostics, {}));
        if (!at_rest) return false;
        for (const auto& [name, value] : parameters_) at_rest->set_parameter(name, value, own);
        bool found = true;
        for (const LiveModel::Quantity& q : model_->quantities()) {
            if (q.kind != LiveModel::Kind::State) continue;
            const auto value = at_rest->value(q.path, own);
            found = found && value && std::isfinite(*value);
            if (!found) break;
            if (model_->started() && !again_)
                model_->set_state(q.path, *value, own);
            else
                model_->set_initial(q.path, *value, own);
        }
        diagnostics_.add(own);
        if (debug_level_ >= 1) host_.say(found ? "STEADY: found\n" : "STEADY: not found\n");
        return found && !own.has_errors();
    }

    void report_table(const Expression& call) {
        if (call.arguments.empty() || call.arguments[0].kind != ExpressionKind::String)
            fail(el_messages::not_in_body(call.where, "REPORT_TABLE without a name"));
        const std::string& file = call.arguments[0].text;
        const ReportForm form =
            call.name.parts.back().name == "REPORT_LIST" ? ReportForm::List : ReportForm::Table;
        ResultChoice choice;
        if (call.arguments.size() > 1) {
            std::string pattern;
            for (char c : call.arguments[1].text + " ") {
                if (c != ' ' && c != '&') {
                    pattern += c;
                    continue;
                }
                if (!pattern.empty() && pattern != "*") choice.variables.push_back(pattern);
                pattern.clear();
            }
        }
        Problem problem;
        const bool is_result = file.ends_with(".csv") || file.ends_with(".mat") || file.ends_with(".npz");
        auto writer = is_result ? make_writer(host_.path(file), choice, problem)
                                : make_report_writer(
                                      host_.path(file.find('.') == std::string::npos ? file + ".rpt" : file),
                                      form, std::move(choice.variables));
        if (!writer) fail(el_messages::report_problem(call.where, *problem));
        reports_.add(std::move(writer));
    }

    // PRINT("w = $w"), WRITE("%g\n", w)
    std::string formatted(const Expression& call, bool with_places) {
        if (call.arguments.empty() || call.arguments[0].kind != ExpressionKind::String)
            fail(el_messages::not_in_body(call.where, "this call"));
        const std::string& text = call.arguments[0].text;
        std::string out;
        std::size_t next = 1;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '$') {
                std::size_t n = i + 1;
                while (n < text.size() && (std::isalnum(static_cast<unsigned char>(text[n])) ||
                                           text[n] == '_' || text[n] == '.'))
                    ++n;
                while (n > i + 1 && text[n - 1] == '.') --n;
                if (n > i + 1) {
                    out += fmt::format("{:g}", named(text.substr(i + 1, n - i - 1), call.where));
                    i = n - 1;
                    continue;
                }
            }
            if (text[i] != '%' || !with_places) {
                out += text[i];
                continue;
            }
            std::size_t n = i + 1;
            while (n < text.size() && (std::isdigit(static_cast<unsigned char>(text[n])) || text[n] == '.' ||
                                       text[n] == '-' || text[n] == '+' || text[n] == 'l'))
                ++n;
            const char kind = n < text.size() ? text[n] : '%';
            if (kind == '%') {
                out += '%';
            } else if (next >= call.arguments.size()) {
                fail(el_messages::not_in_body(call.where,
                                              "WRITE with fewer values than its text has places for"));
            } else if (kind == 's' && call.arguments[next].kind == ExpressionKind::String) {
                out += call.arguments[next++].text;
            } else {
                std::string format = "%";
                for (char c : text.substr(i + 1, n - i - 1))
                    if (c != 'l' && format.size() < 12) format += c;
                format += kind == 'e' || kind == 'f' ? kind : 'g';
                if (kind == 'd') format = "%.0f";
                char buffer[400];
                std::snprintf(buffer, sizeof buffer, format.c_str(), number(call.arguments[next++]));
                out += buffer;
            }
            i = n;
        }
        return out;
    }

    bool call_for_effect(const Expression& call) {
        const std::string& f = call.name.parts.back().name;
        if (f == "REPORT_TABLE" || f == "REPORT_LIST") {
            report_table(call);
        } else if (f == "PRINT") {
            host_.say(formatted(call, false) + "\n");
        } else if (f == "WRITE") {
            host_.say(formatted(call, true));
        } else if (f == "SAVE_STATE") {
            save_state(call);
        } else if (f == "RESTORE_STATE") {
            restore_state(call);
        } else if (f == "RESET_VARIABLES") {
            reset_variables(call.where);
        } else if (const auto done = act(call)) {
            if (!*done) fail(el_messages::run_failed(call.where));
        } else {
            return false;
        }
        return true;
    }

    // All that the model knows of its present point, under a name.
    static std::string state_name(const Expression& call) {
        return call.arguments.empty() ? std::string() : call.arguments[0].text;
    }
    void save_state(const Expression& call) {
        const auto point = model_ ? model_->checkpoint() : nullptr;
        if (!point) fail(el_messages::not_in_body(call.where, "SAVE_STATE before a run"));
        saved_[state_name(call)] = {point, time_};
    }
    void restore_state(const Expression& call) {
        const auto at = saved_.find(state_name(call));
        if (at == saved_.end())
            fail(el_messages::not_in_body(call.where, "RESTORE_STATE of a state that was not saved"));
        Diagnostics own;
        model_->restore(at->second.first, own);
        pass_on(own);
        time_ = at->second.second;
        again_ = false;
    }
    // As the text says it, and at TIME 0.
    void reset_variables(Span where) {
        if (!model_) fail(el_messages::not_in_body(where, "RESET_VARIABLES without a model"));
        model_ = LiveModel::make(workspace_, settings_);
        pass_on(std::exchange(workspace_.diagnostics, {}));
        parameters_.clear();
        time_ = 0;
        again_ = false;
        periods_ = 0;
    }

    // INTEG and STEADY: whether they came to their end; none for other calls.
    std::optional<bool> act(const Expression& call) {
        const std::string& f = call.name.parts.back().name;
        if (f == "INTEG" || f == "INTEG_CONTINUE") return integrate(stop_, call.where);
        if (f == "INTEG_CINT") return integrate(std::min(stop_, time_ + interval_), call.where);
        if (f == "INTEG_TO" && !call.arguments.empty()) {
            if (call.arguments.size() > 1) interval_ = number(call.arguments[1]);
            return integrate(number(call.arguments[0]), call.where);
        }
        if (f == "STEADY") return steady(call.where);
        return std::nullopt;
    }

    // ---- expressions

    double named(const std::string& name, Span where) {
        if (const auto at = locals_.find(name); at != locals_.end()) return at->second;
        if (name == "TIME") return time_;
        if (name == "TSTOP") return stop_;
        if (name == "CINT") return interval_;
        if (name == "PI" || name == "MATH.PI") return 3.14159265358979323846;
        if (name == "INTEG_END" || name == "STEADY_OK") return 1;
        if (name == "INTEG_NOK" || name == "STEADY_NOK") return 0;
        if (model_ && model_->kind(name)) {
            Diagnostics own;
            const auto v = model_->value(name, own);
            pass_on(own);
            if (v) return *v;
        }
        fail(el_messages::unknown_in_body(where, name));
    }
    double value(const Expression& e) { return named(path(e.name), e.where); }

    double number(const Expression& e) {
        switch (e.kind) {
            case ExpressionKind::Real:
            case ExpressionKind::Integer:
            case ExpressionKind::Boolean:
                return e.number;
            case ExpressionKind::Name:
                return value(e);
            case ExpressionKind::Derivative:
                return named("der(" + path(e.arguments[0].name) + ")", e.where);
            case ExpressionKind::Operation:
                return operation(e);
            case ExpressionKind::If:
                for (std::size_t i = 0; i + 1 < e.arguments.size(); i += 2)
                    if (number(e.arguments[i]) != 0) return number(e.arguments[i + 1]);
                return number(e.arguments.back());
            case ExpressionKind::Call:
                return call(e);
            default:
                fail(el_messages::not_in_body(e.where, "this expression"));
        }
    }

    double operation(const Expression& e) {
        const double a = number(e.arguments[0]);
        if (e.op == Operator::Not) return a == 0;
        if (e.op == Operator::Minus) return -a;
        if (e.op == Operator::Plus) return a;
        if (e.op == Operator::And && a == 0) return 0;
        if (e.op == Operator::Or && a != 0) return 1;
        const double b = number(e.arguments[1]);
        switch (e.op) {
            case Operator::Add:
                return a + b;
            case Operator::Subtract:
                return a - b;
            case Operator::Multiply:
                return a * b;
            case Operator::Divide:
                return a / b;
            case Operator::Power:
                return std::pow(a, b);
            case Operator::Less:
                return a < b;
            case Operator::LessEqual:
                return a <= b;
            case Operator::Greater:
                return a > b;
            case Operator::GreaterEqual:
                return a >= b;
            case Operator::Equal:
                return a == b;
            case Operator::NotEqual:
                return a != b;
            default:
                return b != 0;
        }
    }

    double call(const Expression& e) {
        const std::string& f = e.name.parts.back().name;
        if (const auto done = act(e)) return *done;
        if (f == "noEvent" && e.arguments.size() == 1) return number(e.arguments[0]);
        for (const el::File& file : workspace_.text.objects()->el)
            for (const el::Function& user : file.functions)
                if (user.name == f) return call_user(e, user);
        using One = double (*)(double);
        static const std::map<std::string, One> one = {{"sin", [](double x) { return std::sin(x); }},
                                                       {"cos", [](double x) { return std::cos(x); }},
                                                       {"tan", [](double x) { return std::tan(x); }},
                                                       {"asin", [](double x) { return std::asin(x); }},
                                                       {"acos", [](double x) { return std::acos(x); }},
                                                       {"atan", [](double x) { return std::atan(x); }},
                                                       {"sinh", [](double x) { return std::sinh(x); }},
                                                       {"cosh", [](double x) { return std::cosh(x); }},
                                                       {"tanh", [](double x) { return std::tanh(x); }},
                                                       {"sqrt", [](double x) { return std::sqrt(x); }},
                                                       {"exp", [](double x) { return std::exp(x); }},
                                                       {"log", [](double x) { return std::log(x); }},
                                                       {"log10", [](double x) { return std::log10(x); }},
                                                       {"abs", [](double x) { return std::fabs(x); }},
                                                       {"floor", [](double x) { return std::floor(x); }},
                                                       {"ceil", [](double x) { return std::ceil(x); }}};
        if (const auto at = one.find(f); at != one.end() && e.arguments.size() == 1)
            return at->second(number(e.arguments[0]));
        if (e.arguments.size() == 2) {
            const double a = number(e.arguments[0]), b = number(e.arguments[1]);
            if (f == "min") return std::min(a, b);
            if (f == "max") return std::max(a, b);
            if (f == "pow") return std::pow(a, b);
            if (f == "atan2") return std::atan2(a, b);
            if (f == "rem" || f == "fmod") return std::fmod(a, b);
        }
        fail(el_messages::not_in_body(e.where, f));
    }

    double call_user(const Expression& e, const el::Function& f) {
        if (++depth_ > call_depth) fail(el_messages::without_end(e.where));
        std::map<std::string, double> inside;
        for (std::size_t i = 0; i < f.arguments.size(); ++i) {
            const el::Declaration& d = f.arguments[i].declared;
            if (f.arguments[i].out || !d.dimensions.empty()) fail(el_messages::not_in_body(e.where, f.name));
            const Expression* given = i < e.arguments.size() ? &e.arguments[i] : nullptr;
            for (const object::NamedArgument& n : e.named)
                if (n.name == d.name) given = &*n.value;
            if (!given && d.init) given = &*d.init;
            if (!given) fail(el_messages::not_in_body(e.where, f.name + " with fewer arguments"));
            inside[d.name] = number(*given);
        }
        auto outside = std::exchange(locals_, std::move(inside));
        for (const el::Declaration& d : f.variables) {
            if (!d.dimensions.empty()) fail(el_messages::not_in_body(d.where, f.name));
            locals_[d.name] = d.init ? number(*d.init) : 0;
        }
        double result = 0;
        try {
            execute(f.body);
        } catch (const Return& r) {
            result = r.value;
        }
        locals_ = std::move(outside);
        --depth_;
        return result;
    }

    Workspace& workspace_;
    const el::Experiment& experiment_;
    LiveModel::Settings settings_;
    ElProgramHost& host_;
    Diagnostics& diagnostics_;
    std::unique_ptr<LiveModel> model_;
    Reports reports_;
    std::map<std::string, double> locals_, parameters_;
    std::map<std::string, std::pair<std::shared_ptr<const Checkpoint>, double>> saved_;
    double time_ = 0, stop_ = 10, interval_ = 0, last_end_ = 0, debug_level_ = 1;
    std::optional<double> tolerance_, absolute_, longest_step_;
    Solver solver_ = Solver::Auto;
    bool again_ = false;
    int transients_ = 0, periods_ = 0;
    int depth_ = 0;
    std::size_t executed_ = 0;
};

}  // namespace

bool run_el_program(Workspace& workspace, const el::Experiment& experiment, LiveModel::Settings settings,
                    ElProgramHost& host, Diagnostics& diagnostics) {
    return ExperimentProgram(workspace, experiment, std::move(settings), host, diagnostics).run();
}

}  // namespace cutset
