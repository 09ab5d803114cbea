// ClassPicture: what can be seen of one class, made from its text without instantiating.
//
//     text ──parse──▶ class ──class_picture──▶ ClassPicture ──draw──▶ Drawing (svg, pdf, png), JSON (studio)
//
// A picture is also there for a model that is unfinished or wrong: what is not known is missing in it, and
// its diagnostics say why. It belongs to the class: every use of the class shows the same picture, and a
// block of it names the class whose picture opens there. Lengths are in the coordinates of the class: x to
// the right, y up, whole numbers where the text has them; a block of usual size is 30 × 20.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"

namespace cutset::picture {

struct Spot {
    double x = 0, y = 0;
    bool operator==(const Spot&) const = default;
};
struct Box {
    double left = 0, bottom = 0, right = 0, top = 0;
    double width() const { return right - left; }
    double height() const { return top - bottom; }
    Spot middle() const { return {(left + right) / 2, (bottom + top) / 2}; }
    bool operator==(const Box&) const = default;
};

// ---- looks

enum class Shape : std::uint8_t { Line, Polygon, Rectangle, Ellipse, Text };

// Of an icon, in a square of −1 … 1 both ways, or as the text gives it in the frame of the icon.
struct Primitive {
    Shape shape = Shape::Line;
    std::vector<Spot> points;  // two corners of a rectangle or an ellipse; the middle of a text
    std::string text;
    std::string fill;    // none, paper, ink, the name of a colour or #rrggbb
    std::string stroke;  // of the border: empty: that of all icons; none or #rrggbb
    double size = 0;     // of a text: its height; 0: that of all icons
    bool smooth = false;
    std::string condition;  // the parameter that says whether it is seen; empty: always
};

// Without primitives a block shows its name alone.
struct Icon {
    std::string kind;  // for readers: "resistor", "tank"; "drawn" in the text; empty: none
    std::vector<Primitive> primitives;
};

// ---- the interface

enum class Side : std::uint8_t { Left, Right, Bottom, Top };

enum class VariableRole : std::uint8_t { Across, Through, Input, Output, Terminal };

struct PortVariable {
    std::string name;  // from its class: `V`, `w[2]`, of a connector `p.v`; empty for a dot
    VariableRole role = VariableRole::Across;
    bool negative = false;  // of a through variable: counts out of the model
    std::string unit, quantity, description;
    Span where;
};

enum class PortKind : std::uint8_t { Cut, Node, Terminal, Input, Output };

// What lines are joined to. Variables and parts are in the order of the text; a cut without body is open: it
// becomes what is joined to it.
struct Port {
    std::string name;  // empty: the anonymous main cut
    PortKind kind = PortKind::Cut;
    bool main = false, open = false;
    std::string dimensions;  // "[n]" as written
    Side side = Side::Left;
    double along = 0.5;   // of the side: from below, or from the left; 0 … 1
    bool placed = false;  // the text says where
    Spot inside;          // on the frame, seen from inside
    std::vector<PortVariable> variables;
    std::vector<Port> parts;  // of a hierarchical cut
    Span where;
};

// ---- the inside

enum class BlockKind : std::uint8_t {
    Submodel,
    Sum,         // Σ
    Product,     // Π
    Negate,      // −1
    Generator,   // ~: an expression that nothing leads to
    Expression,  // any other expression of what leads to it
    Node,        // a junction: no class, one point
};

struct BlockArgument {
    std::string name;  // empty: by position
    std::string value;
    Span where;
    Span value_where;
};

// A submodel as it is used here, or a symbol of a signal expression.
struct Block {
    BlockKind kind = BlockKind::Submodel;
    std::string name;        // of a symbol: `YREF[CPID].1`, the input that it belongs to and a number
    std::string type;        // the class as written; empty for symbols
    std::string key;         // of the class, to ask for its picture; empty: there is none
    std::string dimensions;  // "[4]": a stack of blocks
    bool conditional = false;
    std::string condition;  // under which it is there
    std::string description;
    std::string text;  // of a symbol: the expression; "+-" for the signs of a sum
    std::vector<BlockArgument> arguments;
    Icon icon;  // of its class
    Spot at;    // the middle
    double width = 30, height = 20;
    int turn = 0;         // 0, 90, 180, 270 degrees to the left
    bool flip = false;    // left and right exchanged, before turning
    bool placed = false;  // the text says where
    // Where lines meet it: ports of its class, of a symbol its inputs and its output, in this order.
    struct Terminal {
        std::string port;
        Spot at;
        Side side = Side::Left;
    };
    std::vector<Terminal> terminals;
    Span where;
    Span statement;  // as far as known, else `where`
};

struct LineEnd {
    std::optional<std::uint32_t> block;  // none: a port of the class itself
    std::string port;                    // path: `drain`, `heat.2`; empty: the block as a whole
    std::string variable;                // joined by an equation: the variable
};

enum class LineKind : std::uint8_t { Joint, Signal };  // of cuts; directed

// What flows, as far as the name of the connection says it. It has a colour that engineers give it.
enum class Medium : std::uint8_t { None, Steam, Water, Gas, Heat, Fuel, Power, Shaft, Air, Oil };
Medium medium_of(std::string_view name);

struct Line {
    LineKind kind = LineKind::Joint;
    LineEnd from, to;
    std::string name;  // of the statement: `connect (steam)`
    Span statement;
    Span part;  // the operands of this line
    bool conditional = false;
    std::vector<Spot> via;     // given by the text
    bool whole_way = false;    // `via` is all of the way but its ends
    std::vector<Spot> points;  // the whole way, both ends included
};

// ---- the text

enum class TextKind : std::uint8_t {
    Parameter,
    Constant,
    Local,
    Input,
    Output,
    Terminal,
    State,       // of Simnon
    Derivative,  // of Simnon: DER, NEW
    Cut,
    Path,
    Submodel,
    Connect,
    Equation,
    Initial,
    Event,
    Validity,
    Other
};

// A declaration or a statement.
struct TextPart {
    TextKind kind = TextKind::Equation;
    std::string name;  // what it declares; empty for statements
    std::string dimensions, value, unit, quantity, description;
    std::string text;       // as written, without the layout around it
    std::string condition;  // of the branch or loop that it stands in
    std::string inherited;  // the class that it comes from
    Span where;
    Span value_where;    // of a declaration: of its value
    bool drawn = false;  // it is in the diagram: a line or a symbol
};

// A characteristic curve, or a family of them.
struct TablePicture {
    std::string name;
    std::vector<std::string> arguments;
    std::string file;  // where its values are, if they are not in the text
    struct Curve {
        std::string label;
        std::vector<Spot> points;
    };
    std::vector<Curve> curves;
    bool steps = false;
    Span where;
};

struct FunctionPicture {
    std::string name;
    std::vector<std::string> inputs, outputs;
    std::string documentation, text;
    Span where;
};

// `--@ transfer`: y = numerator/denominator·u, by the parameters that hold the coefficients, highest power
// first.
struct TransferFunction {
    std::string input, output, numerator, denominator;
    bool ascending = false;  // lowest power first
};

// ---- how it is seen

enum class Level : std::uint8_t { Name, Text, Inside };

// `--@ show`: between which sizes on the screen (width in pixels) this is seen.
struct Breakpoint {
    Level level = Level::Name;
    std::optional<double> below, above;
    std::string text;
    Span where;
};

// `--@ plot`: curves on the diagram.
struct Display {
    std::vector<std::string> variables;
    Spot at;
    double width = 40, height = 24;
    Span where;
};

// ---- all of it

enum class ClassKind : std::uint8_t {
    Model,
    Connector,
    Record,
    Type,
    Package,
    Function,
    Continuous,  // systems of Simnon
    Discrete,
    Connecting,
    External
};

struct ClassPicture {
    std::string key;  // names it among all that are loaded: `boiler`, `plant.valve`
    std::string name;
    std::string language = "dymola";
    ClassKind kind = ClassKind::Model;
    bool runnable = false;  // a model that can be simulated by itself
    std::string title;      // the first sentence of the documentation
    std::string documentation;
    Span where, whole;    // the name; from `model` to `end`
    Box frame;            // holds all blocks and points
    bool framed = false;  // the text says so

    std::vector<Port> ports;
    std::vector<Block> blocks;
    std::vector<Line> lines;
    std::vector<TextPart> texts;  // in the order of the text
    std::optional<Box> text_box;  // where they stand beside the blocks, if there are both
    std::vector<TablePicture> tables;
    std::vector<FunctionPicture> functions;
    std::optional<TransferFunction> transfer;
    std::vector<std::string> classes;  // keys of those that are declared inside
    Icon icon;
    std::vector<Breakpoint> breakpoints;
    std::vector<Display> displays;
    std::vector<Diagnostic> diagnostics;
    // Of all above and of the interfaces that it was made with: equal as long as the picture is.
    std::uint64_t hash = 0;
};

}  // namespace cutset::picture
