// Components, ports, functions, partitions and experiments of EL, and what is declared in them.
#include "languages/el/messages.h"
#include "languages/el/parser.h"

namespace cutset::el {

void Parser::top_level(File& file) {
    switch (now().word) {
        case Word::Abstract:
            ++at_;
            return component(file, true);
        case Word::Component:
            return component(file, false);
        case Word::Port:
            return port(file);
        case Word::Function:
            return function(file, false);
        case Word::Partition:
            return partition(file);
        case Word::Experiment:
            return experiment(file);
        case Word::Library:
            ++at_;
            file.library = name("the name of the library");
            return end_statement();
        case Word::Use: {
            ++at_;
            LibraryUse use;
            use.name = name("the name of a library", &use.where);
            file.uses.push_back(std::move(use));
            if (accept(Word::Version)) quoted();
            return end_statement();
        }
        case Word::Include: {
            ++at_;
            LibraryUse use;
            use.file = true;
            use.where = span(now());
            use.name = quoted();
            file.uses.push_back(std::move(use));
            return end_statement();
        }
        case Word::Enum:
            if (ahead(2).mark == Mark::Assign) return enumeration(file);
            break;
        default:
            break;
    }
    if (now().kind == TokenKind::Text && ahead().word == Word::Function) {
        ++at_;
        return function(file, true);
    }
    if (declaration_begins()) {
        for (Declaration& d : declaration()) {
            if (!d.constant && d.type != Type::SetOf) {
                report(not_constant(d.where, d.name));
                continue;
            }
            file.constants.push_back(std::move(d));
        }
        return;
    }
    unexpected("COMPONENT, PORT, FUNCTION, ENUM, CONST, PARTITION or EXPERIMENT");
}

// END COMPONENT, END PORT …; the word may be missing.
void Parser::end_of(Word block) {
    expect(Word::End);
    if (!at_end_of_statement() && !accept(block)) unexpected("END " + std::string(spelling(block)));
    end_statement();
}

// IS_A and the construction parameters may stand on lines of their own.
void Parser::header_goes_on() {
    std::size_t n = 0;
    while (ahead(n).kind == TokenKind::EndOfStatement) ++n;
    if (ahead(n).word == Word::IsA || ahead(n).mark == Mark::LeftRound) at_ += n;
}

// The description, on the line of the name or on the next one.
std::string Parser::header_text() {
    std::string out;
    if (now().kind == TokenKind::Text) out = quoted();
    end_statement();
    skip_statement_ends();
    if (out.empty() && now().kind == TokenKind::Text && ahead().kind == TokenKind::EndOfStatement) {
        out = quoted();
        end_statement();
        skip_statement_ends();
    }
    return out;
}

std::vector<Parent> Parser::parents() {
    std::vector<Parent> out;
    if (!accept(Word::IsA)) return out;
    do {
        Parent p;
        p.name = name("the name of a parent", &p.where);
        while (accept(Mark::Dot)) p.name = name("the name of a parent", &p.where);  // LIB.parent
        out.push_back(std::move(p));
    } while (accept(Mark::Comma));
    return out;
}

// (INTEGER n = 4, BOOLEAN flag = TRUE)
std::vector<Declaration> Parser::parameter_list() {
    std::vector<Declaration> out;
    if (!accept(Mark::LeftRound)) return out;
    if (!at(Mark::RightRound)) do
            for (Declaration& d : declaration(true)) out.push_back(std::move(d));
        while (accept(Mark::Comma));
    expect(Mark::RightRound, "`)`");
    return out;
}

void Parser::component(File& file, bool abstract) {
    const Token& first = now();
    expect(Word::Component);
    Component c;
    c.abstract = abstract;
    c.name = name("the name of the component", &c.where);
    header_goes_on();
    c.parents = parents();
    header_goes_on();
    c.parameters = parameter_list();
    c.description = header_text();
    block(c);
    c.whole = from(first);
    file.components.push_back(std::move(c));
}

void Parser::port(File& file) {
    const Token& first = now();
    expect(Word::Port);
    Component c;
    c.is_port = true;
    c.name = name("the name of the port", &c.where);
    header_goes_on();
    c.parents = parents();
    header_goes_on();
    c.parameters = parameter_list();
    if (accept(Word::Single)) {
        c.single = true;
        if (accept(Word::In))
            c.single_direction = Direction::In;
        else if (accept(Word::Out))
            c.single_direction = Direction::Out;
    }
    c.description = header_text();
    block(c);
    c.whole = from(first);
    file.components.push_back(std::move(c));
}

// The sections up to END; a port begins with its variables.
void Parser::block(Component& c) {
    Word section = c.is_port ? Word::Decls : Word::None;
    const auto line = [&] {
        switch (now().word) {
            case Word::Ports:
            case Word::Data:
            case Word::Decls:
            case Word::Objects:
            case Word::Topology:
            case Word::Discrete:
            case Word::Continuous:
                section = now().word;
                ++at_;
                return end_statement();
            case Word::Init: {
                section = Word::Init;
                ++at_;
                InitBlock init;
                if (accept(Word::Priority)) {
                    const Expression e = expression();
                    init.priority = static_cast<int>(e.number);
                    if (e.kind != object::ExpressionKind::Integer) report(priority_not_a_number(e.where));
                }
                end_statement();
                init.body = statements();
                c.inits.push_back(std::move(init));
                return;
            }
            case Word::Close:
                c.closes.push_back(close());
                return;
            default:
                break;
        }
        if (c.is_port && section == Word::Decls && at(Word::Out))
            unexpected("SUM or EQUAL before the direction");
        if (section == Word::Ports) return port_use(c);
        if (section == Word::Data || section == Word::Decls) {
            for (Declaration& d : declaration())
                (section == Word::Data ? c.data : c.variables).push_back(std::move(d));
            return;
        }
        if (section == Word::Topology || section == Word::Objects || section == Word::Discrete ||
            section == Word::Continuous) {
            std::vector<Statement>& there = section == Word::Discrete     ? c.discrete
                                            : section == Word::Continuous ? c.continuous
                                                                          : c.topology;
            for (Statement& s : statements()) there.push_back(std::move(s));
            return;
        }
        unexpected("PORTS, DATA, DECLS, TOPOLOGY, INIT, DISCRETE or CONTINUOUS");
    };
    skip_statement_ends();
    const Word own = c.is_port ? Word::Port : Word::Component;
    while (!(at(Word::End) && (ahead().word == own || ahead().kind == TokenKind::EndOfStatement))) {
        if (now().kind == TokenKind::End || at(Word::Component) || at(Word::Abstract) ||
            at(Word::Experiment) || (at(Word::Port) && now().kind == TokenKind::Keyword) ||
            at(Word::Partition)) {
            report(no_end(c.where, c.is_port ? "PORT" : "COMPONENT", c.name));
            return;
        }
        const std::size_t before = at_;
        try {
            line();
        } catch (GiveUp) {
            skip_rest();
        }
        if (at_ == before) ++at_;
        skip_statement_ends();
    }
    end_of(own);
}

bool Parser::declaration_begins() const {
    switch (now().word) {
        case Word::Const:
        case Word::Discr:
        case Word::Bound:
        case Word::Alg:
        case Word::Expl:
        case Word::Private:
        case Word::Hidden:
        case Word::Real:
        case Word::Integer:
        case Word::Boolean:
        case Word::String:
        case Word::Filepath:
        case Word::Enum:
        case Word::SetOf:
        case Word::Table1D:
        case Word::Table2D:
        case Word::Table3D:
        case Word::Equal:
            return true;
        case Word::Sum:
            return ahead().mark != Mark::LeftRound;
        default:
            return false;
    }
}

void Parser::declared_type(Declaration& d) {
    for (;; ++at_) {
        switch (now().word) {
            case Word::Const:
                d.constant = true;
                continue;
            case Word::Discr:
                d.discrete = true;
                continue;
            case Word::Bound:
                d.bound = true;
                continue;
            case Word::Alg:
                d.algebraic = true;
                continue;
            case Word::Expl:
                d.explicit_equation = true;
                continue;
            case Word::Private:
                d.is_private = true;
                continue;
            case Word::Hidden:
                d.hidden = true;
                continue;
            case Word::Sum:
                d.modifier = Modifier::Sum;
                continue;
            case Word::Equal:
                d.modifier = Modifier::Equal;
                continue;
            case Word::In:
                d.modifier_direction = Direction::In;
                continue;
            case Word::Out:
                d.modifier_direction = Direction::Out;
                continue;
            default:
                break;
        }
        break;
    }
    switch (now().word) {
        case Word::Real:
            d.type = Type::Real;
            break;
        case Word::Integer:
            d.type = Type::Integer;
            break;
        case Word::Boolean:
            d.type = Type::Boolean;
            break;
        case Word::String:
            d.type = Type::String;
            break;
        case Word::Filepath:
            d.type = Type::Filepath;
            break;
        case Word::Table1D:
            d.type = Type::Table1D;
            break;
        case Word::Table2D:
            d.type = Type::Table2D;
            break;
        case Word::Table3D:
            d.type = Type::Table3D;
            break;
        case Word::Enum:
            d.type = Type::Enum;
            ++at_;
            d.enumeration = name("the name of an enumeration");
            return;
        case Word::SetOf:
            d.type = Type::SetOf;
            ++at_;
            expect(Mark::LeftRound, "`(`");
            d.enumeration = name("the name of an enumeration");
            expect(Mark::RightRound, "`)`");
            return;
        default:
            unexpected(
                "a type: REAL, INTEGER, BOOLEAN, STRING, ENUM, SET_OF, TABLE_1D, TABLE_2D or TABLE_3D");
    }
    ++at_;
}

void Parser::declared_rest(Declaration& d) {
    if (accept(Mark::Assign)) d.init = expression();
    for (;;) {
        if (accept(Word::Units)) {
            d.units = primary();
        } else if (accept(Word::Range)) {
            d.low = sum();
            expect(Mark::Comma, "`,` between the limits");
            d.high = sum();
        } else if (now().kind == TokenKind::Text) {
            d.description = quoted();
        } else {
            return;
        }
    }
}

// Arguments of functions may leave their size open: x[].
Expression Parser::dimension(bool may_be_open) {
    if (!may_be_open || (!at(Mark::RightSquare) && !at(Mark::Comma))) return expression();
    Expression open;
    open.kind = object::ExpressionKind::Omitted;
    open.where = span(now());
    return open;
}

// One line: REAL a, b[3] = 1 UNITS u_m "text". In a list of parameters: one name.
std::vector<Declaration> Parser::declaration(bool in_list) {
    Declaration common;
    if (!declaration_begins() && !at(Word::In) && !at(Word::Out)) {
        if (now().kind == TokenKind::Name) {
            report(not_a_declaration(span(now()), text(now())));
            throw GiveUp{};
        }
        unexpected("a declaration");
    }
    declared_type(common);
    std::vector<Declaration> out;
    do {
        Declaration d = common;
        d.name = name("the name that is declared", &d.where);
        if (accept(Mark::LeftSquare)) {
            do d.dimensions.push_back(dimension(in_list));
            while (accept(Mark::Comma));
            expect(Mark::RightSquare, "`]`");
        }
        out.push_back(std::move(d));
    } while (!in_list && accept(Mark::Comma));
    Declaration rest;
    declared_rest(rest);
    for (Declaration& d : out) {
        d.init = rest.init;
        d.units = rest.units;
        d.low = rest.low;
        d.high = rest.high;
        d.description = rest.description;
    }
    if (!in_list) end_statement();
    return out;
}

Arguments Parser::arguments() {
    Arguments out;
    if (!at(Mark::LeftRound)) return out;
    const Token& first = now();
    Expression call;
    call_arguments(call);
    out.given = true;
    out.values = std::move(call.arguments);
    out.named = std::move(call.named);
    out.where = from(first);
    return out;
}

// IN fluid f[N] (mix) CARDINALITY 1, 3 "text"
void Parser::port_use(Component& c) {
    PortUse common;
    if (accept(Word::Out))
        common.direction = Direction::Out;
    else if (!accept(Word::In)) {
        unexpected("IN or OUT before the type of a port");
    }
    common.type = path_name("the type of the port", &common.type_where);
    common.parameters = arguments();
    std::vector<PortUse> uses;
    do {
        PortUse p = common;
        p.name = name("the name of the port", &p.where);
        if (accept(Mark::LeftSquare)) {
            do p.dimensions.push_back(expression());
            while (accept(Mark::Comma));
            expect(Mark::RightSquare, "`]`");
        }
        if (at(Mark::LeftRound)) p.parameters = arguments();
        uses.push_back(std::move(p));
    } while (accept(Mark::Comma));
    if (accept(Word::Cardinality)) {
        uses.back().least = sum();
        if (accept(Mark::Comma)) uses.back().most = sum();
    }
    if (now().kind == TokenKind::Text) uses.back().description = quoted();
    end_statement();
    for (PortUse& p : uses) c.ports.push_back(std::move(p));
}

Close Parser::close() {
    expect(Word::Close);
    Close c;
    c.name = name("the name that is closed", &c.where);
    if (accept(Mark::Assign)) c.value = expression();
    if (now().kind == TokenKind::Text) quoted();
    end_statement();
    return c;
}

// ENUM T = {A, B}
void Parser::enumeration(File& file) {
    expect(Word::Enum);
    Enumeration e;
    e.name = name("the name of the enumeration", &e.where);
    expect(Mark::Assign, "`=`");
    expect(Mark::LeftBrace, "`{`");
    do {
        Span where;
        e.literals.push_back(name("a value of the enumeration", &where));
        e.places.push_back(where);
    } while (accept(Mark::Comma));
    expect(Mark::RightBrace, "`}`");
    if (now().kind == TokenKind::Text) quoted();
    end_statement();
    file.enumerations.push_back(std::move(e));
}

// FUNCTION REAL f(REAL x, OUT REAL y) DECLS … BODY … END FUNCTION
void Parser::function(File& file, bool external) {
    expect(Word::Function);
    Function f;
    if (now().kind == TokenKind::Name && text(now()) == "NO_TYPE") {
        ++at_;
    } else {
        f.result.emplace();
        declared_type(*f.result);
    }
    f.name = name("the name of the function", &f.where);
    if (f.result) {
        f.result->name = f.name;
        f.result->where = f.where;
    }
    skip_statement_ends();
    expect(Mark::LeftRound, "`(`");
    if (!at(Mark::RightRound)) do {
            Argument a;
            if (accept(Word::Out))
                a.out = true;
            else
                accept(Word::In);
            a.declared = std::move(declaration(true).front());
            f.arguments.push_back(std::move(a));
        } while (accept(Mark::Comma));
    expect(Mark::RightRound, "`)`");
    if (external) {
        expect(Word::In);
        f.external_library = quoted();
        end_statement();
        file.functions.push_back(std::move(f));
        return;
    }
    f.description = header_text();
    if (accept(Word::Decls)) {
        end_statement();
        while (declaration_begins()) {
            for (Declaration& d : declaration()) f.variables.push_back(std::move(d));
            skip_statement_ends();
        }
    }
    expect(Word::Body);
    end_statement();
    f.body = statements();
    end_of(Word::Function);
    file.functions.push_back(std::move(f));
}

// a.b[1].c' as one name
std::string Parser::path_name(std::string_view wanted, Span* where) {
    const Token& first = now();
    std::string out = name(wanted);
    while (!at_end_of_statement()) {
        if (accept(Mark::Dot)) {
            out += "." + name(wanted);
        } else if (accept(Mark::Prime)) {
            out += "'";
        } else if (at(Mark::LeftSquare)) {
            while (!at_end_of_statement() && !at(Mark::RightSquare)) out += text(tokens_[at_++]);
            expect(Mark::RightSquare, "`]`");
            out += "]";
        } else {
            break;
        }
    }
    if (where) *where = from(first);
    return out;
}

std::vector<Parent> Parser::name_list() {
    std::vector<Parent> out;
    if (at_end_of_statement()) return out;
    do {
        Parent p;
        p.name = path_name("the name of a variable", &p.where);
        out.push_back(std::move(p));
    } while (accept(Mark::Comma));
    return out;
}

void Parser::partition(File& file) {
    expect(Word::Partition);
    Partition p;
    p.name = name("the name of the partition", &p.where);
    expect(Word::On);
    p.component = name("the name of a component", &p.component_where);
    end_statement();
    skip_statement_ends();
    while (!at(Word::End) && now().kind != TokenKind::End) {
        std::vector<Parent>* list = at(Word::Bounds)    ? &p.bounds
                                    : at(Word::Unknown) ? &p.unknown
                                    : at(Word::Alg)     ? &p.tearing
                                    : at(Word::States)  ? &p.states
                                                        : nullptr;
        if (!list) unexpected("BOUNDS, UNKNOWN, ALG, STATES or END PARTITION");
        ++at_;
        for (Parent& named : name_list()) list->push_back(std::move(named));
        end_statement();
        skip_statement_ends();
    }
    end_of(Word::Partition);
    file.partitions.push_back(std::move(p));
}

void Parser::experiment(File& file) {
    expect(Word::Experiment);
    Experiment x;
    x.name = name("the name of the experiment", &x.where);
    if (accept(Word::On)) {
        x.component = name("the name of a component", &x.component_where);
        if (accept(Mark::Dot)) x.partition = name("the name of a partition");
    }
    if (now().kind == TokenKind::Text) quoted();
    end_statement();
    const auto section = [&] {
        if (accept(Word::Decls) || accept(Word::Objects)) {
            end_statement();
            while (declaration_begins()) {
                for (Declaration& d : declaration()) x.variables.push_back(std::move(d));
                skip_statement_ends();
            }
            return;
        }
        std::vector<Statement>* there = at(Word::Init)     ? &x.init
                                        : at(Word::Bounds) ? &x.bounds
                                        : at(Word::Body)   ? &x.body
                                                           : nullptr;
        if (!there) unexpected("DECLS, INIT, BOUNDS, BODY or END EXPERIMENT");
        ++at_;
        end_statement();
        for (Statement& s : statements()) there->push_back(std::move(s));
    };
    skip_statement_ends();
    while (
        !(at(Word::End) && (ahead().word == Word::Experiment || ahead().kind == TokenKind::EndOfStatement))) {
        if (now().kind == TokenKind::End || at(Word::Component) || at(Word::Experiment)) {
            report(no_end(x.where, "EXPERIMENT", x.name));
            break;
        }
        const std::size_t before = at_;
        try {
            section();
        } catch (GiveUp) {
            skip_rest();
        }
        if (at_ == before) ++at_;
        skip_statement_ends();
    }
    if (at(Word::End)) end_of(Word::Experiment);
    file.experiments.push_back(std::move(x));
}

}  // namespace cutset::el
