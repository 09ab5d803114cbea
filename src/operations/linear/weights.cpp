#include "operations/linear/weights.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/letters.h"
#include "operations/linear/linear_messages.h"

namespace cutset {

namespace {

std::optional<double> number(const std::string& given) {
    const std::string text(trimmed(given));
    const char* begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
    double value = 0;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
    return value;
}

std::vector<std::string> split(const std::string& text, const std::string& separators) {
    std::vector<std::string> out{""};
    int depth = 0;
    for (char c : text) {
        if (c == '[' || c == '(') ++depth;
        if (c == ']' || c == ')') --depth;
        if (depth == 0 && separators.find(c) != std::string::npos)
            out.emplace_back();
        else
            out.back() += c;
    }
    for (std::string& part : out) part = std::string(trimmed(part));
    return out;
}

std::optional<Eigen::MatrixXd> from_rows(const std::vector<std::vector<double>>& rows) {
    const std::size_t columns = rows.empty() ? 0 : rows[0].size();
    Eigen::MatrixXd out(rows.size(), columns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].size() != columns) return {};
        for (std::size_t j = 0; j < columns; ++j) out(Eigen::Index(i), Eigen::Index(j)) = rows[i][j];
    }
    return out;
}

std::optional<Eigen::MatrixXd> matrix_of_text(const std::string& text) {
    std::vector<std::vector<double>> rows;
    for (const std::string& line : split(text, ";\n")) {
        if (line.empty() || line[0] == '#') continue;
        rows.emplace_back();
        for (const std::string& field : split(line, ", \t")) {
            if (field.empty()) continue;
            const auto value = number(field);
            if (!value) return {};
            rows.back().push_back(*value);
        }
    }
    return from_rows(rows);
}

std::optional<Eigen::MatrixXd> matrix_of_json(const nlohmann::json& j) {
    if (j.is_number()) return Eigen::MatrixXd::Constant(1, 1, j.get<double>());
    if (!j.is_array()) return {};
    std::vector<std::vector<double>> rows;
    for (const auto& row : j) {
        rows.emplace_back();
        if (row.is_number()) {
            rows.back().push_back(row.get<double>());
            continue;
        }
        if (!row.is_array()) return {};
        for (const auto& value : row) {
            if (!value.is_number()) return {};
            rows.back().push_back(value.get<double>());
        }
    }
    return from_rows(rows);
}

bool is_matrix_file(const std::string& text) {
    for (const char* ending : {".json", ".csv", ".txt"})
        if (text.size() > 4 && text.ends_with(ending)) return true;
    return false;
}

}  // namespace

std::optional<Eigen::MatrixXd> read_matrix(const std::string& text, const std::string& name,
                                           Diagnostics& diagnostics) {
    const auto fail = [&](Diagnostic d) {
        diagnostics.report(std::move(d));
        return std::nullopt;
    };
    if (is_matrix_file(text)) {
        std::ifstream file(text);
        if (!file) return fail(linear_messages::matrix_file_not_read(name, text));
        std::stringstream content;
        content << file.rdbuf();
        std::optional<Eigen::MatrixXd> out;
        if (text.ends_with(".json")) {
            const auto j = nlohmann::json::parse(content.str(), nullptr, false);
            if (j.is_object() && j.contains(name))
                out = matrix_of_json(j[name]);
            else if (!j.is_discarded())
                out = matrix_of_json(j);
        } else {
            out = matrix_of_text(content.str());
        }
        if (!out) return fail(linear_messages::not_a_matrix(name, text));
        return out;
    }
    std::string inner(trimmed(text));
    if (inner.rfind("[[", 0) == 0) {
        const auto j = nlohmann::json::parse(inner, nullptr, false);
        const auto out = j.is_discarded() ? std::nullopt : matrix_of_json(j);
        if (!out) return fail(linear_messages::not_a_matrix(name, text));
        return out;
    }
    if (inner.size() >= 2 && inner.front() == '[' && inner.back() == ']')
        inner = inner.substr(1, inner.size() - 2);
    const auto out = matrix_of_text(inner);
    if (!out) return fail(linear_messages::not_a_matrix(name, text));
    return out;
}

std::optional<NamedWeight> read_weight(const std::string& text, const std::string& name,
                                       const std::vector<std::string>& names, const std::string& what,
                                       const std::vector<std::string>& alternatives, const std::string& other,
                                       Diagnostics& diagnostics) {
    NamedWeight out;
    const Eigen::Index n = Eigen::Index(names.size());
    if (const auto value = number(text)) {
        out.matrix = *value * Eigen::MatrixXd::Identity(n, n);
        return out;
    }
    if (is_matrix_file(text) || trimmed(text).rfind('[', 0) == 0 || text.find('=') == std::string::npos) {
        auto matrix = read_matrix(text, name, diagnostics);
        if (!matrix) return {};
        // A row or column of numbers is a diagonal.
        const Eigen::Index length = std::max(matrix->rows(), matrix->cols());
        if (length > 1 && std::min(matrix->rows(), matrix->cols()) == 1) {
            const Eigen::VectorXd diagonal =
                Eigen::Map<const Eigen::VectorXd>(matrix->data(), matrix->size());
            matrix = Eigen::MatrixXd(diagonal.asDiagonal());
        }
        if (matrix->rows() != n && matrix->rows() == Eigen::Index(alternatives.size()))
            out.of_alternatives = true;
        out.matrix = *matrix;
        return out;
    }
    out.matrix = Eigen::MatrixXd::Zero(n, n);
    bool first = true;
    for (const std::string& part : split(text, ",")) {
        if (part.empty()) continue;
        const std::size_t equal = part.rfind('=');
        const auto value = equal == std::string::npos ? std::nullopt : number(part.substr(equal + 1));
        if (!value) {
            diagnostics.report(
                linear_messages::not_name_and_number(name, part, names.empty() ? "x" : names[0]));
            return {};
        }
        const std::string wanted(trimmed(part.substr(0, equal)));
        const auto position = [&](const std::vector<std::string>& list) {
            return std::find(list.begin(), list.end(), wanted) - list.begin();
        };
        bool alternative = position(names) == n;
        if (first && alternative && position(alternatives) < Eigen::Index(alternatives.size())) {
            out.of_alternatives = true;
            out.matrix =
                Eigen::MatrixXd::Zero(Eigen::Index(alternatives.size()), Eigen::Index(alternatives.size()));
        }
        const std::vector<std::string>& list = out.of_alternatives ? alternatives : names;
        const Eigen::Index at = position(list);
        if (at == Eigen::Index(list.size())) {
            diagnostics.report(linear_messages::unknown_weight(
                name, wanted, out.of_alternatives ? other : what, names, what, alternatives, other));
            return {};
        }
        out.matrix(at, at) = *value;
        first = false;
    }
    return out;
}

std::optional<std::vector<std::complex<double>>> read_poles(const std::vector<std::string>& texts,
                                                            Diagnostics& diagnostics) {
    std::vector<std::complex<double>> out;
    for (const std::string& list : texts)
        for (std::string text : split(list, ",; ")) {
            if (text.empty()) continue;
            const std::string given = text;
            bool both = false;
            for (const char* sign : {"±", "+-", "+/-"})
                if (const std::size_t at = text.find(sign); at != std::string::npos) {
                    text.replace(at, std::string(sign).size(), "+");
                    both = true;
                    break;
                }
            std::optional<double> re, im = 0.0;
            if (!text.empty() && (text.back() == 'i' || text.back() == 'j')) {
                text.pop_back();
                if (!text.empty() && text.back() == '*') text.pop_back();
                // The sign of the imaginary part: the last one that is no exponent's.
                std::size_t at = text.size();
                while (at-- > 0)
                    if ((text[at] == '+' || text[at] == '-') &&
                        (at == 0 || (text[at - 1] != 'e' && text[at - 1] != 'E')))
                        break;
                const std::size_t start = at == std::string::npos ? 0 : at;
                std::string imaginary = text.substr(start);
                if (imaginary.empty() || imaginary == "+" || imaginary == "-") imaginary += "1";
                im = number(imaginary);
                re = start == 0 ? 0.0 : number(text.substr(0, start));
            } else {
                re = number(text);
            }
            if (!re || !im) {
                diagnostics.report(linear_messages::not_a_pole(given));
                return {};
            }
            out.emplace_back(*re, *im);
            if (both && *im != 0) out.emplace_back(*re, -*im);
        }
    return out;
}

}  // namespace cutset
