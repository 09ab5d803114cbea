// What the emitters of C and Fortran have in common: names of quantities, places and functions, and
// expressions over them. Where the languages differ, a ProgramSpelling says how.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "export/code_names.h"
#include "export/program_parts.h"
#include "export/wrapped_text.h"
#include "expr/print_code.h"

namespace cutset {

struct ProgramSpelling {
    const char* suffix;       // of names that the program defines itself
    const char* quantity[2];  // around the name of a quantity of the model
    const char* element[2];   // around an index
    std::uint32_t first;      // index of the first element
    const char* starting;     // the condition
    const char* ending;       // likewise
    const char* ticking[2];   // around an element of `ticking`, as a condition
    const char* table[2];     // around the number of a table, as an argument
    const char* zero;
};

class ProgramEmitter {
  protected:
    ProgramEmitter(const Listing& listing, const ExportOptions& options, const ProgramSpelling& spelling,
                   const CodeSpelling& code, CodeNames names, CodeNames function_names);
    ~ProgramEmitter() = default;

    void name_quantities();
    void name_functions(const std::vector<ListedFunction>& list);
    // Arrays and variables of a function; `names` makes identifiers.
    void name_locals(const FunctionData& function, CodeNames& names);
    bool is_in_array(std::uint32_t slot) const;

    std::string quantity(Slot slot) const;
    std::string element(const std::string& array, std::size_t index) const;  // of the program itself
    std::string place(Place p) const;
    std::string temporary(std::uint32_t number);
    std::string local(std::uint32_t slot) const;

    const Listing& l_;
    const Partition& p_;
    const ExportOptions& options_;
    const ProgramSpelling& spelling_;
    CodeNames names_, function_names_;
    CodePrinter printer_;
    std::string out_;
    std::vector<std::string> member_, original_;  // by slot
    std::vector<const TableData*> tables_;
    std::map<std::uint32_t, std::size_t> table_number_;  // by callee, from 0
    std::map<FunctionKey, std::string> function_name_;
    std::vector<std::pair<std::string, Slot>> columns_;
    std::vector<Breakpoint> breakpoints_;
    const Procedure* procedure_ = nullptr;
    Expr defining_ = nullptr;
    std::vector<std::uint32_t> used_;  // temporaries that the line under way mentions
    const FunctionData* function_ = nullptr;
    std::map<std::uint32_t, std::uint32_t> local_arrays_;  // first slot, length
    std::map<std::uint32_t, std::string> local_array_;     // by first slot
    std::vector<std::string> local_name_;                  // by slot

  private:
    std::optional<std::string> own(CodePrinter& printer, Expr e, bool without_events);
    std::string call(CodePrinter& printer, Expr e) const;
};

}  // namespace cutset
