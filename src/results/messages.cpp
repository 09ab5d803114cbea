#include "results/messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"

namespace cutset::results_messages {

namespace {

std::string text(const FilePlace& at) {
    if (at.column) return fmt::format("{}:{}:{}", at.file, at.line, at.column);
    return fmt::format("{}:{}", at.file, at.line);
}

// A field as it can be shown: short and without control characters.
std::string shown(std::string_view field) {
    std::string out;
    for (char c : field.substr(0, 40)) out += static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
    if (field.size() > 40) out += "...";
    return out;
}

}  // namespace

Diagnostic cannot_read(const std::string& file, const std::string& reason) {
    return make_error("result-unreadable", fmt::format("{}: {}", file, reason));
}

Diagnostic cannot_write(const std::string& problem) {
    return make_error("cannot-write", problem);
}

Diagnostic is_a_model(const std::string& file) {
    return make_error("result-format", fmt::format("{} is a model, and a result is wanted here", file),
                      fmt::format("`cutset simulate {} -o run.csv` computes one", file));
}

Diagnostic unknown_format(const std::string& file) {
    return make_error(
        "result-format",
        fmt::format("{}: this is neither text, nor a MAT-file level 4, nor an archive of NumPy arrays", file),
        "results are read from .csv files, from .mat files as Dymola and OpenModelica write them, and from "
        ".npz files");
}

Diagnostic no_header(const std::string& file) {
    return make_error("result-empty", fmt::format("{}: the file has no line with column names", file),
                      "the first line must name the columns, for example: time,x,y");
}

Diagnostic names_made_up(const FilePlace& at) {
    return make_warning(
        "result-no-names",
        fmt::format(
            "{}: the first line has numbers, not names: the columns are called time, column2, column3, ...",
            text(at)));
}

Diagnostic quote_not_closed(const FilePlace& at) {
    return make_error("result-quote", fmt::format("{}: a quoted name starts here and never ends", text(at)),
                      "a name in quotes ends with \" before the next comma");
}

Diagnostic text_after_quote(const FilePlace& at) {
    return make_error("result-quote", fmt::format("{}: text after the closing quote of a field", text(at)),
                      "a quote inside a quoted name is written twice");
}

Diagnostic not_a_number(const FilePlace& at, std::string_view field, std::string_view column_name) {
    return make_error("result-number", fmt::format("{}: `{}` in column {} is not a number", text(at),
                                                   shown(field), shown(column_name)));
}

Diagnostic time_missing(const FilePlace& at) {
    return make_error("result-time",
                      fmt::format("{}: the time of this row is missing or not finite", text(at)));
}

Diagnostic time_backwards(const FilePlace& at, double before, double now) {
    return make_error("result-time",
                      fmt::format("{}: time runs backwards here, from {} to {}", text(at), before, now),
                      "the rows of a result are in the order of time; two equal times mean an event");
}

Diagnostic wrong_field_count(const FilePlace& at, std::size_t found, std::size_t expected) {
    return make_error("result-fields", fmt::format("{}: this line has {} field{}, the header has {}",
                                                   text(at), found, plural(found), expected));
}

Diagnostic last_line_incomplete(const FilePlace& at) {
    return make_warning(
        "result-truncated",
        fmt::format("{}: the last line does not end and is left out: it may be cut off", text(at)),
        "add a line end if it is whole");
}

Diagnostic name_twice(const FilePlace& at, std::string_view name) {
    return make_warning("result-name-twice",
                        fmt::format("{}: a second column named {} is left out", text(at), shown(name)));
}

Diagnostic not_a_trajectory(const std::string& file, const std::string& reason) {
    return make_error("result-mat", fmt::format("{}: this MAT-file holds no result: {}", file, reason),
                      "a result has the matrices Aclass, name, description, dataInfo, data_1 and data_2");
}

Diagnostic not_an_archive(const std::string& file, const std::string& reason) {
    return make_error("result-format", fmt::format("{}: this .npz file holds no result: {}", file, reason),
                      "a result has arrays of one dimension and of equal length, one of them named time");
}

Diagnostic mat_truncated(const std::string& file, std::size_t rows) {
    return make_warning("result-truncated", fmt::format("{}: the file ends early; {} whole row{} read", file,
                                                        rows, rows == 1 ? " is" : "s are"));
}

Diagnostic mat_variables_left_out(const std::string& file, std::size_t count, const std::string& first) {
    return make_warning(
        "result-mat-variables",
        fmt::format("{}: {} variable{} left out because the file has no data for {}, the first is {}", file,
                    count, count == 1 ? " is" : "s are", count == 1 ? "it" : "them", shown(first)));
}

Diagnostic mat_time_backwards(const std::string& file, std::size_t row, double before, double now) {
    return make_error("result-time", fmt::format("{}: time is not in order: row {} has {} after {}", file,
                                                 row + 1, now, before));
}

std::string nothing_matches(const std::string& pattern, const std::string& nearest) {
    return fmt::format("--output-variables: no variable of the result matches {}{}", shown(pattern),
                       nearest.empty() ? std::string(" (* stands for any letters, ? for one)")
                                       : fmt::format("; did you mean {}?", nearest));
}

Diagnostic unknown_variable(const std::string& name, const std::string& suggestion, std::size_t variables) {
    return make_error("unknown-variable", fmt::format("there is no variable {} in the result", shown(name)),
                      did_you_mean(suggestion, fmt::format("the result has {} columns", variables)));
}

std::string no_directory(const std::string& file, const std::string& directory) {
    return fmt::format("{}: cannot be written: the directory {} does not exist", file, directory);
}

Diagnostic nothing_to_plot() {
    return make_error("nothing-to-plot", "there is nothing to plot: the result has no rows");
}

Diagnostic plot_mixes_abscissas() {
    return make_error("plot-abscissas", "curves over time and curves y(x) cannot share one picture",
                      "make two pictures, one with the names and one with the pairs y(x)");
}

Diagnostic unknown_picture(const std::string& file) {
    return make_error("picture-format",
                      fmt::format("{}: the ending of a picture must be .svg, .png or .pdf", file));
}

Diagnostic not_json(const std::string& file, const std::string& reason) {
    return make_error("linear-file-json", fmt::format("{}: this is not JSON: {}", file, reason));
}

Diagnostic not_linear(const std::string& file, const std::string& reason) {
    return make_error(
        "linear-file", fmt::format("{}: no linear system can be read: {}", file, reason),
        "a system is {\"A\": [[…], …], \"B\": …, \"C\": …, \"D\": …} or {\"num\": […], \"den\": […]}");
}

Diagnostic descriptor_not_proper(const std::string& file) {
    return make_error(
        "descriptor-not-proper",
        fmt::format("{}: E x' = A x + B u has no state space form: E is singular, and the equations "
                    "without derivatives "
                    "do not determine the other unknowns",
                    file),
        "reduce the index first, or check E for rows or columns of zeros that were not meant");
}

Diagnostic zero_denominator(const std::string& file, std::size_t row, std::size_t column) {
    return make_error(
        "transfer-zero-denominator",
        fmt::format("{}: the denominator from input {} to output {} is zero", file, column, row));
}

Diagnostic unknown_linear_format(const std::string& file) {
    return make_error(
        "linear-file-format",
        fmt::format("{}: the ending of a file for a linear system must be .json, .mat, .mim or .dym (a "
                    "transfer function: .json)",
                    file));
}

Diagnostic sampled_as_model(const std::string& file) {
    return make_error("linear-file-format",
                      fmt::format("{}: a sampled system cannot be written as a model; .json, .mat and .mim "
                                  "take it",
                                  file));
}

}  // namespace cutset::results_messages
