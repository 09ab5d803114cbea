// What the steps of instantiation share: the flat model being made, and beside it one record for each
// submodel, each declared name of a submodel, each cut, and each parameter's source of value.
//
// Names are looked up in tables made once per class: a name is a slot, and an instance is a row of slots.
// Steps are free functions over Context, one file per topic; instantiate.cpp lists their order.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/diagnostic.h"
#include "base/disjoint_sets.h"
#include "base/name_table.h"
#include "flat/unit_check.h"
#include "instantiate/instantiate.h"
#include "ir/class_tree.h"
#include "ir/flat_model.h"

namespace cutset {

inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::size_t scalar_limit = 5'000'000;       // scalar variables of one model
inline constexpr std::size_t repetition_limit = 20'000'000;  // statements after unrolling `for`
inline constexpr std::uint32_t depth_limit = 1000;           // submodels within submodels

// ---- names of a class (lookup.cpp)

struct ClassNames {
    std::uint32_t variable = none, component = none, port = none, path = none;
    const tree::Table* table = nullptr;
    const tree::Function* function = nullptr;
    const tree::Class* type = nullptr;
};

// The names a class declares, whichever branch they stand in, and the slots they get.
struct ClassInfo {
    const tree::Class* tree = nullptr;
    const tree::File* file = nullptr;
    ClassInfo* parent = nullptr;
    NameTable<ClassNames> names;
    std::vector<std::string_view> variables;  // by slot
    std::vector<const tree::VariableDeclaration*>
        first_declaration;  // by variable slot; null for implicit terminals
    std::vector<std::string_view> components, ports, paths;
    std::vector<std::uint32_t>
        parameters;                       // variable slots in the order of the text, for positional arguments
    std::vector<bool> truth;              // by variable slot: Boolean, from what is assigned to it
    std::vector<bool> set_by_when;        // by variable slot: `new` in a when clause of the class sets it
    std::uint32_t anonymous_port = none;  // slot of `main cut (…)` without a name
    bool has_structure = false;           // contains `if` or `for` around items

    std::unordered_map<std::string_view, ClassInfo*> types;  // types looked up from here, memoised

    const ClassNames* find(std::string_view name) const { return names.find(name); }
};

// ---- instances

enum class Presence : std::uint8_t {
    Absent,
    Present,
    Broken
};  // Broken: reported already, keep quiet about it

struct VariableSlot {
    VariableIndex first;
    std::uint32_t shape = 0;  // in Context::shapes
    Presence presence = Presence::Absent;
    bool external = false;
    bool internal = false;
    bool implicit = false;
};

struct ComponentSlot {
    std::uint32_t first = none;  // InstanceIndex of the first element
    std::uint32_t shape = 0;
    Presence presence = Presence::Absent;
    const tree::Component* declaration = nullptr;
};

struct PortSlot {
    std::uint32_t first = none;  // in Context::ports
    std::uint32_t shape = 0;
    Presence presence = Presence::Absent;
};

struct PathSlot {
    const tree::Path* declaration = nullptr;
    std::uint32_t from = none, to = none;  // ports made for ends written in place
};

struct SettingNode;

struct InstanceState {
    ClassInfo* info = nullptr;                   // null until its declarations were made
    const tree::Component* component = nullptr;  // null for the model itself
    std::uint32_t loops = 0;                     // loop variables and `index` for its arguments
    std::uint32_t depth = 0;
    std::uint32_t variables = 0, components = 0, ports = 0, paths = 0;  // first slots
    std::uint32_t first_item = 0, item_count = 0;      // in Context::items, for classes with structure
    std::uint32_t main_port = none, main_path = none;  // slots
    bool bad_arguments = false;  // reported; its parameters may lack values for that reason
    const SettingNode* settings = nullptr;
};

// Loop variables: a list that grows at its head. Entry 0 is the empty list.
struct LoopVariable {
    std::string_view name;
    double value = 0;
    std::uint32_t next = 0;
};

// A statement that structure kept, with the loop variables it stands under.
struct SelectedItem {
    const tree::Item* item = nullptr;
    std::uint32_t loops = 0;
};

// ---- values of parameters (parameters.cpp)

enum class Source : std::uint8_t { None, Default, Argument, Setting, Join };
enum class Progress : std::uint8_t { New, Active, Done, Failed };

struct ParameterBinding {
    VariableIndex first;
    std::uint32_t shape = 0;
    const tree::Expression* value = nullptr;
    InstanceIndex scope;
    std::uint32_t loops = 0;
    Source source = Source::None;
    bool translated = false;
    bool failed = false;
};

// --set, --init: by submodel, then by variable.
struct SettingUse {
    const Experiment::Setting* setting = nullptr;
    bool used = false;
};
struct SettingNode {
    std::map<std::string, std::unique_ptr<SettingNode>> children;  // "s[3]", or "s" for all elements
    std::map<std::string, SettingUse*> variables;                  // "x", "x[2]"
};

// ---- cuts (ports.cpp) and sets of them (connection_sets.cpp)

struct Port {
    const tree::Port* declaration = nullptr;               // null for the end of a path written in place
    const std::vector<tree::PortElement>* body = nullptr;  // null: open
    InstanceIndex instance;
    Span where;
    std::uint32_t loops = 0;
    std::uint32_t element = 0;                    // number within an array of cuts
    std::uint32_t shape = 0;                      // of the array
    std::uint32_t outside = none, inside = none;  // elements, once built
    bool node = false;
    bool building = false;
};

enum class ElementKind : std::uint8_t { Variable, Value, Dot, Group, Open };

// A cut or part of a cut as it takes part in joins: a term that joining unifies. Parts that are joined form a
// set (Context::part_sets); `structure` of its root is a member that is not open, if there is one.
struct PortPart {
    std::uint32_t structure = none;
    std::uint32_t first =
        0;  // Variable: its index; Value: in Context::values; Group: first child in Context::children
    std::uint32_t count = 0;  // Group: number of children
    std::uint32_t port = none;
    std::uint32_t join = none;  // the statement that joined it first, in Context::joins
    std::uint32_t size = 1;     // of a root: the parts of its set
    ElementKind kind = ElementKind::Open;
    tree::Role role = tree::Role::Across;
    bool negative = false;
    bool inside = false;  // the inner face of a model's own cut
    bool touched = false;
};

struct JoinValue {
    Expr value = nullptr;
    Origin origin;
};

// An expression under a derivative that jumps by itself, and the variable that stands for it.
struct Quantity {
    VariableIndex variable;
    Expr value = nullptr;
    bool started = false;   // der(value, start)
    bool discrete = false;  // a discrete variable makes it jump
};

enum Mark : std::uint8_t {
    mark_referenced = 1,  // an equation of an enclosing model refers to it
    mark_joined = 2,      // it stands in a cut that is joined outside
    mark_given = 4,       // --input gives it
    mark_defaulted = 8,   // its default value was used
    mark_in_cut = 16,     // a temporary cut of an enclosing model refers to it
};

// Sizes of a function's arguments and results.
struct FunctionShapes {
    std::vector<std::vector<std::uint32_t>> inputs, outputs;
};
// A function with arguments of these sizes, where it leaves them open.
using FunctionKey = std::pair<const tree::Function*, std::vector<std::vector<std::uint32_t>>>;
struct FunctionInstance {
    CalleeIndex callee;
    FunctionShapes shapes;
};
// While its statements are translated; it gets a callee then only if it calls itself.
struct FunctionInProgress {
    FunctionData head;
    FunctionShapes shapes;
    std::optional<CalleeIndex> callee;
};

// One column of a table of one or two arguments. Where the data jump it is made of pieces, of which the k-th
// counts below jumps[k]: tables, or numbers between the points of a table of constant segments.
struct TableColumn {
    std::vector<CalleeIndex> pieces;
    std::vector<double> levels;
    std::vector<double> jumps;
};
struct BuiltTable {
    std::vector<TableColumn> columns;
    std::optional<CalleeIndex> watch;                 // 0 everywhere: it watches the range of pieces
    std::optional<CalleeIndex> position;              // of many constant segments: the number of the segment
    std::optional<std::pair<double, double>> period;  // the first argument, and how far it goes
};

// A table of three arguments is Σ weight_k(z)·slice_k(x, y): a slice for each z of the data, and a weight
// that is 1 there, 0 at its neighbours and linear between.
struct TableSlice {
    CalleeIndex weight, slice;
};

struct DefaultSource {
    VariableIndex first;
    std::uint32_t shape = 0;
    const tree::Expression* value = nullptr;
    InstanceIndex scope;
    std::uint32_t loops = 0;
    Span where;
};

struct Context {
    Context(const ClassTree& classes, const Experiment& experiment, const Sources& sources,
            Diagnostics& diagnostics)
        : classes(classes),
          experiment(experiment),
          sources(sources),
          diagnostics(diagnostics),
          pool(*model.pool) {}

    const ClassTree& classes;
    const Experiment& experiment;
    const Sources& sources;
    Diagnostics& diagnostics;

    FlatModel model;
    Pool& pool;
    bool refused = false;  // something too large or recursive: stop at once

    std::deque<ClassInfo> class_infos;
    std::unordered_map<const tree::Class*, ClassInfo*> info_of;
    std::unordered_map<const tree::Class*, const tree::File*> file_of;

    IndexedVector<InstanceIndex, InstanceState> instances;
    std::vector<VariableSlot> variable_slots;
    std::vector<ComponentSlot> component_slots;
    std::vector<PortSlot> port_slots;
    std::vector<PathSlot> path_slots;
    std::vector<SelectedItem> items;
    std::vector<LoopVariable> loop_variables = {{}};
    std::vector<std::vector<std::uint32_t>> shapes = {{}};  // 0: a scalar
    std::map<std::vector<std::uint32_t>, std::uint32_t> shape_of;

    std::vector<ParameterBinding> bindings;
    std::vector<std::uint32_t> binding_of;  // by variable; none for those that are not parameters
    std::vector<Progress> progress;         // by variable
    std::vector<std::uint8_t> marks;        // by variable
    std::vector<bool> shaping;              // by variable: structure has used its value
    int nesting = 0;                        // of parameter evaluations inside one another
    int in_choice = 0;                      // branches of choices around the expression at hand

    SettingNode settings, initials;
    std::deque<SettingUse> setting_uses;
    std::map<VariableIndex, const Experiment::Setting*> element_settings;  // --set x[2]=…

    std::vector<Port> ports;
    std::vector<PortPart> parts;
    DisjointSets part_sets;
    std::vector<std::uint32_t> children;
    std::vector<JoinValue> values;
    std::vector<Origin> joins;

    std::vector<DefaultSource> defaults;         // of terminals and inputs
    std::vector<DefaultSource> discrete_values;  // of discrete variables, before the first event
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t>
        derivative_start_of;  // by variable and order
    struct StateWish {
        InstanceIndex instance;  // that says it
        Span where;
    };
    std::map<std::uint32_t, StateWish> state_wishes;  // `state x`, by variable
    std::vector<Quantity> quantities;
    std::map<std::string, VariableIndex> named_quantities;  // those of the experiment
    std::map<std::uint32_t, std::size_t> quantity_of;       // by the id of the expression
    std::optional<VariableIndex> start_time;                // where a delay with a history asks for it
    std::map<std::pair<std::uint32_t, std::uint32_t>, Expr> homotopy_of;  // by the ids of both expressions
    bool instances_made = false;
    std::unordered_map<const tree::Table*, BuiltTable> tables;
    std::map<std::pair<const tree::Table*, std::uint32_t>, BuiltTable> instance_tables;
    // By table and instance, of those with three arguments.
    std::map<std::pair<const tree::Table*, std::uint32_t>, std::vector<TableSlice>> table_slices;
    bool has_texts = false;                             // some parameter may be a text
    std::map<FunctionKey, FunctionInstance> functions;  // looked up only
    std::map<FunctionKey, FunctionInProgress> functions_in_progress;
    std::unordered_set<const void*> broken_callees;
    // Numbers of calls of impure functions, by place in the text, instance and round of loops: the same for
    // all results of a call.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>
        impure_calls;
    std::map<std::string, std::optional<Unit>> units;
    UnitCheck unit_check{model, diagnostics, false};
    double repetitions = 0;  // of all loops so far
    std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint32_t>> reported;

    std::string submodel(InstanceIndex i) const { return model.path(i); }
    // Reports once for each place of the text, however many submodels share it.
    void report(Diagnostic d);
    std::uint32_t shape(std::vector<std::uint32_t> dimensions);
    std::size_t count(std::uint32_t shape) const;

    VariableSlot& variable(InstanceIndex i, std::uint32_t slot) {
        return variable_slots[instances[i].variables + slot];
    }
    ComponentSlot& component(InstanceIndex i, std::uint32_t slot) {
        return component_slots[instances[i].components + slot];
    }
    PortSlot& port(InstanceIndex i, std::uint32_t slot) { return port_slots[instances[i].ports + slot]; }
    PathSlot& path(InstanceIndex i, std::uint32_t slot) { return path_slots[instances[i].paths + slot]; }
};

// Element numbers of an array, counted from 0 in the order of the text: "[2]", "[1,2]"; "" for a scalar.
std::string element_text(const std::vector<std::uint32_t>& dimensions, std::size_t element);

// Calls visit(item, loops) for the statements of an instance that structure kept.
template <class Visit>
void for_each_statement(Context& c, InstanceIndex i, Visit&& visit) {
    const InstanceState state = c.instances[i];
    if (!state.info->has_structure) {
        for (const tree::Item& item : state.info->tree->items) visit(item, 0u);
        return;
    }
    for (std::uint32_t k = 0; k < state.item_count; ++k) {
        const SelectedItem selected = c.items[state.first_item + k];
        visit(*selected.item, selected.loops);
    }
}

}  // namespace cutset
