#include "session/messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"
#include "session/command_text.h"

namespace cutset::session_messages {

namespace {

// "A, B or C"; of very many the first.
std::string listed(const std::vector<std::string>& names, const std::string& last,
                   const std::string& before = {}) {
    constexpr std::size_t most = 20;
    std::string out;
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (k == most) return out + fmt::format(" … ({} in all)", names.size());
        if (k > 0) out += last.empty() ? " " : k + 1 == names.size() ? " " + last + " " : ", ";
        out += before + names[k];
    }
    return out;
}

std::string kind_text(const std::string& kind) {
    return kind == "INT"     ? "an integer"
           : kind == "YESNO" ? "YES or NO"
           : kind == "NAME"  ? "a name"
           : kind.empty()    ? "a value"
                             : "a number";
}

}  // namespace

// ---- lines

Diagnostic no_command(const std::string& found) {
    return make_error("not-a-command", fmt::format("A command begins with a word, not with {}.", found),
                      "`help` lists the commands");
}
Diagnostic unknown_command(const std::string& word, const std::string& near) {
    return with_concern(
        make_error("unknown-command", fmt::format("There is no command {}.", word),
                   near.empty()
                       ? std::string("`help` lists the commands; a macro of that name would be a file " +
                                     word + ".t")
                       : "did you mean " + near + "?"),
        Concern::UnknownCommand);
}
Diagnostic ambiguous_command(const std::string& word, const std::vector<std::string>& candidates) {
    return make_error("ambiguous-command", fmt::format("{} may mean {}.", word, listed(candidates, "or")),
                      "write more of it");
}
Diagnostic unknown_option(const std::string& word, const std::vector<std::string>& known) {
    return make_error("unknown-option", fmt::format("There is no option -{} here.", word),
                      nearest_name(upper_case(word), known).empty()
                          ? "the options are " + listed(known, "and", "-")
                          : "did you mean -" + nearest_name(upper_case(word), known) + "?");
}
Diagnostic missing_file_name() {
    return make_error("missing-file-name", "After / stands the name of a file.",
                      "SIMU 0 25/SIM1 writes SIM1.csv");
}
Diagnostic not_understood() {
    return make_error("not-understood", "The command was not understood.",
                      "`help` and the name of the command show its forms");
}
Diagnostic no_arguments(const std::string& command) {
    return make_error("unexpected-argument", fmt::format("{} takes nothing after it.", command));
}
Diagnostic command_failed(const std::string& problem, const std::string& help) {
    return make_error("command-failed",
                      fmt::format("The command could not be finished: {}. The session goes on.", problem),
                      help);
}
Diagnostic one_file(const std::string& command) {
    return make_error("command-form", fmt::format("{} needs the name of one file.", command),
                      command + " NAME");
}
Diagnostic one_name(const std::string& command) {
    return make_error("command-form", fmt::format("{} takes one name.", command));
}

// ---- arithmetic

Diagnostic unexpected_in_expression(const std::string& found) {
    return make_error("bad-expression", fmt::format("{} was not expected here.", found),
                      found == "," ? "numbers have a decimal point: 1.5"
                                   : "values are numbers, variables, and + - * / ^ and functions of them");
}
Diagnostic expression_ends_early() {
    return make_error("bad-expression", "A value is missing at the end.");
}
Diagnostic ambiguous_logarithm() {
    return make_error("ambiguous-function", "log may mean the natural logarithm or that of base 10.",
                      "write LN or LOG10");
}
Diagnostic missing_parenthesis() {
    return make_error("missing-parenthesis", "A closing parenthesis is missing.");
}
Diagnostic expression_too_deep() {
    return make_error("nesting-too-deep", "The parentheses are nested too deep.");
}
Diagnostic value_not_finite() {
    return make_error("value-not-finite", "The value is not a finite number.",
                      "look for a division by zero, or a root or logarithm of a negative number");
}
Diagnostic function_arguments(const std::string& name, std::size_t count) {
    return make_error("argument-count", fmt::format("{} takes {} argument{}.", name, count, plural(count)));
}

// ---- variables

Diagnostic no_system() {
    return make_error("no-system", "There is no active system.",
                      "SYST NAME makes the one in NAME.t, NAME.dym, NAME.mo, NAME.om or NAME.el active");
}
Diagnostic variable_expected(const std::string& found) {
    return make_error("variable-expected",
                      found.empty() || found[0] == '\0'
                          ? std::string("The name of a variable is missing.")
                          : fmt::format("The name of a variable was expected, not {}.", found),
                      "DISP shows all variables");
}
Diagnostic unknown_variable(const std::string& name, const std::string& near, const std::string& listing,
                            std::size_t count) {
    return make_error("unknown-variable", fmt::format("There is no variable {}.", name),
                      did_you_mean(near, fmt::format("{} {} variables", listing, count)));
}
Diagnostic ambiguous_variable(const std::string& name, const std::vector<std::string>& names) {
    return make_error("ambiguous-variable", fmt::format("{} may mean {}.", name, listed(names, "or")),
                      "write the system too");
}
Diagnostic unknown_system(const std::string& name, const std::vector<std::string>& names) {
    return make_error(
        "unknown-system", fmt::format("There is no system {}.", name),
        nearest_name(name, names).empty()
            ? (names.size() < 10 ? "there are " + listed(names, "and") : std::string("DISP shows them"))
            : "did you mean " + nearest_name(name, names) + "?");
}
Diagnostic no_value(const std::string& name) {
    return make_error("no-value", fmt::format("{} has no value yet.", name), "SIMU computes it");
}
Diagnostic assignment_form(const std::string& command) {
    return make_error("command-form", fmt::format("{} needs a variable and its value.", command),
                      command + (command == "INPUT" ? " U SIN(TIME), or " + command + " U 2.5"
                                                    : " NAME:NUMBER, or " + command + " NAME:VARIABLE"));
}
Diagnostic not_a_parameter(const std::string& name, const std::string& kind, const std::string& instead) {
    return make_error("not-a-parameter", fmt::format("{} is {}, no parameter.", name, kind),
                      instead.empty()
                          ? std::string("PAR changes what the model gives a constant value")
                          : instead + " " + name + (instead == "INPUT" ? " …" : ":…") + " changes it");
}
Diagnostic not_a_state(const std::string& name, const std::string& kind, const std::string& instead) {
    return make_error("not-a-state", fmt::format("{} is {}, no state.", name, kind),
                      instead + " " + name + (instead == "INPUT" ? " …" : ":…") + " changes it");
}
Diagnostic no_start(const std::string& name, const std::vector<std::string>& states) {
    return make_error(
        "not-a-state",
        fmt::format("{} is computed from other variables; it has no initial value of its own.", name),
        states.empty() ? std::string("the model has no states") : "the states are " + listed(states, "and"));
}
Diagnostic cannot_undo(const std::string& name) {
    return make_error("cannot-undo", fmt::format("{} had no value before that could be given back.", name),
                      "SYST again takes all values from the text");
}
Diagnostic nothing_to_undo() {
    return make_error("nothing-to-undo", "No value was changed since SYST.",
                      "UNDO takes back PAR, INIT, INPUT and GET");
}
Diagnostic not_recorded(const std::string& name) {
    return make_error("not-recorded", fmt::format("The last run did not record {}.", name),
                      "PLOT " + name + ", then SIMU again");
}
Diagnostic outside_the_run(double time, double from, double to) {
    return make_error("outside-the-run",
                      fmt::format("The last run goes from {} to {}; {} is not in it.", from, to, time));
}
Diagnostic left_out(const std::string& name, double time, double from, double start) {
    return make_error(
        "left-out",
        fmt::format("The last run was too long to keep every step of it; those from {:.6g} on are kept.",
                    from),
        fmt::format("SIMU {} {} ends there, then {} is its value", shortest_number(start),
                    shortest_number(time), name));
}
Diagnostic start_is_computed(const std::string& name) {
    return make_error("start-is-computed",
                      fmt::format("The INITIAL section of its system computes where {} starts.", name),
                      "change the parameters that it is computed from, or the text");
}
Diagnostic not_an_input(const std::string& name, const std::string& kind) {
    return make_error("not-an-input", fmt::format("{} is {}, no input of the model.", name, kind));
}
Diagnostic no_run_stands(const std::string& command) {
    return make_error("no-run", fmt::format("{} needs a run that stands somewhere.", command), "SIMU first");
}

// ---- files

Diagnostic no_file(const std::string& name, const std::string& near) {
    return with_concern(
        make_error("file-not-found", fmt::format("FILE NOT FOUND: {}", name),
                   near.empty()
                       ? std::string("names are looked up in this directory, with .t, .dym, .mo, .om or .el "
                                     "added, in any letter case")
                       : "did you mean " + near + "?"),
        Concern::MissingFile);
}
Diagnostic is_directory(const std::string& name) {
    return make_error("is-directory", fmt::format("{} is a directory.", name), "name a file in it");
}
Diagnostic cannot_read(const std::string& path, const std::string& reason) {
    return make_error("cannot-read", fmt::format("{} cannot be read: {}", path, reason));
}
Diagnostic cannot_write(const std::string& path, const std::string& reason) {
    return make_error("cannot-write", fmt::format("{} cannot be written: {}", path, reason));
}
Diagnostic file_problem(const std::string& text) {
    return make_error("file-problem", text);
}
Diagnostic would_overwrite(const std::string& path, const std::string& what) {
    return make_error("would-overwrite",
                      fmt::format("{} is there and is not {}; it was left alone.", path, what),
                      "choose another name");
}
Diagnostic changed_meanwhile(const std::string& path, const std::string& backup) {
    return make_warning("changed-meanwhile",
                        fmt::format("{} was changed by another program meanwhile.", path),
                        "what was there is kept in " + backup);
}
Diagnostic input_ended_in_editor(const std::string& name, const std::string& kept) {
    return make_error("input-ended", fmt::format("The input ended in the editor; {} was not written.", name),
                      kept.empty()
                          ? std::string("E writes it, LEAVE leaves the editor")
                          : fmt::format("the text is in {}; EDIT {} -RECOVER takes it up again", kept, name));
}
Diagnostic editor_stays_open(const std::string& kept) {
    return make_note("editor-open",
                     kept.empty()
                         ? std::string("The text is still here; the editor stays open.")
                         : fmt::format("The text is still here, and in {}; the editor stays open.", kept),
                     "E tries again, E NAME writes another file, LEAVE gives it up");
}
Diagnostic text_was_rescued(const std::string& name, const std::string& kept) {
    return make_warning("text-rescued",
                        fmt::format("A text of {} that was typed and never written is in {}.", name, kept),
                        fmt::format("LEAVE, then EDIT {} -RECOVER takes it up again", name));
}
Diagnostic rescued_text_moved(const std::string& kept) {
    return make_note("text-rescued",
                     fmt::format("The older text that was never written is in {} now.", kept));
}
Diagnostic nothing_to_recover(const std::string& name) {
    return make_error("nothing-to-recover", fmt::format("There is no rescued text of {}.", name));
}
Diagnostic command_leaves_editor(const std::string& word, const std::string& name) {
    return make_note(
        "left-editor",
        fmt::format("{} is no command of the editor: the editor was left, {} is as it was.", word, name));
}
Diagnostic list_form() {
    return make_error("command-form", "LIST needs the names of files.", "LIST TRIOD, LIST(LP) FILE1 FILE2");
}
Diagnostic log_form() {
    return make_error(
        "command-form", "LOG needs the name of one file.",
        "LOG NAME writes the commands so far and their answers, LOG NAME-MACRO the commands as a macro");
}
Diagnostic save_form() {
    return make_error("command-form", "SAVE needs a file, and at most the name of a system.",
                      "SAVE FILE, SAVE FILE SYSTEM-PAR");
}
Diagnostic bad_saved_line(const std::string& path, std::size_t line, const std::string& text,
                          const std::string& why) {
    return make_error("bad-line", fmt::format("{}, line {}: {}", path, line, text),
                      why + "; nothing was changed");
}
Diagnostic unknown_device(const std::string& word) {
    return make_error("unknown-device", fmt::format("There is no device {}.", word),
                      "DIS and TP print here, LP appends to listing.txt");
}

// ---- SYST

Diagnostic syst_form() {
    return make_error("command-form", "SYST needs the names of files.",
                      "SYST TRIOD, SYST MOTOR CPID SERVO, SYST tanks.dym, SYST tanks.dym MODEL");
}
Diagnostic inputs_are_zero(const std::vector<std::string>& names) {
    return make_note("input-not-given",
                     names.size() == 1
                         ? fmt::format("The input {} is not given; it is 0.", names[0])
                         : fmt::format("The inputs {} are not given; they are 0.", listed(names, "and")),
                     "INPUT " + names[0] + " SIN(TIME), or a number, gives it a value");
}
Diagnostic syst_was_left(const std::string& active) {
    if (active.empty())
        return make_error("no-system", "The editor was left; no system is active.", "SYST again");
    return make_error("no-system", fmt::format("The editor was left; {} stays active.", active));
}
Diagnostic stays_active(const std::string& model) {
    return make_note("stays-active", fmt::format("{} stays active, with the text and values it had.", model));
}
Diagnostic strict_from_next_syst() {
    return make_note("strict", "STRICT takes effect at the next SYST.");
}

// ---- plots

Diagnostic horizontal_is_last(const std::string& found) {
    return make_error("command-form", fmt::format("{} stands behind the variable in parentheses.", found),
                      "PLOT Y1 Y2 (X)");
}
Diagnostic axes_form() {
    return make_error(
        "command-form", "AXES takes H or V and two numbers each.",
        "AXES H 0 25 V -5 5; AXES V LOG 0.1 100; LOG or LIN alone take the limits that the curves need, AXES "
        "AUTO all of that");
}
Diagnostic logarithm_of_nothing(const std::string& axis, double low) {
    return make_error("bad-limits",
                      fmt::format("A logarithmic {} axis cannot begin at {}.",
                                  axis == "H" ? "horizontal" : "vertical", low),
                      "both limits are above 0");
}
Diagnostic number_too_large(const std::string& text) {
    return make_error("bad-number", fmt::format("{} is larger than any number here.", text),
                      "the largest is about 1E308");
}
Diagnostic zoom_form() {
    return make_error("command-form", "ZOOM takes H or V and two numbers each.",
                      "ZOOM H 2 3 shows that part of the picture, ZOOM alone all of it again");
}
Diagnostic cursor_form() {
    return make_error(
        "command-form", "CURSOR takes one number, a place on the horizontal axis.",
        "CURSOR 3.2 prints the values there; on a terminal CURSOR alone is moved by the arrows");
}
Diagnostic axes_limits(const std::string& axis, double low, double high) {
    return make_error("bad-limits",
                      fmt::format("The {} axis cannot go from {} to {}.",
                                  axis == "H" ? "horizontal" : "vertical", low, high),
                      "the minimum comes first");
}
Diagnostic no_result(const std::string& path, bool last) {
    return make_error("no-result", fmt::format("There is no result {}.", path),
                      last ? "STORE selects variables, SIMU writes them" : "SIMU …/NAME writes NAME.csv");
}
Diagnostic show_form() {
    return make_error("command-form", "SHOW needs variables.",
                      "SHOW X1 X2 (T)/SIM1; SHOW -LIST names those in the file");
}
Diagnostic show_several_form() {
    return make_error("command-form", "With several results each variable names its own.",
                      "SHOW U/R1 U/R2 draws them over each other, SHOW U/R1 - U/R2 their difference");
}
Diagnostic no_picture() {
    return make_error("no-picture", "There is no picture yet.", "PLOT, then SIMU");
}
Diagnostic picture_ending(const std::string& path) {
    return make_error("unknown-picture", fmt::format("{} is no kind of picture that can be written.", path),
                      "use .svg, .png or .pdf");
}
Diagnostic nothing_is_plotted() {
    return make_note("nothing-plotted", "Nothing is plotted or stored.",
                     "PLOT selects what SIMU draws; DISP shows the values it reaches");
}

// ---- runs

Diagnostic simu_form(const std::string& found) {
    return make_error(
        "command-form",
        found.empty() ? std::string("SIMU takes no number, two or three.")
                      : fmt::format("{} is no number.", found),
        "SIMU start stop increment -CONT MARK/file: SIMU 0 25, SIMU 0 25/SIM1, SIMU -CONT, SIMU");
}
Diagnostic simu_interval(double start, double stop) {
    return make_error("bad-interval", fmt::format("A run cannot go from {} to {}.", start, stop),
                      "the start comes first");
}
Diagnostic negative_increment(double increment) {
    return make_error("bad-increment", fmt::format("The time increment {} is negative.", increment),
                      "0 leaves it to the method");
}
Diagnostic small_increment(double increment, double points, double most) {
    return make_error("bad-increment",
                      fmt::format("The time increment {} gives {:.3g} points; at most {:.3g} are computed.",
                                  increment, points, most),
                      "0 leaves it to the method");
}
Diagnostic run_failed(double time) {
    return make_error("run-failed", fmt::format("The run stopped at time {}.", time));
}
Diagnostic store_form() {
    return make_error("command-form", "STORE -ADD needs variables.", "STORE X1 X2-ADD");
}
Diagnostic unknown_algorithm(const std::string& name, const std::vector<std::string>& names) {
    return make_error("unknown-algorithm", fmt::format("There is no integration routine {}.", name),
                      "there are " + listed(names, "and"));
}
Diagnostic algorithm_is(const std::string& name, const std::string& remark) {
    return make_note("algorithm", fmt::format("{}: {}.", name, remark));
}
Diagnostic error_form(const std::string& text) {
    return make_error("command-form", fmt::format("{} is no error bound.", text), "ERROR 1E-5");
}
Diagnostic error_range(double bound) {
    return make_error("bad-error-bound", fmt::format("An error bound of {} is not possible.", bound),
                      "it is between 1E-14 and 1");
}
Diagnostic unknown_checkpoint(const std::string& name, const std::vector<std::string>& names) {
    return make_error("unknown-checkpoint", fmt::format("There is no checkpoint {}.", name),
                      names.empty() ? std::string("CHECKPOINT NAME makes one where the run stands")
                                    : "there are " + listed(names, "and"));
}
Diagnostic branch_form() {
    return make_error(
        "command-form", "BRANCH takes parameters with their values, and how far to run.",
        "BRANCH G:3 10 runs 10 on as it is and with G:3; BRANCH alone marks this point, and the next "
        "one goes back to it");
}
Diagnostic turn_form() {
    return make_error("command-form", "TURN needs a switch and ON or OFF.",
                      "TURN WARN OFF; TURN alone shows all switches");
}
Diagnostic unknown_switch(const std::string& word, const std::vector<std::string>& names) {
    return make_error("unknown-switch", fmt::format("There is no switch {}.", word),
                      nearest_name(upper_case(word), names).empty()
                          ? "the switches are " + listed(names, "and")
                          : "did you mean " + nearest_name(upper_case(word), names) + "?");
}
Diagnostic why_form() {
    return make_error("command-form", "WHY needs a variable.", "WHY U shows the equations that determine U");
}

// ---- macros

Diagnostic macro_of_file(const std::string& name, const std::string& path) {
    return make_note("macro-of-file", fmt::format("{} is the macro in {}.", name, path));
}
Diagnostic macro_not_kept(const std::string& name, const std::string& reason) {
    return make_warning("macro-not-kept", fmt::format("{} is known until STOP only: {}", name, reason));
}
Diagnostic macro_text_kept(const std::string& path) {
    return make_note("macro-text-kept", "What was typed is not lost.",
                     fmt::format("EDIT {} -RECOVER takes it up again, E writes it", path));
}
Diagnostic only_by_person(const std::string& what, const std::string& instead) {
    return make_error(
        "only-by-person",
        fmt::format("{} must be typed at the prompt; a macro or a script cannot give it.", what), instead);
}
Diagnostic macro_without_name(Span where) {
    return make_error(where, "macro-form", "A macro needs a name.",
                      "MACRO NAME X Y, then commands, then END");
}
Diagnostic macro_without_end(Span where, const std::string& name) {
    return make_error(where, "macro-form", fmt::format("The macro {} has no END.", name),
                      "its last line is END");
}
Diagnostic macro_in_macro(Span where) {
    return make_error(where, "macro-form", "A macro cannot be defined inside a macro.", "call it instead");
}
Diagnostic macro_hides_command(const std::string& name) {
    return make_error("macro-form", fmt::format("{} is a command; a macro cannot have its name.", name));
}
Diagnostic formal_is_no_name(Span where, const std::string& text) {
    return make_error(where, "macro-form", fmt::format("{} is no name for an argument.", text));
}
Diagnostic formal_twice(Span where, const std::string& name) {
    return make_error(where, "macro-form", fmt::format("The argument {} is there twice.", name));
}
Diagnostic text_after_end(Span where) {
    return make_error(where, "macro-form", "There is text after the END of the macro.",
                      "a file holds one macro");
}
Diagnostic label_without_name(Span where) {
    return make_error(where, "macro-form", "LABEL needs a name.");
}
Diagnostic label_twice(Span where, const std::string& name) {
    return make_error(where, "macro-form", fmt::format("The label {} is there twice.", name));
}
Diagnostic unknown_label(Span where, const std::string& name, const std::vector<std::string>& labels) {
    return make_error(where, "unknown-label", fmt::format("There is no LABEL {}.", name),
                      labels.empty() ? std::string() : "there are " + listed(labels, "and"));
}
Diagnostic for_without_next(Span where, const std::string& variable) {
    return make_error(where, "macro-form", fmt::format("The loop FOR {} has no NEXT.", variable),
                      "NEXT " + variable + " ends it");
}
Diagnostic next_without_for(Span where, const std::string& variable, const std::string& open) {
    return make_error(where, "macro-form", fmt::format("NEXT {} ends no loop.", variable),
                      open.empty() ? std::string() : "the loop that is open is that of " + open);
}
Diagnostic macro_arguments(const std::string& name, const std::vector<std::string>& formals,
                           std::size_t given) {
    return make_error(
        "macro-arguments",
        fmt::format("{} takes {} argument{}, not {}.", name, formals.size(), plural(formals.size()), given),
        formals.empty() ? std::string() : name + " " + listed(formals, ""));
}
Diagnostic macros_too_deep(const std::string& name, std::size_t limit,
                           const std::vector<std::string>& chain) {
    return make_error("macros-too-deep", fmt::format("{} is called inside {} other macros.", name, limit),
                      chain.size() <= 1 ? "it calls itself without end"
                                        : "they call each other without end: " + listed(chain, ""));
}
Diagnostic endless_loop(const std::string& name, std::size_t jumps) {
    return make_error("endless-loop",
                      fmt::format("{} jumped back {} times without coming to an end.", name, jumps));
}
Diagnostic macro_interrupted(const std::string& name) {
    return make_error("interrupted", fmt::format("The macro {} was interrupted.", name));
}
Diagnostic stopped_in_macro(Span where, const std::string& name, bool innermost) {
    return make_note(where, "stopped-in-macro",
                     innermost ? fmt::format("The macro {} stopped at this line.", name)
                               : fmt::format("Called by the macro {}.", name));
}
Diagnostic only_in_macro(const std::string& word) {
    return make_error("only-in-macro", fmt::format("{} is for macros.", word));
}
Diagnostic only_at_prompt(const std::string& word) {
    return make_error("only-at-prompt", fmt::format("{} is for the prompt.", word));
}
Diagnostic nothing_to_resume() {
    return make_error("nothing-suspended", "No macro is suspended.");
}
Diagnostic let_form(const std::string& word) {
    return make_error("command-form", fmt::format("{} needs a name and a value.", word), word + " K = 2*K");
}
Diagnostic if_form() {
    return make_error("command-form", "IF compares two values and goes to a label.",
                      "IF K LT 10 GOTO AGAIN; EQ NE LT GT LE GE compare");
}
Diagnostic texts_have_no_order(const std::string& a, const std::string& b) {
    return make_error("command-form",
                      fmt::format("{} and {} are not both numbers: only EQ and NE can compare them.", a, b));
}
Diagnostic for_form() {
    return make_error("command-form", "FOR needs a variable and its values.",
                      "FOR K = 1 TO 10 STEP 2, commands, NEXT K");
}
Diagnostic for_needs_numbers(const std::string& text) {
    return make_error("command-form", fmt::format("{} is no number.", text));
}
Diagnostic step_is_zero() {
    return make_error("command-form", "The STEP of a loop cannot be 0.");
}
Diagnostic too_many_turns() {
    return make_error("command-form", "The loop has too many turns.");
}
Diagnostic read_form() {
    return make_error("command-form", "READ needs names of variables.",
                      "READ K NUM; kinds are INT, REAL, NUM, NAME and YESNO");
}
Diagnostic read_found_nothing(const std::string& name) {
    return make_error("input-ended", fmt::format("There was no value for {}.", name));
}
Diagnostic read_wants(const std::string& name, const std::string& kind) {
    return make_error("bad-value", fmt::format("{} got no {}.", name, kind_text(kind)));
}
Diagnostic read_again(const std::string& kind) {
    return make_note("bad-value", fmt::format("Please give {}.", kind_text(kind)));
}
Diagnostic unknown_macro_variable(const std::string& name) {
    return make_error("unknown-name", fmt::format("{} has no value.", name), "LET gives it one");
}
Diagnostic name_is_variable_too(const std::string& name, const std::string& value) {
    return make_warning(
        "hidden-variable",
        fmt::format("{} is a variable of the system too; in commands it now means {}.", name, value),
        "FREE " + name + " undoes it");
}

}  // namespace cutset::session_messages
