// What the results layer says to the user: one function for each message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace cutset::results_messages {

// A place in a result file; files may be larger than a Span can reach.
struct FilePlace {
    std::string file;
    std::size_t line = 0;    // from 1
    std::size_t column = 0;  // from 1, in characters; 0 for the whole line
};

Diagnostic cannot_read(const std::string& file, const std::string& reason);
// A result, a picture or another file: `problem` says what and why.
Diagnostic cannot_write(const std::string& problem);
Diagnostic is_a_model(const std::string& file);
Diagnostic unknown_format(const std::string& file);
Diagnostic no_header(const std::string& file);
Diagnostic names_made_up(const FilePlace& at);
Diagnostic quote_not_closed(const FilePlace& at);
Diagnostic text_after_quote(const FilePlace& at);
Diagnostic not_a_number(const FilePlace& at, std::string_view field, std::string_view column_name);
Diagnostic time_missing(const FilePlace& at);
Diagnostic time_backwards(const FilePlace& at, double before, double now);
Diagnostic wrong_field_count(const FilePlace& at, std::size_t found, std::size_t expected);
Diagnostic last_line_incomplete(const FilePlace& at);
Diagnostic name_twice(const FilePlace& at, std::string_view name);
Diagnostic not_a_trajectory(const std::string& file, const std::string& reason);
Diagnostic not_an_archive(const std::string& file, const std::string& reason);
Diagnostic mat_truncated(const std::string& file, std::size_t rows);
Diagnostic mat_variables_left_out(const std::string& file, std::size_t count, const std::string& first);
Diagnostic mat_time_backwards(const std::string& file, std::size_t row, double before, double now);

// The text of a Problem: nothing has such a name.
std::string nothing_matches(const std::string& pattern, const std::string& nearest);
// The text of a Problem: the file would stand in a directory that is not there.
std::string no_directory(const std::string& file, const std::string& directory);

Diagnostic unknown_variable(const std::string& name, const std::string& suggestion, std::size_t variables);
Diagnostic nothing_to_plot();
Diagnostic plot_mixes_abscissas();
Diagnostic unknown_picture(const std::string& file);

// Files of linear systems.
Diagnostic not_json(const std::string& file, const std::string& reason);
Diagnostic not_linear(const std::string& file, const std::string& reason);
Diagnostic descriptor_not_proper(const std::string& file);
Diagnostic zero_denominator(const std::string& file, std::size_t row, std::size_t column);
Diagnostic unknown_linear_format(const std::string& file);
Diagnostic sampled_as_model(const std::string& file);

}  // namespace cutset::results_messages
