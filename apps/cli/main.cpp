// The command line: options, help, dispatch.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <memory>
#include <system_error>

#include "commands.h"
#include "curves.h"
#include "numerics/integrator.h"

using namespace cutset::cli;

namespace {

constexpr const char* version = "cutset 0.1.0";

void add_model_options(CLI::App* command, ModelOptions& o) {
    command->add_option("FILE", o.file, "a model in the Dymola language (.dym)")->required();
    command->add_option("MODEL", o.model,
                        "the model or model type to use; default: the last model of the file");
    command->add_option("--set", o.set, "value of a parameter: path.p=VALUE; structure parameters too")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--init", o.init, "initial value: path.x=VALUE")->take_all()->allow_extra_args(false);
    command
        ->add_option("--initial", o.initial,
                     "the start: given (initial values of the states), steady (derivatives are zero), jump "
                     "(connected states jump to values that agree, what is conserved is kept)")
        ->check(CLI::IsMember({"given", "steady", "jump"}));
    command->add_option("--input", o.input, "a top-level input: \"u=EXPRESSION of time\" or u=file.csv")
        ->take_all()
        ->allow_extra_args(false);
    command
        ->add_option("--known", o.known,
                     "give these variables from outside: v1,v2 or \"v1=sin(time),v2=3,v3=file.csv\"")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--unknown", o.unknown, "compute these inputs or parameters instead: u,R")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--tear", o.tear, "iterate on these variables where they stand in a loop: v1,v2")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--library", o.library, "directory with .dym libraries; CUTSET_PATH lists more")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--limit-memory", o.limits.memory,
                        "most memory to be used, for example 2G (80 % of what the machine has left)");
    command->add_option("--limit-time", o.limits.time, "most seconds to be used, all in all (no limit)");
    command->add_flag("--json", o.json, "one JSON object on standard output");
    command->add_flag("--quiet", o.quiet, "errors only");
}

std::string solver_help() {
    std::string text = "integrator:";
    for (const auto& d : cutset::integrator_list()) text += fmt::format(" {} ({});", d.name, d.explanation);
    text.pop_back();
    return text;
}

// How to run a model: simulate and sweep.
void add_run_options(CLI::App* command, SimulateCommand& o) {
    command->add_option("--start", o.start, "start time (0)");
    command->add_option("--stop", o.stop, "stop time (start + 10)");
    auto* points =
        command->add_option("--points", o.points, "number of output instants, both ends included (1001)");
    command->add_option("--step", o.step, "distance of output instants")->excludes(points);
    command->add_flag("--every-step", o.every_step, "output at the ends of the integrator's steps instead");
    command->add_option("--tolerance", o.tolerance, "relative tolerance (1e-6)");
    command->add_option("--absolute", o.absolute,
                        "absolute tolerance of all states (tolerance times nominal value)");
    command->add_option("--local-tolerance", o.local_tolerance,
                        "tolerance of the error of one step, as the integrator sees it (a hundredth "
                        "of --tolerance, because errors add up)");
    command->add_option("--solver", o.solver, solver_help());
    command->add_option("--step-size", o.step_size,
                        "step of the integrators with fixed step, rk4 and euler (as --max-step)");
    command
        ->add_option("--step-control", o.step_control,
                     "how dopri (also within auto) chooses its steps: pi (Gustafsson's PI controller) or "
                     "standard (the classical "
                     "rule)")
        ->check(CLI::IsMember({"pi", "standard"}));
    command
        ->add_option("--engine", o.engine,
                     "how equations are evaluated: auto (interpreted at first, then machine code as it gets "
                     "ready), native (machine code from the beginning) or interpret; results are the same")
        ->check(CLI::IsMember({"auto", "native", "interpret"}));
    command->add_option(
        "--max-step", o.max_step,
        "no step of the integrator is longer (a 300th of the run, a 500th where the time makes pulses, a "
        "20th of a period where relations could miss one)");
    command->add_flag("--states", o.states, "write the states only");
    command->add_flag("--strict", o.strict, "leaving a region of validity stops the run");
    command->add_flag("--allow-external", o.allow_external,
                      "let the model call functions in shared libraries");
}

int run(int argc, char** argv) {
    CLI::App app{"Cutset: modelling and simulation of physical systems from equations."};
    app.set_version_flag("--version", version);
    app.require_subcommand(1);
    app.footer(
        "Examples:\n"
        "  cutset check examples/tanks.dym\n"
        "  cutset equations examples/tanks.dym --where Pipe1.q\n"
        "  cutset simulate examples/tanks.dym --stop 200 --plot Tank1.h,Tank2.h -o tanks.csv\n"
        "  cutset sweep examples/tanks.dym --vary Tank1.Area=1:5:50 -o out\n"
        "  cutset plot tanks.csv Tank1.h Tank2.h -o tanks.svg\n"
        "  cutset translate examples/tanks.dym --to modelica\n"
        "`cutset COMMAND --help` says more about one command. docs/tutorial.md is the place to begin.");

    CheckOptions check_options;
    auto* check_command =
        app.add_subcommand("check", "count equations and unknowns, find loops and mistakes");
    add_model_options(check_command, check_options);
    check_command->footer(
        "Examples:\n"
        "  cutset check motor.dym                 the last model of the file\n"
        "  cutset check motor.dym drive --json    another model, for a program to read\n"
        "  cutset check motor.dym --set La=0      a structural parameter changed\n"
        "  cutset check network.dym --loops       what has to be solved together, and how\n"
        "  cutset check network.dym --loops --tear R1.I,R2.I   with other iterated variables");

    check_command->add_flag("--loops", check_options.loops,
                            "explain each loop: its equations, what is iterated and why, the order of "
                            "computation");

    PartitionOptions partition_options;
    auto* partition_command = app.add_subcommand(
        "partition", "more unknowns than equations: propose what to give from outside, or judge a choice");
    add_model_options(partition_command, partition_options);
    partition_command->footer(
        "Examples:\n"
        "  cutset partition network.dym                      what may be given, with alternatives\n"
        "  cutset partition network.dym --known v1,v2,v3     can these be given? if not, why\n"
        "  cutset simulate network.dym --known \"v1=sin(time),v2=0,v3=0\"\n"
        "  cutset simulate drive.dym --known \"w=10*time\" --unknown u   the input u that makes w follow\n"
        "Exit status: 0 with a proposal, or when the choice can be simulated; 1 when it cannot.");

    EquationsOptions equations_options;
    auto* equations_command =
        app.add_subcommand("equations", "show the sorted, solved equations in the order of computation");
    add_model_options(equations_command, equations_options);
    equations_command->add_flag("--flat", equations_options.flat,
                                "the equations as collected, before sorting");
    equations_command->add_flag("--latex", equations_options.latex, "typeset");
    equations_command->add_option(
        "--where", equations_options.where,
        "how is this variable computed: the chain of equations from states, inputs and "
        "parameters, with submodel and source line");
    equations_command->footer(
        "Examples:\n"
        "  cutset equations network.dym\n"
        "  cutset equations network.dym --flat\n"
        "  cutset equations network.dym --where R1.I\n"
        "  cutset equations network.dym --latex > network.tex");

    SimulateCommand simulate_options;
    std::vector<std::string> plot_texts;
    auto* simulate_command =
        app.add_subcommand("simulate", "compute the trajectories; plot them and write a result file");
    add_model_options(simulate_command, simulate_options);
    add_run_options(simulate_command, simulate_options);
    simulate_command->add_option("--steps", simulate_options.steps,
                                 "write the steps of the integrator to this .csv or .mat file: time, size, "
                                 "error in units of the tolerance, accepted or not");
    simulate_command->add_option("-o,--output", simulate_options.output,
                                 "result file: .csv or .mat (MODEL.csv)");
    simulate_command->add_option("--plot", plot_texts, "curves to show: v1,v2 or \"y(x)\"")
        ->take_all()
        ->allow_extra_args(false);
    simulate_command->add_flag("--statistics", simulate_options.statistics, "what the integrator did");
    simulate_command->add_flag("--profile", simulate_options.profile,
                               "where the time went, from reading the model to the last row");
    simulate_command->footer(
        "Examples:\n"
        "  cutset simulate tanks.dym --stop 200 --plot Tank1.h,Tank2.h\n"
        "  cutset simulate motor.dym --set motor.J=0.02 --init motor.omega=10 -o run.mat\n"
        "  cutset simulate filter.dym --input \"u=if time > 1 then 5 else 0\" --plot y\n"
        "  cutset simulate orbit.dym --plot \"y(x)\" --tolerance 1e-9\n"
        "A comment in the head of the file may give defaults: { experiment: --stop 200 --plot Tank1.h }\n"
        "Exit status: 0 done (also when the model ends the run), 1 failed, 2 wrong options, 130 interrupted; "
        "what was\n"
        "computed is kept in the result file in every case.");

    SweepCommand sweep_options;
    std::string final_text, min_text, max_text;
    auto* sweep_command =
        app.add_subcommand("sweep", "run a model for many values of parameters, on all cores");
    add_model_options(sweep_command, sweep_options);
    sweep_command
        ->add_option("--vary", sweep_options.vary,
                     "values of a parameter, or of an initial value x(0): NAME=FROM:TO:COUNT evenly spaced, "
                     "NAME=log:FROM:TO:COUNT evenly spaced on a logarithmic scale, or NAME=V1,V2,V3; several "
                     "--vary make all combinations")
        ->take_all()
        ->allow_extra_args(false);
    sweep_command->add_option("--cases", sweep_options.cases,
                              "a .csv file: its first line names parameters and initial values x(0), each "
                              "further line is a case");
    sweep_command->add_option(
        "-o,--output", sweep_options.output,
        "directory for the results: cases.csv has one row per case, case_0001.csv … the "
        "curves");
    sweep_command->add_option("--jobs", sweep_options.jobs, "cases at the same time (one per core)");
    sweep_command->add_option(
        "--final", final_text,
        "variables whose values at the end stand in cases.csv: v1,v2 (states and outputs)");
    sweep_command->add_option("--min", min_text, "variables whose smallest value stands in cases.csv: v1,v2");
    sweep_command->add_option("--max", max_text, "variables whose largest value stands in cases.csv: v1,v2");
    sweep_command
        ->add_option("--format", sweep_options.format, "of the result of each case: csv or mat (csv)")
        ->check(CLI::IsMember({"csv", "mat"}));
    sweep_command->add_flag("--no-results", sweep_options.no_results, "write cases.csv only");
    sweep_command->add_flag("--overwrite", sweep_options.overwrite,
                            "replace another sweep in the same directory");
    add_run_options(sweep_command, sweep_options);
    sweep_command->footer(
        "Examples:\n"
        "  cutset sweep motor.dym --vary motor.J=0.01:0.1:100 -o out\n"
        "  cutset sweep motor.dym --vary motor.J=log:1e-3:1:7 --vary \"motor.omega(0)=0,10\" --max motor.I "
        "-o out\n"
        "  cutset sweep motor.dym --cases cases.csv --no-results --final motor.omega -o out\n"
        "A case is what `cutset simulate --set NAME=VALUE` computes, to the last digit. Ctrl-C stops; the "
        "same "
        "command\n"
        "again runs the cases that are left. A case that fails is noted in cases.csv with its message.\n"
        "Exit status: 0 all cases done, 1 some failed, 2 wrong options, 130 interrupted.");

    PlotOptions plot_options;
    auto* plot_command = app.add_subcommand("plot", "plot a result on the terminal or to a file");
    plot_command->add_option("FILE", plot_options.file, "a result, .csv or .mat")->required();
    plot_command->add_option("NAMES", plot_options.names, "variables, or \"y(x)\"; none: list what there is");
    plot_command->add_option("-o,--output", plot_options.output, "picture file: .svg, .png or .pdf");
    plot_command->add_option("--title", plot_options.title, "title of the plot");
    plot_command->footer(
        "Examples:\n"
        "  cutset plot tanks.csv                    what variables there are\n"
        "  cutset plot tanks.csv Tank1.h Tank2.h    on the terminal\n"
        "  cutset plot tanks.csv \"Tank2.h(Tank1.h)\" -o phase.svg");

    TranslateOptions translate_options;
    auto* translate_command = app.add_subcommand("translate", "write the loaded classes in another language");
    add_model_options(translate_command, translate_options);
    translate_command->add_option("--to", translate_options.to, "the language: modelica")
        ->required()
        ->check(CLI::IsMember({"modelica"}));
    translate_command->add_option("-o,--output", translate_options.output, "file to write (standard output)");
    translate_command->footer("Example:\n  cutset translate tanks.dym --to modelica -o Tanks.mo");

    CompareCommand compare_options;
    auto* compare_command = app.add_subcommand("compare", "compare a result with a reference");
    compare_command->add_option("RESULT", compare_options.result, "a result, .csv or .mat")->required();
    compare_command->add_option("REFERENCE", compare_options.reference, "what it should be")->required();
    compare_command->add_option("--tolerance", compare_options.relative, "of each variable's range (1e-3)");
    compare_command->add_option("--absolute", compare_options.absolute, "added to it (0)");
    std::string only, skip;
    compare_command->add_option("--only", only, "compare these reference variables: a,b");
    compare_command->add_option("--skip", skip, "leave these out: a,b");
    compare_command
        ->add_option("--name", compare_options.names,
                     "REFERENCE=RESULT where names differ; -RESULT turns the sign")
        ->take_all()
        ->allow_extra_args(false);
    compare_command->add_flag("--all", compare_options.all, "print every variable");
    compare_command->footer(
        "Example:\n  cutset compare tanks.csv measured.csv --tolerance 1e-2 --only Tank1.h");

    if (argc == 1) {
        fmt::print("{}", app.help());
        return 2;
    }
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
    if (const std::string given = argv[1];
        given[0] != '-' && std::find(commands.begin(), commands.end(), given) == commands.end()) {
        const std::string near = cutset::nearest_name(given, commands);
        fmt::print(stderr, "error: there is no command {}{}\n  help: `cutset --help` lists the commands\n",
                   given, near.empty() ? "" : fmt::format("; did you mean {}?", near));
        return 2;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        const int status = app.exit(e);
        return status == 0 ? 0 : 2;
    }
    for (const std::string& text : plot_texts)
        for (const std::string& name : split_names(text)) simulate_options.plot.push_back(name);
    sweep_options.final_values = split_names(final_text);
    sweep_options.minima = split_names(min_text);
    sweep_options.maxima = split_names(max_text);
    compare_options.only = split_names(only);
    compare_options.skip = split_names(skip);

    std::unique_ptr<LimitWatch> watch;
    for (const auto& [command, options] :
         {std::pair<CLI::App*, const ModelOptions*>{check_command, &check_options},
          {partition_command, &partition_options},
          {equations_command, &equations_options},
          {simulate_command, &simulate_options},
          {sweep_command, &sweep_options},
          {translate_command, &translate_options}}) {
        if (!*command) continue;
        std::string problem;
        watch = LimitWatch::start(options->limits, options->json, problem);
        if (!watch) {
            fmt::print(stderr, "error: {}\n", problem);
            return 2;
        }
    }

    if (*check_command) return check(check_options);
    if (*partition_command) return partition(partition_options);
    if (*equations_command) return equations(equations_options);
    if (*simulate_command) return simulate(simulate_options);
    if (*sweep_command) return sweep(sweep_options);
    if (*plot_command) return plot(plot_options);
    if (*translate_command) return translate(translate_options);
    return compare_results(compare_options);
}

}  // namespace

int main(int argc, char** argv) {
    // A full disk, a file limit or a closed pipe is an error to report, not a signal to die of.
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "cutset: out of memory; the model is too large for this machine\n");
    } catch (const std::system_error& e) {
        if (e.code() == std::errc::broken_pipe) return 0;  // the reader, `head` for example, has seen enough
        fmt::print(stderr, "cutset: {}\n", e.what());
    } catch (const std::exception& e) {
        fmt::print(
            stderr,
            "cutset: internal error: {}\nThis is a bug in Cutset, not in your model. Please report it.\n",
            e.what());
    }
    return 3;
}
