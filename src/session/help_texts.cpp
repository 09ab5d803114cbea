// The texts of `help`, in the order in which they are listed.
#include "session/help.h"

namespace cutset {

namespace {

constexpr std::string_view model = "The system", run = "Runs", values = "Values", picture = "Pictures",
                           files = "Files", macros = "Macros", other = "The session";

}  // namespace

const std::vector<CommandHelp>& all_command_help() {
    static const std::vector<CommandHelp> all = {
        {"SYST", model, "SYST name ... [-EDIT]", "make a system the active one",
         "Each name is a file: NAME.t with a system in Simnon's language, or a model of another language "
         "(tanks.dym, then perhaps the name of the model in it). Of several systems the last one connects "
         "the "
         "others. A file that does not exist is written in the editor, line by line; a file with an error "
         "opens "
         "the editor at the line concerned. With -EDIT the editor opens in any case. Parameters and initial "
         "values are those of the text again.",
         "SYST TRIOD                     one system\n"
         "SYST MOTOR CPID DPID SERVO     three systems and the one that connects them\n"
         "SYST tanks.dym                 a model of another language\n"
         "SYST TRIOD -EDIT               change its text first"},
        {"WHY", model, "WHY variable", "the equations that determine a variable", "", "WHY DV"},
        {"DISP", model, "DISP [(LP)] [variable ...]  |  DISP -CHANGED", "show present values",
         "Without names: all variables of each system, by their roles. With names: one line. -CHANGED: what "
         "differs from the text, as commands. (LP) appends to listing.txt instead of the screen. A name "
         "alone "
         "shows its value too, `U(3.2)` the one at that time of the last run, and `2*U+1` is computed.",
         "DISP\n"
         "DISP U V EPS                   U=2.23 V=0.711 EPS=1.\n"
         "DISP Y[MOTOR] G[CPID]          variables of systems that are connected"},

        {"SIMU", run, "SIMU [start stop [increment]] [-CONT] [-MARK] [/file]", "simulate the active system",
         "What is left out is as in the last SIMU; at the beginning 0 1. The increment is the longest step, "
         "or the "
         "step of methods with fixed step. -CONT goes on from where the run stands, for as long as from "
         "start to "
         "stop. -MARK numbers the curves in the order of PLOT. What STORE chose is written to file.csv. "
         "Ctrl-C "
         "stops a run: it stands there, and -CONT without numbers finishes it.",
         "SIMU 0 25                      from 0 to 25\n"
         "SIMU                           the same again, after PAR or INIT\n"
         "SIMU -CONT                     25 more\n"
         "SIMU 10 20 0.02 -MARK /SIM2    with marks, results to SIM2.csv"},
        {"PLOT", run, "PLOT [variable ... [(variable)]]", "choose the curves of the next runs",
         "Over time, or over the variable in parentheses. Without names nothing is drawn.",
         "PLOT U V\n"
         "PLOT V (U)                     the phase plane\n"
         "PLOT Y[MOTOR] YR               of systems that are connected; Y(MOTOR) and MOTOR.Y mean the same"},
        {"AXES", run, "AXES [H [LOG|LIN] [minimum maximum]] [V [LOG|LIN] [minimum maximum]]",
         "draw axes; runs are drawn into them",
         "What is left out is as the last time. Axes begin a new picture; all runs after it are drawn over "
         "each "
         "other. Limits are widened to round numbers.",
         "AXES H 0 25 V -5 5\n"
         "AXES V 0 1                     the horizontal one as before\n"
         "AXES V LOG 0.1 100             a logarithmic axis; AXES V LOG takes the limits of the curves\n"
         "AXES                           an empty picture with the same axes\n"
         "AXES AUTO                      what the curves need, as before the first AXES"},
        {"ALGOR", run, "ALGOR method", "choose the method of integration",
         "HAMPC is Hamming's method, RK Runge and Kutta's with variable step, RKFIX with fixed step (the "
         "increment of SIMU); every solver of `simulate` may be named too: auto (at the beginning), dopri, "
         "bdf, radau, ida ...",
         "ALGOR RK\n"
         "ALGOR auto"},
        {"ERROR", run, "ERROR bound", "choose how exact runs are", "", "ERROR 1E-5"},
        {"STORE", run, "STORE [variable ... [-ADD]]", "choose what runs write to a file",
         "The file is named by SIMU ... /name; it is name.csv, which `cutset plot` and other programs read "
         "too. "
         "Without names nothing is stored.",
         "STORE X1 X2\n"
         "STORE Y[MOTOR] -ADD            one more"},

        {"PAR", values, "PAR variable:value ...", "change parameters",
         "A value is a number, a variable or an expression of them. `EPS=3` alone does the same. The run "
         "that stands goes on with it "
         "(SIMU -CONT); the system is not translated again.",
         "PAR EPS:3\n"
         "PAR G[CPID]:2*G[CPID]\n"
         "PAR K:2 TI:0.5                 all of them or none\n"
         "PAR P1[SYST1]:P1[SYST2]        the value of another variable"},
        {"INIT", values, "INIT variable:value ...", "change the initial values of states", "",
         "INIT U:6\n"
         "INIT U:U                       begin where the last run ended"},
        {"INPUT", values, "INPUT variable:expression", "give an input of the system",
         "For models with inputs that nothing is connected to; the expression may contain time.",
         "INPUT U:1\n"
         "INPUT U:sin(2*time)"},
        {"STATE", values, "STATE variable:value", "let a state of the run that stands jump", "",
         "STATE X:0                      then SIMU -CONT"},
        {"UNDO", values, "UNDO", "take back the last PAR, INIT, INPUT or GET", "", "UNDO"},
        {"SAVE", values, "SAVE file [system] [-PAR | -INIT]  |  SAVE name -ALL",
         "save parameters and initial values, or all of the session",
         "As a text of lines name:value in groups [system], which GET reads. -ALL writes a macro NAME.mac "
         "with the system, all values that differ from its text, curves, axes, settings and the last run: "
         "NAME brings them back.",
         "SAVE GOOD\n"
         "SAVE FRIDAY -ALL               another day: FRIDAY\n"
         "SAVE REG CPID -PAR             parameters of one system"},
        {"GET", values, "GET file", "take parameters and initial values from a file", "", "GET GOOD"},
        {"CHECKPOINT", values, "CHECKPOINT name", "keep the point where the run stands",
         "Everything that its future depends on, parameters included.", "CHECKPOINT HOT"},
        {"RESTORE", values, "RESTORE name", "go back to a point that was kept", "",
         "RESTORE HOT                    then PAR ..., SIMU -CONT"},
        {"BRANCH", values, "BRANCH variable:value ... [length]  |  BRANCH [name]",
         "two futures of the run that stands, drawn over each other",
         "One as it is and one with the changes, as long as given or as the last run. With a name only: "
         "marks this "
         "point, and the next BRANCH of that name comes back to it.",
         "SIMU 0 10\n"
         "BRANCH EPS:3 15                15 more, with the present EPS and with 3"},

        {"SHOW", picture,
         "SHOW variable ... [(variable)] [-MARK] [/file]  |  SHOW variable/file ...  |  SHOW -LIST [/file]",
         "draw what was stored",
         "Of the file that SIMU wrote last, or the one named; of several where each variable names its file. "
         "-LIST says which variables there are.",
         "SHOW X1 X2\n"
         "SHOW X2 (X1) /SIM1\n"
         "SHOW U/R1 U/R2                 of two results, over each other\n"
         "SHOW U/R1 - U/R2               their difference\n"
         "SHOW -LIST"},
        {"HCOPY", picture, "HCOPY file", "the picture as a file: .svg, .png or .pdf", "", "HCOPY run.svg"},
        {"ZOOM", picture, "ZOOM [H minimum maximum] [V minimum maximum]", "show a part of the picture",
         "Nothing is computed again; ZOOM alone shows all of it.", "ZOOM H 2 3"},
        {"CURSOR", picture, "CURSOR [place]", "the values of the curves at a place",
         "Without a place, on a terminal, the arrows move it, + and - zoom, 0 shows all and Return ends.",
         "CURSOR 3.2"},
        {"CLEAR", picture, "CLEAR", "forget the curves drawn so far", "", "CLEAR"},

        {"EDIT", files, "EDIT file [-RECOVER]", "change a text file",
         "With your own editor when EDITOR is set, else line by line: P prints, N goes down, T to the top, L "
         "text "
         "finds, R text replaces the line, C /old/new/ changes it, I text inserts, D deletes, an empty line "
         "begins "
         "to add lines and another one ends that; E writes the file (E NAME another one) and LEAVE forgets "
         "the changes. What is pasted is text up to "
         "its end. A text that was typed and never written is taken up again with -RECOVER.",
         "EDIT TRIOD"},
        {"LIST", files, "LIST [(LP)] file ...", "show text files", "", "LIST TRIOD"},
        {"LOG", files, "LOG file [-MACRO]", "write this session to a file",
         "Its commands with their answers as comments, file.log, which `cutset shell` executes; or the "
         "commands as a "
         "macro, file.t.",
         "LOG TODAY\n"
         "LOG FIGURE5 -MACRO             then FIGURE5 is a command"},

        {"MACRO", macros, "MACRO name [argument ...]   ...   END", "commands under a name of their own",
         "The lines up to END are kept and executed when the name is given as a command; its arguments "
         "replace "
         "the formal ones. Macros may call macros, and have variables (LET), loops (FOR ... NEXT), tests and "
         "jumps "
         "(IF ... GOTO, LABEL), and may READ and WRITE values. A file with MACRO ... END is found by its "
         "name; what is typed on a terminal is written to NAME.mac.",
         "MACRO TRAJ X Y\n"
         "INIT U:X\n"
         "INIT V:Y\n"
         "SIMU 0 25\n"
         "END\n"
         "TRAJ 6 8                       then it is a command"},
        {"LET", macros, "LET name = value", "a variable of the macro, or of the session",
         "In the commands after it the name is replaced by the value. DEFAULT name = value gives an argument "
         "its "
         "value where none was given; FREE name forgets it.",
         "LET K = K + 1"},
        {"FOR", macros, "FOR name = first TO last [STEP step]   ...   NEXT name", "a loop", "",
         "FOR E = 0.5 TO 2 STEP 0.5\n"
         "PAR EPS:E\n"
         "SIMU\n"
         "NEXT E"},
        {"IF", macros, "IF a {EQ|NE|LT|GT|LE|GE} b GOTO label", "a test; LABEL label is where it goes on", "",
         "LABEL AGAIN\n"
         "LET K = K + 1\n"
         "IF K LT 10 GOTO AGAIN"},
        {"READ", macros, "READ name [INT|REAL|NUM|NAME|YESNO]", "ask for a value", "", "READ K INT"},
        {"WRITE", macros, "WRITE text and values", "print a line", "", "WRITE 'EPS IS ' EPS"},
        {"SUSPEND", macros, "SUSPEND", "in a macro: back to the prompt; RESUME goes on with it", "", ""},

        {"TURN", other, "TURN switch {ON | OFF}", "turn a switch",
         "WARN: warnings of inputs that are used before they are given. COMPU: messages of the order of "
         "computation. PLCOM: the PLOT command above pictures. DARK: curves are not connected where systems "
         "sample. MACOM: commands of macros are echoed. STRICT: algebraic loops are refused, not solved. "
         "EXTERNAL: "
         "models may call functions of shared libraries; only typed at the prompt. PLOTS: pictures are drawn "
         "(off in scripts). TURN "
         "alone "
         "shows them all.",
         "TURN WARN OFF"},
        {"STOP", other, "STOP", "end the session", "", "STOP"},
    };
    return all;
}

}  // namespace cutset
