#include "linear/linear_options.h"

namespace cutset::cli {

void add_linear_options(Command& c, LinearRequest& o, OutputOptions& output) {
    add_model_options(c, o, output, false,
                      "a model, or a linear system: .json, .mat (A B C D, or num and den), .mim",
                      {".dym", ".t", ".json", ".mat", ".mim"});
    o.on_step = [](const char* step) { set_stage(step); };
    c.option("--tf", o.tf,
             "a transfer function instead of a file: \"(s+1)/(s^2+3*s+2)\", \"exp(-0.1*s)/s\", \"[1/s, 2; 0, "
             "1/(s+1)]\"");
    c.list("--inputs", o.inputs, "inputs u1,u2 by name or number; default: all");
    c.list("--outputs", o.outputs, "outputs y1,y2 by name or number; default: all");
    c.option("--at", o.at,
             "where a model is linearised: steady, start, time=T, point.json, a result run.csv or run.csv@T; "
             "default: steady, where there is none the start");
    c.option("--sample-time", o.sample_time, "sample time of a transfer function in z [s]; default: 1");
    c.flag("--symbolic", o.symbolic, "parameters of a model stay symbols (up to 8 states; not for curves)");
    c.option("--pade", o.pade, "replace delays by fractions of this order");
}

}  // namespace cutset::cli
