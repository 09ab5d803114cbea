// Results to disk as the run goes. Nothing is lost: the file can be read at any moment, and a failed or
// interrupted run keeps what was computed. A full disk or an unwritable directory is a returned Problem; what
// was written before it stays.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "results/output_file.h"
#include "results/trajectory.h"

namespace cutset {

class ResultWriter {
  public:
    virtual ~ResultWriter() = default;

    // Once, before the first row. Creates the file, so that an unwritable place is known before the run.
    virtual Problem begin(const Columns& columns) = 0;
    // The values of the stored columns in their order, time first. After a problem further rows are refused
    // with it.
    virtual Problem append(std::span<const double> row) = 0;
    // Makes all rows so far visible in the file; happens by itself every half second.
    virtual Problem flush() = 0;
    // Gives the file its final name; the destructor does too. Without any row the file is removed, and an
    // older result of that name stays.
    virtual Problem finish() = 0;
    // Processor time that other threads took for it. When it is finished.
    virtual double processor_seconds_beside() const { return 0; }
};

// Header `time,name,...` quoted where needed (RFC 4180), numbers in the shortest form that reads back
// exactly. Aliases are columns like any other; parameters and constants stand in a table beside the file
// (parameters_file.h), or in every row.
std::unique_ptr<ResultWriter> make_csv_writer(std::string path, bool constants_in_rows = false);

// MAT-file level 4 in the layout that Dymola and OpenModelica write ("binTrans").
std::unique_ptr<ResultWriter> make_mat_writer(std::string path);

// A ZIP archive of NumPy arrays, one for each column (npz.h).
std::unique_ptr<ResultWriter> make_npz_writer(std::string path);

// What of a result is written.
struct ResultChoice {
    std::vector<std::string> variables;  // patterns of names (choose_columns.h); none: all
    bool constants_in_rows = false;      // of a CSV file: parameters and constants in every row
};
// By the ending of the name, `.csv`, `.mat` or `.npz`; null with the reason in `problem` for any other.
std::unique_ptr<ResultWriter> make_writer(const std::string& path, const ResultChoice& choice,
                                          Problem& problem);
std::unique_ptr<ResultWriter> make_writer(const std::string& path, Problem& problem);  // of all

// A whole trajectory at once.
Problem write_result(const Trajectory& trajectory, const std::string& path);

// The shortest text that reads back as `value`.
void append_number(std::string& out, double value);
// The same to memory that has room for the longest one; where it ends.
constexpr std::size_t longest_number = 56;  // more than is used: whole words are copied
char* write_number(char* to, double value);

}  // namespace cutset
