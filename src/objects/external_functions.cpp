#include "objects/external_functions.h"

#include <algorithm>

#include "objects/builtin_functions.h"
#include "objects/combi_tables.h"
#include "objects/external_texts.h"
#include "objects/functions.h"
#include "objects/value_messages.h"

namespace cutset::objects {

bool is_language_function(const Callable& f) {
    return f.external && f.external->language == "builtin";
}

namespace {

// Its body is assert(false, text).
bool only_fails(const Callable& f) {
    if (f.algorithms.size() != 1 || f.algorithms[0].section->statements.size() != 1) return false;
    const auto* call = std::get_if<object::CallStatement>(&f.algorithms[0].section->statements[0].what);
    if (!call || call->call.arguments.size() < 2 || call->call.name.parts.size() != 1) return false;
    const object::Expression& condition = call->call.arguments[0];
    return call->call.name.parts[0].name == "assert" && condition.kind == object::ExpressionKind::Boolean &&
           condition.number == 0;
}

}  // namespace

const object::Expression* error_text(const object::Expression& call, Frame& frame) {
    if (call.kind != object::ExpressionKind::Call) return nullptr;
    const Meaning meaning = frame.scope.callable(call.name);
    const auto* f = std::get_if<std::shared_ptr<const Callable>>(&meaning);
    if (!f) return nullptr;
    const bool external = (*f)->external && (*f)->external->function == "ModelicaError";
    if (!external && !only_fails(**f)) return nullptr;
    if (!call.arguments.empty()) return call.arguments.data();
    return call.named.empty() ? nullptr : &*call.named[0].value;
}

namespace {

RoutineArgument::Kind kind_of(const Type& type) {
    return type.basic == Basic::String ? RoutineArgument::Kind::Text
           : type.basic == Basic::Real ? RoutineArgument::Kind::Real
                                       : RoutineArgument::Kind::Integer;
}

// The member that an argument names, if it is one that the routine changes.
const Member* output_named(const Callable& f, const object::Expression& argument) {
    if (argument.kind != object::ExpressionKind::Name || argument.name.parts.size() != 1) return nullptr;
    const Member* m = f.find(argument.name.parts[0].name);
    return m && m->causality != object::Causality::Input ? m : nullptr;
}

// The results of a call whose arguments are known.
std::vector<Value> routine_results(Evaluator& e, const Callable& f, Frame& frame,
                                   const std::vector<Value>& arguments, Span where) {
    const RoutineCall call = routine_call(e, f, arguments);
    std::vector<double> inputs, outputs;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        if (call.arguments[k].kind == RoutineArgument::Kind::Text || call.arguments[k].constant) continue;
        for (std::size_t i = 0; i < arguments[k].size(); ++i)
            inputs.push_back(e.number_of(arguments[k].expr(i))->number);
    }
    std::string problem;
    if (!run_routine(call, inputs, outputs, problem))
        throw Refused{messages::routine_failed(where, f.name, problem)};
    std::size_t next = 0;
    assign_routine_results(f, arguments, [&](const Member& m, const Value& like) {
        Value v = rebuilt(e, like, [&]() -> Expr { return e.pool().number(outputs[next++]); });
        for (Local& l : frame.locals)
            if (l.name == m.name) l.value = v;
    });
    std::vector<Value> results;
    for (const Member& m : f.members)
        if (m.causality == object::Causality::Output) results.push_back(*frame.find(m.name));
    return results;
}

}  // namespace

bool is_routine_function(const Callable& f) {
    return f.external && is_routine(f.external->function);
}

RoutineCall routine_call(Evaluator& e, const Callable& f, const std::vector<Value>& arguments) {
    const object::External& x = *f.external;
    RoutineCall call;
    call.symbol = x.function;
    call.fortran = x.language.starts_with("FORTRAN") || x.language.starts_with("Fortran");
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const Value& v = arguments[k];
        const Member* m = output_named(f, x.arguments[k]);
        RoutineArgument a;
        a.kind = kind_of(v.type);
        a.dimensions = v.dimensions;
        a.wanted = m && m->causality == object::Causality::Output;
        if (a.kind == RoutineArgument::Kind::Text)
            a.text = v.text();
        else if (m && !m->binding)
            a.constant = 0;
        else if (v.is_scalar() && Evaluator::is_known(v))
            a.constant = e.number_of(v.expr())->number;
        call.arguments.push_back(std::move(a));
    }
    if (x.result) {
        const Member* m = f.find(x.result->name.parts.empty() ? "" : x.result->name.parts[0].name);
        call.result = m ? kind_of(m->type) : RoutineArgument::Kind::Real;
    }
    return call;
}

void assign_routine_results(const Callable& f, const std::vector<Value>& arguments,
                            const std::function<void(const Member&, const Value&)>& assign) {
    const object::External& x = *f.external;
    for (std::size_t k = 0; k < arguments.size(); ++k)
        if (const Member* m = output_named(f, x.arguments[k]); m && m->causality == object::Causality::Output)
            assign(*m, arguments[k]);
    if (!x.result || x.result->name.parts.empty()) return;
    if (const Member* m = f.find(x.result->name.parts[0].name)) assign(*m, Value(m->type, Scalar(Expr())));
}

std::vector<Value> external_call(Evaluator& e, const Callable& f, Frame& frame, Span where) {
    const object::External& x = *f.external;
    std::vector<Value> arguments;
    for (const object::Expression& a : x.arguments) arguments.push_back(e.evaluate(a, frame));
    const std::string& symbol = x.function.empty() ? f.name : x.function;
    const auto result_type = [&](std::vector<Value> results) {
        std::size_t k = 0;
        for (const Member& m : f.members)
            if (m.causality == object::Causality::Output && k < results.size()) {
                // Values of enumerations come as whole numbers.
                if (m.type.basic == Basic::Enumeration) results[k].type = m.type;
                ++k;
            }
        return results;
    };
    if (is_language_function(f)) {
        if (auto v = builtin_of_values(e, symbol, arguments, frame, where)) return result_type({*v});
    } else if (auto results = table_call(e, f, symbol, arguments, frame, where)) {
        return std::move(*results);
    } else if (changes_nothing(symbol)) {
        return {};
    } else if (is_routine(symbol)) {
        return routine_results(e, f, frame, arguments, where);
    } else if (const ExternalText found = find_external_text(symbol)) {
        for (const Value& a : arguments)
            if (!Evaluator::is_known(a)) throw Refused{messages::text_varies(where), Refusal::TextVaries};
        return result_type(found(CallArguments{e, arguments, where}));
    } else if (symbol == "ModelicaIO_writeRealMatrix") {
        e.diagnostics().report(messages::file_not_written(where, f.name));
        return {Value(Basic::Boolean, e.pool().truth(true))};
    } else if (symbol == "ModelicaError") {
        throw Refused{messages::assertion(
            where, f.name,
            !arguments.empty() && arguments[0].type.basic == Basic::String ? arguments[0].text() : "")};
    }
    throw Refused{messages::external_function(where, f.name, symbol)};
}

}  // namespace cutset::objects
