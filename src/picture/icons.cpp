#include "picture/icons.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace cutset::picture {

namespace {

// Primitives in -1 … 1, one after the other: a letter (line, polygon, rectangle, ellipse, text), numbers, and
// `=fill` or `'text`.
struct Drawn {
    const char* kind;
    const char* strokes;
};

constexpr Drawn drawings[] = {
    {"resistor", "l -1 0 -.6 0; r -.6 -.25 .6 .25 =paper; l .6 0 1 0"},
    {"capacitor", "l -1 0 -.12 0; l -.12 -.55 -.12 .55; l .12 -.55 .12 .55; l .12 0 1 0"},
    {"inductor",
     "l -1 0 -.6 0 -.57 .17 -.48 .27 -.32 .27 -.23 .17 -.2 0 -.17 .17 -.08 .27 .08 .27 .17 .17 .2 0 .23 .17 "
     ".32 "
     ".27 .48 .27 .57 .17 .6 0 1 0"},
    {"voltage source",
     "e -.5 -.5 .5 .5 =paper; l -1 0 1 0; l -.8 .35 -.8 .65; l -.95 .5 -.65 .5; l .65 .5 .95 .5"},
    {"sine voltage",
     "e -.5 -.5 .5 .5 =paper; l -1 0 -.5 0; l .5 0 1 0; l -.3 0 -.22 .19 -.15 .24 -.08 .19 0 0 .08 "
     "-.19 .15 -.24 .22 -.19 .3 0"},
    {"current source",
     "e -.5 -.5 .5 .5 =paper; l -1 0 -.5 0; l .5 0 1 0; l 0 -.5 0 .5; l -.8 .5 -.5 .5; p -.5 .6 -.5 "
     ".4 -.3 .5 =ink"},
    {"diode", "l -1 0 1 0; p -.35 .42 -.35 -.42 .35 0 =ink; l .35 .42 .35 -.42"},
    {"thyristor", "l -1 0 1 0; p -.35 .42 -.35 -.42 .35 0 =ink; l .35 .42 .35 -.42; l .35 0 .6 -.5"},
    {"ground", "l 0 .7 0 .1; l -.6 .1 .6 .1; l -.38 -.17 .38 -.17; l -.15 -.44 .15 -.44"},
    {"switch", "l -1 0 -.4 0 .35 .5; l .4 0 1 0"},
    {"transistor",
     "l -1 0 -.25 0; l -.25 -.55 -.25 .55; l -.25 .25 .5 .8; l -.25 -.25 .5 -.8; p .5 -.8 .17 -.72 .33 "
     "-.5 =ink"},
    {"transformer", "e -.75 -.45 .15 .45; e -.15 -.45 .75 .45"},
    {"amplifier",
     "p -.7 .8 -.7 -.8 .8 0 =paper; l -.55 .35 -.3 .35; l -.55 -.35 -.3 -.35; l -.42 -.47 -.42 -.23"},
    {"voltmeter", "e -.6 -.6 .6 .6 =paper; t 0 0 'V"},
    {"ammeter", "e -.6 -.6 .6 .6 =paper; t 0 0 'A"},
    {"motor", "e -.6 -.6 .6 .6 =paper; t 0 0 'M"},
    {"inertia", "l -1 0 -.3 0; r -.3 -.75 .3 .75 =grey; l .3 0 1 0"},
    {"spring", "l -1 0 -.6 0 -.5 .35 -.3 -.35 -.1 .35 .1 -.35 .3 .35 .5 -.35 .6 0 1 0"},
    {"damper",
     "l -1 0 -.05 0; l -.05 -.3 -.05 .3; l .35 .45 -.45 .45; l -.45 -.45 .35 -.45 .35 .45; l .35 0 1 0"},
    {"spring and damper",
     "l -1 0 -.7 0 -.7 .45 -.5 .45 -.4 .65 -.2 .25 0 .65 .2 .25 .4 .45 .7 .45 .7 0 1 0; l -.7 0 "
     "-.7 -.45 0 -.45; l 0 -.65 0 -.25; l -.3 -.15 .35 -.15 .35 -.75 -.3 -.75; l .35 -.45 .7 "
     "-.45 .7 0"},
    {"gear", "l -1 0 -.35 0; r -.35 -.3 -.02 .3 =grey; r .02 -.8 .35 .8 =grey; l .35 0 1 0"},
    {"clutch", "l -1 0 -.12 0; l -.12 -.7 -.12 .7; l .12 -.7 .12 .7; l .12 0 1 0"},
    {"fixed", "l 0 .7 0 0; l -.7 0 .7 0; l -.6 0 -.8 -.35; l -.2 0 -.4 -.35; l .2 0 0 -.35; l .6 0 .4 -.35"},
    {"mass", "l -1 0 -.6 0; r -.6 -.45 .6 .45 =grey; l .6 0 1 0"},
    {"force", "l -.9 0 .5 0; p .45 .25 .45 -.25 .95 0 =ink"},
    {"torque", "l -.55 -.55 -.75 -.2 -.75 .2 -.5 .55 -.15 .75 .2 .72 .5 .5; p .4 .75 .75 .25 .2 .3 =ink"},
    {"friction",
     "r -.6 .05 .6 .55 =grey; l -.9 0 .9 0; l -.6 0 -.8 -.3; l -.2 0 -.4 -.3; l .2 0 0 -.3; l .6 0 .4 -.3"},
    {"heat capacity", "r -.55 -.6 .55 .6 =orange; t 0 0 'C"},
    {"heat conductor",
     "r -.55 -.5 .55 .5 =paper; l -.25 -.5 -.25 .5; l .05 -.5 .05 .5; l .35 -.5 .35 .5; l -1 0 -.55 "
     "0; l .55 0 1 0"},
    {"radiation",
     "l -.8 .3 -.5 .5 -.2 .1 .1 .5 .4 .1 .6 .3; p .55 .5 .6 .05 .95 .3 =ink; l -.8 -.3 -.5 -.1 -.2 -.5 "
     ".1 -.1 .4 -.5 .6 -.3; p .55 -.1 .6 -.55 .95 -.3 =ink"},
    {"temperature", "e -.25 -.75 .25 -.25 =orange; l -.12 -.3 -.12 .7 .12 .7 .12 -.3; l 0 -.5 0 .35"},
    {"tank", "r -.65 -.7 .65 .15 =blue; l -.65 .8 -.65 -.7 .65 -.7 .65 .8"},
    {"pipe", "r -.9 -.22 .9 .22 =blue"},
    {"valve",
     "p -.7 .45 -.7 -.45 .7 .45 .7 -.45 =paper; l -1 0 -.7 0; l .7 0 1 0; l 0 0 0 .6; l -.3 .6 .3 .6"},
    {"pump", "e -.6 -.6 .6 .6 =paper; p -.3 .52 -.3 -.52 .6 0 =blue"},
    {"reservoir", "r -.9 -.5 .9 .2 =blue; l -.9 .2 .9 .2; p -.15 .55 .15 .55 0 .25 =ink"},
    {"turbine", "p -.6 .3 -.6 -.3 .6 -.75 .6 .75 =paper; l -1 0 -.6 0; l .6 0 1 0"},
    {"heat exchanger", "e -.7 -.7 .7 .7 =paper; l -1 0 -.45 0 -.25 .4 .05 -.4 .25 0 1 0"},
    {"condenser",
     "e -.75 -.6 .75 .6 =paper; r -.45 -.45 .45 -.2 =blue; l -.55 0 -.3 .25 -.1 -.1 .1 .25 .3 -.1 .55 .15"},
    {"drum",
     "p -.85 -.2 -.75 -.38 -.55 -.45 .55 -.45 .75 -.38 .85 -.2 .85 .2 .75 .38 .55 .45 -.55 .45 -.75 .38 -.85 "
     ".2 =paper; p -.85 -.05 .85 -.05 .85 -.2 .75 -.38 .55 -.45 -.55 -.45 -.75 -.38 -.85 -.2 =blue"},
    {"furnace",
     "p -.6 -.75 .6 -.75 .6 .3 .25 .8 -.25 .8 -.6 .3 =paper; p 0 .35 .25 -.1 .28 -.4 .12 -.62 -.12 -.62 "
     "-.28 -.4 -.18 -.1 -.08 0 =orange"},
    {"generator", "e -.6 -.6 .6 .6 =paper; t 0 0 'G"},
    {"sea",
     "l -.9 .3 -.6 .45 -.3 .3 0 .45 .3 .3 .6 .45 .9 .3; l -.9 0 -.6 .15 -.3 0 0 .15 .3 0 .6 .15 .9 0; l -.9 "
     "-.3 "
     "-.6 -.15 -.3 -.3 0 -.15 .3 -.3 .6 -.15 .9 -.3"},
    {"plant",
     "r -.8 -.7 .8 0 =grey; r .3 0 .55 .85 =grey; p -.8 0 -.8 .35 -.35 0 =grey; p -.35 0 -.35 .35 .1 0 "
     "=grey"},
    {"gain", "p -.6 .7 -.6 -.7 .75 0 =paper"},
    {"sum", "e -.6 -.6 .6 .6 =paper; t 0 0 'Σ"},
    {"product", "e -.6 -.6 .6 .6 =paper; t 0 0 'Π"},
    {"integrator", "l .28 .62 .2 .75 .08 .7 .03 .45 -.03 -.45 -.08 -.7 -.2 -.75 -.28 -.62"},
    {"derivative", "t 0 0 'd/dt"},
    {"first order", "l -.7 .7 -.7 -.6 .8 -.6; l -.7 -.6 -.45 -.1 -.2 .2 .1 .38 .4 .46 .8 .5"},
    {"second order",
     "l -.7 .7 -.7 -.6 .8 -.6; l -.7 -.6 -.55 -.4 -.35 .3 -.2 .55 -.05 .5 .1 .25 .25 .15 .4 .25 .55 "
     ".32 .8 .28"},
    {"lead lag", "l -.7 .7 -.7 -.6 .8 -.6; l -.7 .6 -.5 .2 -.2 -.05 .2 -.17 .8 -.2"},
    {"transfer function", "t 0 .42 'b(s); l -.6 0 .6 0; t 0 -.42 'a(s)"},
    {"state space", "t 0 .35 'A  B; t 0 -.35 'C  D"},
    {"regulator", "t 0 0 'PID"},
    {"limiter", "l -.8 -.45 -.4 -.45 .4 .45 .8 .45; l -.8 0 .8 0; l 0 -.7 0 .7"},
    {"dead zone", "l -.8 -.5 -.3 0 .3 0 .8 .5; l -.8 0 .8 0; l 0 -.7 0 .7"},
    {"relay", "l -.8 -.45 .2 -.45 .2 .45 .8 .45; l .2 .45 -.2 .45 -.2 -.45; l -.8 0 .8 0"},
    {"delay", "l -.8 -.5 -.5 -.5 -.2 .4 .1 .4; l -.2 -.5 .1 -.5 .4 .4 .8 .4"},
    {"hold", "l -.8 -.5 -.4 -.5 -.4 -.1 0 -.1 0 .4 .4 .4 .4 .1 .8 .1"},
    {"characteristic", "l -.7 .7 -.7 -.6 .8 -.6; l -.7 -.5 -.3 -.35 .1 0 .4 .45 .8 .6"},
    {"step", "l -.8 -.45 -.1 -.45 -.1 .45 .8 .45"},
    {"ramp", "l -.8 -.45 -.3 -.45 .6 .5"},
    {"sine", "l -.8 0 -.65 .35 -.5 .5 -.35 .5 -.2 .35 0 0 .2 -.35 .35 -.5 .5 -.5 .65 -.35 .8 0"},
    {"pulse", "l -.8 -.4 -.5 -.4 -.5 .4 -.1 .4 -.1 -.4 .3 -.4 .3 .4 .7 .4 .7 -.4"},
    {"heat source", "l -.9 0 .5 0; p .45 .3 .45 -.3 .95 0 =orange"},
};

// What a class is drawn as: its exact name in a library, or a word that its name holds.
struct ByName {
    const char* library;  // empty: any
    const char* name;
    const char* kind;
};

constexpr ByName in_libraries[] = {
    {"electrical", "Ground", "ground"},
    {"electrical", "Resistor", "resistor"},
    {"electrical", "Conductor", "resistor"},
    {"electrical", "Capacitor", "capacitor"},
    {"electrical", "Inductor", "inductor"},
    {"electrical", "VoltageSource", "voltage source"},
    {"electrical", "SineVoltage", "sine voltage"},
    {"electrical", "StepVoltage", "voltage source"},
    {"electrical", "CurrentSource", "current source"},
    {"electrical", "Diode", "diode"},
    {"electrical", "IdealDiode", "diode"},
    {"electrical", "Switch", "switch"},
    {"electrical", "IdealThyristor", "thyristor"},
    {"electrical", "Transistor", "transistor"},
    {"electrical", "Transformer", "transformer"},
    {"electrical", "OpAmp", "amplifier"},
    {"electrical", "Voltmeter", "voltmeter"},
    {"electrical", "Ammeter", "ammeter"},
    {"electrical", "EMF", "motor"},
    {"rotational", "Inertia", "inertia"},
    {"rotational", "TorsionSpring", "spring"},
    {"rotational", "TorsionDamper", "damper"},
    {"rotational", "ElasticShaft", "spring and damper"},
    {"rotational", "Bearing", "friction"},
    {"rotational", "Brake", "clutch"},
    {"rotational", "Clutch", "clutch"},
    {"rotational", "Friction", "friction"},
    {"rotational", "Gear", "gear"},
    {"rotational", "Torque", "torque"},
    {"rotational", "Speed", "torque"},
    {"rotational", "Fixed", "fixed"},
    {"rotational", "LoadTorque", "torque"},
    {"translational", "Mass", "mass"},
    {"translational", "Spring", "spring"},
    {"translational", "Damper", "damper"},
    {"translational", "SpringDamper", "spring and damper"},
    {"translational", "Force", "force"},
    {"translational", "Motion", "force"},
    {"translational", "Wall", "fixed"},
    {"translational", "Drag", "friction"},
    {"translational", "Weight", "force"},
    {"translational", "Rack", "gear"},
    {"thermal", "HeatCapacity", "heat capacity"},
    {"thermal", "HeatConductor", "heat conductor"},
    {"thermal", "Convection", "radiation"},
    {"thermal", "Radiation", "radiation"},
    {"thermal", "Temperature", "temperature"},
    {"thermal", "HeatFlow", "heat source"},
    {"thermal", "Rod", "heat conductor"},
    {"fluid", "OpenTank", "tank"},
    {"fluid", "LaminarPipe", "pipe"},
    {"fluid", "Pipe", "pipe"},
    {"fluid", "Valve", "valve"},
    {"fluid", "Pump", "pump"},
    {"fluid", "Reservoir", "reservoir"},
    {"fluid", "MassFlow", "force"},
    {"fluid", "Accumulator", "tank"},
    {"control", "Gain", "gain"},
    {"control", "Difference", "sum"},
    {"control", "Adder", "sum"},
    {"control", "Product", "product"},
    {"control", "Integrator", "integrator"},
    {"control", "LimitedIntegrator", "integrator"},
    {"control", "FirstOrder", "first order"},
    {"control", "SecondOrder", "second order"},
    {"control", "Derivative", "derivative"},
    {"control", "LeadLag", "lead lag"},
    {"control", "TransferFunction", "transfer function"},
    {"control", "StateSpace", "state space"},
    {"control", "StateSpaceMIMO", "state space"},
    {"control", "PID", "regulator"},
    {"control", "SampledPID", "regulator"},
    {"control", "Limiter", "limiter"},
    {"control", "DeadZone", "dead zone"},
    {"control", "Relay", "relay"},
    {"control", "Delay", "delay"},
    {"control", "Hold", "hold"},
    {"control", "Characteristic", "characteristic"},
    {"control", "Step", "step"},
    {"control", "Ramp", "ramp"},
    {"control", "Sine", "sine"},
    {"control", "Pulse", "pulse"},
};

// Longer words first where one holds another.
constexpr ByName by_word[] = {
    {"", "resistor", "resistor"},
    {"", "capacitor", "capacitor"},
    {"", "inductor", "inductor"},
    {"", "diode", "diode"},
    {"", "thyristor", "thyristor"},
    {"", "transistor", "transistor"},
    {"", "transformer", "transformer"},
    {"", "amplifier", "amplifier"},
    {"", "opamp", "amplifier"},
    {"", "ground", "ground"},
    {"", "motor", "motor"},
    {"", "powerstation", "plant"},
    {"", "plant", "plant"},
    {"", "generator", "generator"},
    {"", "inertia", "inertia"},
    {"", "shaft", "inertia"},
    {"", "spring", "spring"},
    {"", "damper", "damper"},
    {"", "gear", "gear"},
    {"", "clutch", "clutch"},
    {"", "mass", "mass"},
    {"", "tank", "tank"},
    {"", "reservoir", "reservoir"},
    {"", "deaerator", "tank"},
    {"", "store", "tank"},
    {"", "pipe", "pipe"},
    {"", "attemperator", "valve"},
    {"", "valve", "valve"},
    {"", "pump", "pump"},
    {"", "turbine", "turbine"},
    {"", "pressure", "turbine"},
    {"", "stage", "turbine"},
    {"", "section", "turbine"},
    {"", "intermediate", "turbine"},
    {"", "superheater", "heat exchanger"},
    {"", "reheater", "heat exchanger"},
    {"", "preheater", "heat exchanger"},
    {"", "economizer", "heat exchanger"},
    {"", "exchanger", "heat exchanger"},
    {"", "heater", "heat exchanger"},
    {"", "condenser", "condenser"},
    {"", "furnace", "furnace"},
    {"", "boiler", "drum"},
    {"", "drum", "drum"},
    {"", "sea", "sea"},
    {"", "integrator", "integrator"},
    {"", "gain", "gain"},
    {"", "limiter", "limiter"},
    {"", "regul", "regulator"},
    {"", "controller", "regulator"},
    {"", "pid", "regulator"},
    {"", "delay", "delay"},
    {"", "sine", "sine"},
};

const char* const shape_letters = "lpret";

Primitive primitive_of(std::string_view text) {
    Primitive out;
    out.fill = "none";
    double pending = 0;
    bool half = false;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == ' ') {
            ++i;
        } else if (c == '=') {
            out.fill = text.substr(i + 1);
            break;
        } else if (c == '\'') {
            out.text = text.substr(i + 1);
            break;
        } else if (const char* letter = std::find(shape_letters, shape_letters + 5, c);
                   letter != shape_letters + 5) {
            out.shape = static_cast<Shape>(letter - shape_letters);
            ++i;
        } else {
            double value = 0;
            const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
            CUTSET_ASSERT(error == std::errc());
            i = static_cast<std::size_t>(end - text.data());
            if (half)
                out.points.push_back({pending, value});
            else
                pending = value;
            half = !half;
        }
    }
    return out;
}

Icon icon_of_kind(std::string_view kind) {
    Icon icon;
    for (const Drawn& d : drawings) {
        if (kind != d.kind) continue;
        icon.kind = d.kind;
        std::string_view rest = d.strokes;
        while (!rest.empty()) {
            const std::size_t end = rest.find("; ");
            icon.primitives.push_back(primitive_of(rest.substr(0, end)));
            rest = end == std::string_view::npos ? "" : rest.substr(end + 2);
        }
    }
    return icon;
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

}  // namespace

Icon icon_of(std::string_view name, std::string_view library, const std::vector<Primitive>& drawn) {
    if (!drawn.empty()) return {"drawn", drawn};
    for (const ByName& b : in_libraries)
        if (library == b.library && name == b.name) return icon_of_kind(b.kind);
    const std::string word = lower(name);
    for (const ByName& b : by_word)
        if (word.find(b.name) != std::string::npos) return icon_of_kind(b.kind);
    return {};
}

}  // namespace cutset::picture
