// A line of the experiment language as words, numbers and delimiters. Blanks are needed only where two words
// or numbers meet: `SYST TRIOD-EDIT`, `PLOT V(U)`, `SIMU 0 25/SIM1`. What follows a double quote is a
// comment.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/letters.h"

namespace cutset {

struct CommandToken {
    enum class Kind { Word, Number, Text, Delimiter };
    Kind kind = Kind::Word;
    std::string text;  // as written; of a Text what stands between the quotes
    std::size_t begin = 0, end = 0;
    double number = 0;

    bool is(char delimiter) const { return kind == Kind::Delimiter && text[0] == delimiter; }
};

// Without the comment and blanks at the ends.
std::string_view without_comment(std::string_view line);

std::vector<CommandToken> command_tokens(std::string_view text);

// Words separated by blanks; '…' and "…" hold words together, where a quote without its partner begins a
// comment. For operations of the program and names of files.
std::vector<std::string> shell_words(std::string_view text);

bool begins_ignoring_case(std::string_view text, std::string_view beginning);

// A number as the language writes it, `1`, `-.5`, `1.E-6`; nothing when there is more or less.
std::optional<double> number_of(std::string_view text);
// The shortest text that reads back as the number.
std::string shortest_number(double value);

// The only word that is or begins with `written`, in any letter case; of several the only one of the first
// `preferred`. An exact one counts before all others.
struct WordChoice {
    std::optional<std::size_t> index;
    std::vector<std::size_t> candidates;  // when there are several
};
WordChoice choose_word(std::string_view written, const std::vector<std::string>& words,
                       std::size_t preferred = 0);

// Reads the tokens of a command one by one.
class TokenReader {
  public:
    explicit TokenReader(std::string_view text);
    bool at_end() const { return next_ >= tokens_.size(); }
    const CommandToken& peek(std::size_t ahead = 0) const;
    bool next_is(char delimiter) const { return peek().is(delimiter); }
    bool take(char delimiter);
    std::optional<std::string> word();
    std::optional<double> number();
    CommandToken any();
    // Whether the next token follows the last one without a blank.
    bool adjacent() const;
    // The text from the next token to the end.
    std::string rest() const;
    std::size_t size() const { return tokens_.size(); }
    // As written, the tokens from `ahead` up to, without it, `end`, both counted from the next one.
    std::string text(std::size_t ahead, std::size_t end) const;
    std::size_t place() const { return next_; }
    void go_to(std::size_t place) { next_ = place; }

  private:
    std::string text_;
    std::vector<CommandToken> tokens_;
    std::size_t next_ = 0;
};

// `-MARK CONT` and `/file`, taken out of the arguments of a command.
struct CommandOptions {
    std::string arguments;             // the rest
    std::vector<std::string> options;  // as in `known`
    std::optional<std::string> file;
    bool has(std::string_view option) const;
};
// Nothing with the reason in `problem`.
std::optional<CommandOptions> split_options(std::string_view text, const std::vector<std::string>& known,
                                            bool takes_file, std::optional<Diagnostic>& problem);
// The same for commands whose arguments are names of files, which may contain `-` and `/`: an option is a
// word of its own, or stands at the end of one.
std::optional<CommandOptions> split_path_options(std::string_view text, const std::vector<std::string>& known,
                                                 std::vector<std::string>& words,
                                                 std::optional<Diagnostic>& problem);

}  // namespace cutset
