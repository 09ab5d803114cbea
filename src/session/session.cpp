#include "session/session.h"

#include "base/internal_error.h"
#include "session/command_text.h"
#include "session/completion.h"
#include "session/interpreter.h"
#include "session/messages.h"
#include "session/workbench.h"

namespace cutset {

struct Session::Implementation {
    Workbench bench;
};

Session::Session(SessionHost& host, Settings settings)
    : implementation_(new Implementation{Workbench(host, std::move(settings))}) {}
Session::~Session() = default;

Session::Outcome Session::execute(std::string_view line) {
    Workbench& bench = implementation_->bench;
    try {
        return execute_line(bench, line);
    } catch (...) {
        // A bug of ours, memory, or a directory that vanished: the command is lost, the session is not.
        bench.macros.frames.clear();
        bench.pending.clear();
        const Failure failure = current_failure();
        bench.fail(session_messages::command_failed(failure.message, failure.help));
        return Outcome::Failed;
    }
}

void Session::adopt(std::shared_ptr<Workspace> workspace, std::shared_ptr<LiveModel> live,
                    std::vector<std::string> files, std::string model) {
    ActiveSystem system;
    system.workspace = std::move(workspace);
    system.live = std::move(live);
    system.files = std::move(files);
    system.model = std::move(model);
    adopt_system(implementation_->bench, std::move(system));
}

Session::Completion Session::complete(std::string_view line, std::size_t cursor) const {
    return complete_line(implementation_->bench, line, cursor);
}

std::string Session::prompt() const {
    return ">";
}

SessionFacts Session::facts() const {
    const Workbench& bench = implementation_->bench;
    SessionFacts facts;
    const ActiveSystem& system = bench.system;
    if (system.live) {
        facts.model = system.model;
        if (facts.model.empty()) facts.model = system.live->partition().model.name;
        facts.files = system.files;
        facts.simnon = system.simnon;
        for (const LiveModel::Quantity& quantity : system.live->quantities()) {
            facts.states += quantity.kind == LiveModel::Kind::State;
            facts.parameters += quantity.kind == LiveModel::Kind::Parameter ||
                                quantity.kind == LiveModel::Kind::StructureParameter;
            facts.inputs += quantity.kind == LiveModel::Kind::Input;
        }
        for (const SystemSummary& summary : system.live->systems())
            for (const SystemSummary::Variable& variable : summary.variables)
                facts.outputs += variable.role == SystemRole::Output;
        facts.systems = system.live->systems();
        facts.run = system.last_run;
        facts.runs = system.runs;
        if (system.live->started()) facts.time = system.live->time();
        facts.changed = system.changed;
        for (const auto& [name, point] : system.checkpoints) facts.checkpoints.push_back(name);
    }
    for (const NamedQuantity& variable : bench.plotted) facts.plotted.push_back(variable.shown);
    if (bench.horizontal) facts.horizontal = bench.horizontal->shown;
    facts.axes = bench.picture.axes_given();
    for (const NamedQuantity& variable : bench.stored) facts.stored.push_back(variable.shown);
    facts.result_file = bench.result_file;
    facts.algorithm = name_of(bench.run.algorithm);
    facts.error_bound = bench.run.error_bound;
    facts.start = bench.run.start;
    facts.stop = bench.run.stop;
    for (const auto& macro : bench.macros.defined) facts.macros.push_back(macro->name);
    facts.executed = bench.executed;
    return facts;
}

const std::vector<std::string>& Session::commands() {
    static const std::vector<std::string> words = [] {
        std::vector<std::string> all;
        for (const CommandEntry& entry : command_table()) all.emplace_back(entry.name);
        for (const std::string& word : control_words()) all.push_back(word);
        return all;
    }();
    return words;
}

std::string Session::command_of(std::string_view line) const {
    TokenReader tokens(without_comment(without_prompt(line)));
    const auto word = tokens.word();
    return word ? meaning_of(implementation_->bench, *word, false).name : std::string();
}

const Plot& Session::picture() const {
    return implementation_->bench.picture.plot();
}

}  // namespace cutset
