#include "results/linear_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/letters.h"
#include "base/mat_matrices.h"
#include "control/descriptor.h"
#include "control/polynomial.h"
#include "results/messages.h"

namespace cutset {

namespace {

namespace messages = results_messages;
using nlohmann::json;

std::string ending(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string::npos ? "" : lower_case(path.substr(dot));
}

bool is_numbers(const json& j) {
    return j.is_array() && std::all_of(j.begin(), j.end(), [](const json& x) { return x.is_number(); });
}

// What is wrong with it, or "".
std::string read_matrix(const json& j, Eigen::MatrixXd& out) {
    if (j.is_number()) {
        out.resize(1, 1);
        out(0, 0) = j.get<double>();
        return "";
    }
    if (!j.is_array()) return "is not a list of rows of numbers";
    if (is_numbers(j) && !j.empty()) {  // one row
        out.resize(1, static_cast<Eigen::Index>(j.size()));
        for (std::size_t k = 0; k < j.size(); ++k) out(0, static_cast<Eigen::Index>(k)) = j[k].get<double>();
        return "";
    }
    const std::size_t rows = j.size(), columns = rows && j[0].is_array() ? j[0].size() : 0;
    out.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
    for (std::size_t i = 0; i < rows; ++i) {
        if (!is_numbers(j[i])) return fmt::format("has something else than numbers in row {}", i + 1);
        if (j[i].size() != columns)
            return fmt::format("has {} numbers in row {} and {} in row 1", j[i].size(), i + 1, columns);
        for (std::size_t k = 0; k < columns; ++k) {
            const double v = j[i][k].get<double>();
            out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = v;
        }
    }
    return "";
}

bool read_names(const json& j, std::vector<std::string>& out) {
    if (!j.is_array()) return false;
    for (const json& name : j) {
        if (!name.is_string()) return false;
        out.push_back(name.get<std::string>());
    }
    return true;
}

std::optional<ExactPolynomial> polynomial(const json& j) {
    if (j.is_number()) return ExactPolynomial(Coefficient(simple_rational(j.get<double>())));
    if (!is_numbers(j) || j.empty()) return std::nullopt;
    std::vector<Coefficient> lowest_first;
    for (std::size_t k = j.size(); k-- > 0;) {
        const double v = j[k].get<double>();
        if (!std::isfinite(v)) return std::nullopt;
        lowest_first.emplace_back(simple_rational(v));
    }
    return ExactPolynomial(std::move(lowest_first));
}

// num or den: one polynomial, or rows of them. Empty when it is neither.
std::vector<std::vector<ExactPolynomial>> polynomials(const json& j) {
    if (const auto one = polynomial(j)) return {{*one}};
    std::vector<std::vector<ExactPolynomial>> out;
    if (!j.is_array()) return {};
    for (const json& row : j) {
        out.emplace_back();
        if (!row.is_array()) return {};
        if (is_numbers(row) && !row.empty()) return {};
        for (const json& element : row) {
            const auto p = polynomial(element);
            if (!p) return {};
            out.back().push_back(*p);
        }
        if (out.back().size() != out.front().size() || out.back().empty()) return {};
    }
    return out;
}

class JsonReader {
  public:
    JsonReader(const std::string& file, const json& j, Sources& sources, Diagnostics& diagnostics)
        : file_(file), j_(j), sources_(sources), diagnostics_(diagnostics) {}

    std::optional<LinearSystem> read() {
        if (!j_.is_object()) return fail("it is not an object { … } with keys like A or num");
        if (const auto at = j_.find("sample_time"); at != j_.end() && !at->is_null()) {
            if (!at->is_number() || !(at->get<double>() >= 0))
                return fail("sample_time is not a positive number");
            if (at->get<double>() > 0) sample_time_ = at->get<double>();
        }
        for (const auto& [key, names] :
             {std::pair{"states", &states_}, {"inputs", &inputs_}, {"outputs", &outputs_}})
            if (const auto at = j_.find(key); at != j_.end() && !at->is_null() && !read_names(*at, *names))
                return fail(fmt::format("{} is not a list of names", key));
        if (j_.contains("A")) return read_state_space();
        if (j_.contains("tf")) return read_texts();
        if (j_.contains("num") || j_.contains("den")) return read_fractions();
        if (j_.contains("D")) return read_state_space();
        return fail("it has neither A nor num and den nor tf");
    }

  private:
    std::nullopt_t fail(const std::string& reason) {
        diagnostics_.report(messages::not_linear(file_, reason));
        return std::nullopt;
    }

    std::optional<LinearSystem> read_state_space() {
        StateSpace s;
        Eigen::MatrixXd E;
        for (const auto& [key, matrix] :
             {std::pair{"A", &s.A}, {"B", &s.B}, {"C", &s.C}, {"D", &s.D}, {"E", &E}})
            if (const auto at = j_.find(key); at != j_.end() && !at->is_null()) {
                if (const std::string problem = read_matrix(*at, *matrix); !problem.empty())
                    return fail(fmt::format("{} {}", key, problem));
                if (!matrix->allFinite())
                    return fail(fmt::format("{} has an element that is not finite", key));
            }
        // One row for a single state or output may be meant as a column.
        const auto as_column = [](Eigen::MatrixXd& m, Eigen::Index rows) {
            if (m.rows() == 1 && rows > 1 && m.cols() == rows) m.transposeInPlace();
        };
        as_column(s.B, s.A.rows());
        s.states = states_;
        s.inputs = inputs_;
        s.outputs = outputs_;
        s.sample_time = sample_time_;
        return finish(std::move(s), E);
    }

  public:
    std::optional<LinearSystem> finish(StateSpace s, const Eigen::MatrixXd& E) {
        if (const std::string problem = complete(s); !problem.empty()) return fail(problem);
        if (E.size() == 0) return LinearSystem(std::move(s));
        if (E.rows() != s.A.rows() || E.cols() != s.A.cols()) return fail("E is not of the size of A");
        auto reduced = reduce_descriptor(s, E);
        if (!reduced) {
            diagnostics_.report(messages::descriptor_not_proper(file_));
            return std::nullopt;
        }
        return LinearSystem(std::move(*reduced));
    }

  private:
    std::optional<LinearSystem> read_fractions() {
        ExactTransferMatrix g;
        if (!j_.contains("num")) return fail("it has den but no num");
        if (!j_.contains("den")) return fail("it has num but no den");
        const auto num = polynomials(j_["num"]), den = polynomials(j_["den"]);
        if (num.empty()) return fail("num is neither a list of numbers nor rows of such lists");
        if (den.empty()) return fail("den is neither a list of numbers nor rows of such lists");
        const bool common = den.size() == 1 && den[0].size() == 1;
        if (!common && (den.size() != num.size() || den[0].size() != num[0].size()))
            return fail(fmt::format("num has {} by {} polynomials, den {} by {}", num.size(), num[0].size(),
                                    den.size(), den[0].size()));
        for (std::size_t i = 0; i < num.size(); ++i) {
            g.elements.emplace_back();
            for (std::size_t k = 0; k < num[i].size(); ++k) {
                const ExactPolynomial& below = common ? den[0][0] : den[i][k];
                if (below.is_zero()) {
                    diagnostics_.report(messages::zero_denominator(file_, i + 1, k + 1));
                    return std::nullopt;
                }
                g.elements.back().push_back({num[i][k], below});
            }
        }
        g.delays.assign(g.rows(), std::vector<Rational>(g.columns()));
        if (const auto at = j_.find("delay"); at != j_.end()) {
            Eigen::MatrixXd delays;
            if (!read_matrix(*at, delays).empty() || !delays.allFinite() || delays.minCoeff() < 0 ||
                (delays.size() != 1 && (delays.rows() != static_cast<Eigen::Index>(g.rows()) ||
                                        delays.cols() != static_cast<Eigen::Index>(g.columns()))))
                return fail("delay is neither a number nor a matrix of the size of num");
            for (std::size_t i = 0; i < g.rows(); ++i)
                for (std::size_t k = 0; k < g.columns(); ++k)
                    g.delays[i][k] =
                        simple_rational(delays.size() == 1 ? delays(0, 0)
                                                           : delays(static_cast<Eigen::Index>(i),
                                                                    static_cast<Eigen::Index>(k)));
        }
        g.variable = sample_time_ ? "z" : "s";
        g.sample_time = sample_time_;
        return named(std::move(g));
    }

    std::optional<LinearSystem> read_texts() {
        const json& j = j_["tf"];
        std::string text;
        if (j.is_string()) {
            text = j.get<std::string>();
        } else if (j.is_array()) {
            text = "[";
            for (std::size_t i = 0; i < j.size(); ++i) {
                if (!j[i].is_array()) return fail("tf is neither a text nor rows of texts");
                for (std::size_t k = 0; k < j[i].size(); ++k) {
                    if (!j[i][k].is_string()) return fail("tf is neither a text nor rows of texts");
                    text += (k ? ", " : i ? "; " : "") + j[i][k].get<std::string>();
                }
            }
            text += "]";
        } else {
            return fail("tf is neither a text nor rows of texts");
        }
        auto g =
            parse_transfer_matrix(sources_.add(file_ + ", tf", text), sources_, sample_time_, diagnostics_);
        if (!g) return std::nullopt;
        return named(std::move(*g));
    }

    std::optional<LinearSystem> named(ExactTransferMatrix g) {
        if (!inputs_.empty() && inputs_.size() != g.columns())
            return fail(fmt::format("it names {} inputs and has {}", inputs_.size(), g.columns()));
        if (!outputs_.empty() && outputs_.size() != g.rows())
            return fail(fmt::format("it names {} outputs and has {}", outputs_.size(), g.rows()));
        if (!inputs_.empty()) g.inputs = inputs_;
        if (!outputs_.empty()) g.outputs = outputs_;
        complete_names(g.inputs, g.columns(), "u");
        complete_names(g.outputs, g.rows(), "y");
        return LinearSystem(std::move(g));
    }

    const std::string& file_;
    const json& j_;
    Sources& sources_;
    Diagnostics& diagnostics_;
    std::vector<std::string> states_, inputs_, outputs_;
    std::optional<double> sample_time_;
};

Eigen::MatrixXd as_eigen(const NamedMatrix& m) {
    if (m.values.empty())
        return Eigen::MatrixXd(static_cast<Eigen::Index>(m.rows), static_cast<Eigen::Index>(m.columns));
    return Eigen::Map<const Eigen::MatrixXd>(m.values.data(), static_cast<Eigen::Index>(m.rows),
                                             static_cast<Eigen::Index>(m.columns));
}

std::optional<LinearSystem> read_linear_mat(const std::string& file, std::string_view bytes, Sources& sources,
                                            Diagnostics& diagnostics) {
    const auto fail = [&](const std::string& reason) {
        diagnostics.report(messages::not_linear(file, reason));
        return std::nullopt;
    };
    std::string problem;
    const auto matrices = read_mat_matrices(bytes, problem);
    if (!matrices) return fail(problem);
    const auto find = [&](std::initializer_list<const char*> names) -> const NamedMatrix* {
        for (const char* name : names)
            for (const NamedMatrix& m : *matrices)
                if (m.name == name) return &m;
        return nullptr;
    };
    const auto names = [&](std::initializer_list<const char*> keys) {
        std::vector<std::string> out;
        if (const NamedMatrix* m = find(keys); m && m->text)
            for (std::size_t i = 0; i < m->rows; ++i) out.push_back(m->text_row(i));
        return out;
    };
    StateSpace s;
    Eigen::MatrixXd E;
    if (const NamedMatrix* all = find({"ABCD"})) {
        const NamedMatrix* count = find({"nx"});
        if (!count || count->values.empty()) return fail("it has ABCD but not nx, the number of states");
        const auto n = static_cast<Eigen::Index>(count->values[0]);
        const Eigen::MatrixXd m = as_eigen(*all);
        if (n < 0 || n > m.rows() || n > m.cols()) return fail("nx does not fit ABCD");
        s.A = m.topLeftCorner(n, n);
        s.B = m.topRightCorner(n, m.cols() - n);
        s.C = m.bottomLeftCorner(m.rows() - n, n);
        s.D = m.bottomRightCorner(m.rows() - n, m.cols() - n);
        const std::vector<std::string> list = names({"xuyName"});
        if (list.size() == static_cast<std::size_t>(m.rows() + m.cols() - n)) {
            const auto inputs = list.begin() + n, outputs = inputs + (m.cols() - n);
            s.states.assign(list.begin(), inputs);
            s.inputs.assign(inputs, outputs);
            s.outputs.assign(outputs, list.end());
        }
    } else if (find({"A", "a", "D", "d"})) {
        for (const auto& [upper, lower, to] : {std::tuple{"A", "a", &s.A},
                                               {"B", "b", &s.B},
                                               {"C", "c", &s.C},
                                               {"D", "d", &s.D},
                                               {"E", "e", &E}})
            if (const NamedMatrix* m = find({upper, lower})) *to = as_eigen(*m);
        s.states = names({"states", "StateName"});
        s.inputs = names({"inputs", "InputName"});
        s.outputs = names({"outputs", "OutputName"});
    } else if (const NamedMatrix* num = find({"num"}), *den = find({"den"}); num && den) {
        json j;
        j["num"] = num->values;
        j["den"] = den->values;
        if (const NamedMatrix* t = find({"sample_time", "Ts"}); t && !t->values.empty())
            j["sample_time"] = t->values[0];
        return JsonReader(file, j, sources, diagnostics).read();
    } else {
        return fail("it has none of the matrices A, ABCD, num and den");
    }
    if (!s.A.allFinite() || !s.B.allFinite() || !s.C.allFinite() || !s.D.allFinite())
        return fail("a matrix has an element that is not finite");
    if (const NamedMatrix* t = find({"sample_time", "Ts"}); t && !t->values.empty() && t->values[0] > 0)
        s.sample_time = t->values[0];
    const json none;
    return JsonReader(file, none, sources, diagnostics).finish(std::move(s), E);
}

// nmp = n m p, then a, b, c, d: names, equal signs and numbers.
std::optional<LinearSystem> read_linear_text(const std::string& file, const std::string& text,
                                             Sources& sources, Diagnostics& diagnostics) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < text.size();) {
        if (std::isspace(static_cast<unsigned char>(text[i]))) {
            ++i;
            continue;
        }
        std::size_t end = i + 1;
        if (text[i] != '=')
            while (end < text.size() && !std::isspace(static_cast<unsigned char>(text[end])) &&
                   text[end] != '=')
                ++end;
        words.push_back(text.substr(i, end - i));
        i = end;
    }
    std::vector<std::pair<std::string, std::vector<double>>> blocks;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i + 1 < words.size() && words[i + 1] == "=") {
            blocks.emplace_back(words[i], std::vector<double>());
            ++i;
            continue;
        }
        const auto number = rational_from_text(words[i]);
        if (!number || blocks.empty()) {
            diagnostics.report(messages::not_linear(file, fmt::format("`{}` is not a number", words[i])));
            return std::nullopt;
        }
        blocks.back().second.push_back(Coefficient(*number).value());
    }
    const auto find = [&](const char* name) {
        const auto at =
            std::find_if(blocks.begin(), blocks.end(), [&](const auto& b) { return b.first == name; });
        return at == blocks.end() ? std::vector<double>() : at->second;
    };
    const std::vector<double> sizes = find("nmp");
    StateSpace s;
    const bool sound = sizes.size() == 3 && std::all_of(sizes.begin(), sizes.end(), [](double v) {
                           return v >= 0 && v < 1e5 && v == std::floor(v);
                       });
    if (!sound) {
        diagnostics.report(
            messages::not_linear(file, "nmp does not give the numbers of states, inputs and outputs"));
        return std::nullopt;
    }
    const auto n = static_cast<Eigen::Index>(sizes[0]), m = static_cast<Eigen::Index>(sizes[1]),
               p = static_cast<Eigen::Index>(sizes[2]);
    for (const auto& [name, to, rows, columns] :
         {std::tuple{"a", &s.A, n, n}, {"b", &s.B, n, m}, {"c", &s.C, p, n}, {"d", &s.D, p, m}}) {
        const std::vector<double> values = find(name);
        if (values.size() != static_cast<std::size_t>(rows * columns)) {
            diagnostics.report(messages::not_linear(
                file,
                fmt::format("{} has {} numbers, {} by {} are expected", name, values.size(), rows, columns)));
            return std::nullopt;
        }
        to->resize(rows, columns);
        for (Eigen::Index i = 0; i < rows; ++i)
            for (Eigen::Index k = 0; k < columns; ++k)
                (*to)(i, k) = values[static_cast<std::size_t>(i * columns + k)];
    }
    const json none;
    return JsonReader(file, none, sources, diagnostics).finish(std::move(s), {});
}

json rows_of(const Eigen::MatrixXd& m) {
    json rows = json::array();
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
        json row = json::array();
        for (Eigen::Index k = 0; k < m.cols(); ++k) row.push_back(m(i, k));
        rows.push_back(std::move(row));
    }
    return rows;
}

NamedMatrix as_named(const std::string& name, const Eigen::MatrixXd& m) {
    NamedMatrix out{name, false, static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols()), {}};
    out.values.assign(m.data(), m.data() + m.size());
    return out;
}

NamedMatrix as_named(const std::string& name, const std::vector<std::string>& texts) {
    std::size_t width = 0;
    for (const std::string& t : texts) width = std::max(width, t.size());
    NamedMatrix out{name, true, texts.size(), width, std::vector<double>(texts.size() * width, ' ')};
    for (std::size_t i = 0; i < texts.size(); ++i)
        for (std::size_t k = 0; k < texts[i].size(); ++k)
            out.values[k * texts.size() + i] = static_cast<unsigned char>(texts[i][k]);
    return out;
}

// Rows on lines of their own.
std::string pretty(const json& j) {
    std::string out = "{";
    const char* comma = "\n";
    for (const auto& [key, value] : j.items()) {
        out += fmt::format("{}  {}: ", comma, json(key).dump());
        comma = ",\n";
        if (value.is_array() && !value.empty() && value[0].is_array()) {
            out += "[";
            for (std::size_t i = 0; i < value.size(); ++i)
                out += (i ? ",\n    " : "\n    ") + value[i].dump();
            out += "\n  ]";
        } else {
            out += value.dump();
        }
    }
    return out + "\n}\n";
}

Problem save(const std::string& path, const std::string& bytes) {
    std::string problem;
    if (!write_file(path, bytes, problem)) return path + ": cannot be written: " + problem;
    return std::nullopt;
}

}  // namespace

bool is_linear_file(const std::string& path) {
    const std::string e = ending(path);
    return e == ".json" || e == ".mat" || e == ".mim";
}

std::string complete(StateSpace& s) {
    const Eigen::Index n = s.A.rows();
    if (s.A.rows() != s.A.cols())
        return fmt::format("A is not square: it has {} rows and {} columns", s.A.rows(), s.A.cols());
    const Eigen::Index inputs = s.B.size() ? s.B.cols() : s.D.cols();
    if (s.B.size() == 0) s.B = Eigen::MatrixXd::Zero(n, inputs);
    if (s.B.rows() != n) return fmt::format("B has {} rows, A has {}", s.B.rows(), n);
    if (s.C.size() == 0 && s.D.rows() == 0) {
        s.C = Eigen::MatrixXd::Identity(n, n);
        if (s.outputs.empty()) s.outputs = s.states;
    }
    if (s.C.size() == 0) s.C = Eigen::MatrixXd::Zero(s.D.rows(), n);
    if (s.C.cols() != n) return fmt::format("C has {} columns, A has {} rows", s.C.cols(), n);
    if (s.D.size() == 0) s.D = Eigen::MatrixXd::Zero(s.C.rows(), s.B.cols());
    // A single number stands for a matrix of zeros.
    if (s.D.size() == 1 && s.D(0, 0) == 0) s.D = Eigen::MatrixXd::Zero(s.C.rows(), s.B.cols());
    if (s.D.rows() != s.C.rows() || s.D.cols() != s.B.cols())
        return fmt::format("D has {} rows and {} columns, C has {} rows and B {} columns", s.D.rows(),
                           s.D.cols(), s.C.rows(), s.B.cols());
    for (const auto& [names, count, what] : {std::tuple{&s.states, n, "states"},
                                             {&s.inputs, s.B.cols(), "inputs"},
                                             {&s.outputs, s.C.rows(), "outputs"}})
        if (!names->empty() && names->size() != static_cast<std::size_t>(count))
            return fmt::format("it names {} {} and has {}", names->size(), what, count);
    complete_names(s.states, static_cast<std::size_t>(n), "x");
    complete_names(s.inputs, static_cast<std::size_t>(s.B.cols()), "u");
    complete_names(s.outputs, static_cast<std::size_t>(s.C.rows()), "y");
    return "";
}

std::optional<LinearSystem> read_linear_json(const std::string& path, const std::string& text,
                                             Sources& sources, Diagnostics& diagnostics) {
    json j;
    try {
        j = json::parse(text, nullptr, true, true);
    } catch (const json::exception& e) {
        // "[json.exception…] parse error at line 3, column 5: …" without the part about our library
        std::string reason = e.what();
        if (const std::size_t at = reason.find("] "); at != std::string::npos) reason = reason.substr(at + 2);
        diagnostics.report(messages::not_json(path, reason));
        return std::nullopt;
    }
    return JsonReader(path, j, sources, diagnostics).read();
}

std::optional<LinearSystem> read_linear_file(const std::string& path, Sources& sources,
                                             Diagnostics& diagnostics) {
    std::string problem;
    const auto bytes = read_file(path, problem);
    if (!bytes) {
        diagnostics.report(messages::cannot_read(path, problem));
        return std::nullopt;
    }
    const std::string kind = ending(path);
    if (kind == ".mat") return read_linear_mat(path, *bytes, sources, diagnostics);
    if (kind == ".mim") return read_linear_text(path, *bytes, sources, diagnostics);
    return read_linear_json(path, *bytes, sources, diagnostics);
}

namespace {

// Names that the language takes, each once.
class ModelNames {
  public:
    std::string add(const std::string& name) {
        std::string out;
        for (char c : name) out += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
        if (out.empty() || !std::isalpha(static_cast<unsigned char>(out[0]))) out.insert(0, "x");
        while (std::find(used_.begin(), used_.end(), out) != used_.end()) out += "_";
        used_.push_back(out);
        return out;
    }
    std::vector<std::string> add(const std::vector<std::string>& names) {
        std::vector<std::string> out;
        for (const std::string& name : names) out.push_back(add(name));
        return out;
    }

  private:
    std::vector<std::string> used_ = {"time"};
};

// "2*x - 0.5*v"
std::string row_text(const Eigen::MatrixXd& m, Eigen::Index row, const std::vector<std::string>& names) {
    std::string out;
    for (Eigen::Index k = 0; k < m.cols(); ++k) {
        const double c = m(row, k);
        if (c == 0) continue;
        out += out.empty() ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + ");
        out += (std::fabs(c) == 1 ? "" : fmt::format("{}*", std::fabs(c))) + names[std::size_t(k)];
    }
    return out;
}

// A component with the inputs and outputs of the system, in the Dymola language.
std::string model_text(const StateSpace& s, const std::string& path) {
    const std::size_t slash = path.rfind('/');
    std::string stem = path.substr(slash == std::string::npos ? 0 : slash + 1);
    stem.resize(stem.rfind('.'));
    ModelNames names;
    const std::string type = names.add(stem);
    const auto inputs = names.add(s.inputs), outputs = names.add(s.outputs), states = names.add(s.states);
    const auto line = [](const char* word, const std::vector<std::string>& list) {
        std::string out = list.empty() ? "" : std::string("  ") + word;
        for (const std::string& name : list) out += " " + name;
        return list.empty() ? out : out + "\n";
    };
    const auto sum = [](const std::string& a, const std::string& b) {
        if (a.empty() || b.empty()) return a.empty() && b.empty() ? std::string("0") : a + b;
        return a + (b[0] == '-' ? " - " + b.substr(1) : " + " + b);
    };
    std::string out = fmt::format("model type {}\n  {{ A linear system of {} states. }}\n", type, s.order());
    out += line("input", inputs) + line("output", outputs) + line("local", states);
    for (Eigen::Index i = 0; i < s.order(); ++i)
        out += fmt::format("  {}' = {}\n", states[std::size_t(i)],
                           sum(row_text(s.A, i, states), row_text(s.B, i, inputs)));
    for (Eigen::Index i = 0; i < s.C.rows(); ++i)
        out += fmt::format("  {} = {}\n", outputs[std::size_t(i)],
                           sum(row_text(s.C, i, states), row_text(s.D, i, inputs)));
    for (const std::string& state : states) out += fmt::format("  {}(0) = 0\n", state);
    return out + "end\n";
}

}  // namespace

Problem write_linear_file(const StateSpace& s, const std::string& path) {
    const std::string kind = ending(path);
    if (kind == ".dym") {
        if (s.sample_time) return messages::sampled_as_model(path).message;
        return save(path, model_text(s, path));
    }
    if (kind == ".json") {
        json j = {{"A", rows_of(s.A)},  {"B", rows_of(s.B)},  {"C", rows_of(s.C)},   {"D", rows_of(s.D)},
                  {"states", s.states}, {"inputs", s.inputs}, {"outputs", s.outputs}};
        if (s.sample_time) j["sample_time"] = *s.sample_time;
        return save(path, pretty(j));
    }
    if (kind == ".mat") {
        std::vector<NamedMatrix> all = {as_named("A", s.A),
                                        as_named("B", s.B),
                                        as_named("C", s.C),
                                        as_named("D", s.D),
                                        as_named("states", s.states),
                                        as_named("inputs", s.inputs),
                                        as_named("outputs", s.outputs)};
        if (s.sample_time)
            all.push_back(as_named("sample_time", Eigen::MatrixXd::Constant(1, 1, *s.sample_time)));
        return save(path, mat_matrices_text(all));
    }
    if (kind == ".mim") {
        std::string out = fmt::format("nmp =\n\n{} {} {}\n", s.A.rows(), s.B.cols(), s.C.rows());
        for (const auto& [name, m] : {std::pair{"a", &s.A}, {"b", &s.B}, {"c", &s.C}, {"d", &s.D}}) {
            out += fmt::format("\n{} =\n\n", name);
            for (Eigen::Index i = 0; i < m->rows(); ++i)
                for (Eigen::Index k = 0; k < m->cols(); ++k)
                    out += fmt::format("{}{}", (*m)(i, k), k + 1 < m->cols() ? " " : "\n");
        }
        return save(path, out);
    }
    return messages::unknown_linear_format(path).message;
}

Problem write_linear_file(const ExactTransferMatrix& g, const std::string& path) {
    if (ending(path) != ".json") return messages::unknown_linear_format(path).message;
    json num = json::array(), den = json::array(), delays = json::array();
    for (std::size_t i = 0; i < g.rows(); ++i) {
        num.push_back(json::array());
        den.push_back(json::array());
        delays.push_back(json::array());
        for (std::size_t k = 0; k < g.columns(); ++k) {
            num.back().push_back(g.elements[i][k].numerator.numbers());
            den.back().push_back(g.elements[i][k].denominator.numbers());
            delays.back().push_back(Coefficient(g.delays[i][k]).value());
        }
    }
    json j = {{"inputs", g.inputs}, {"outputs", g.outputs}};
    const bool single = g.rows() == 1 && g.columns() == 1;
    j["num"] = single ? num[0][0] : num;
    j["den"] = single ? den[0][0] : den;
    if (g.has_delays()) j["delay"] = single ? delays[0][0] : delays;
    if (g.sample_time) j["sample_time"] = *g.sample_time;
    return save(path, pretty(j));
}

}  // namespace cutset
