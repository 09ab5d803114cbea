// Statements of EL. The same forms stand in TOPOLOGY, INIT, DISCRETE, CONTINUOUS and BODY; what each of them
// may hold is for the elaboration to say.
#include "languages/el/messages.h"
#include "languages/el/parser.h"
#include "languages/reading/messages.h"

namespace cutset::el {

using object::ExpressionKind;

bool Parser::block_ends() const {
    switch (now().word) {
        case Word::End:
        case Word::Else:
        case Word::ElseIf:
        case Word::Ports:
        case Word::Data:
        case Word::Decls:
        case Word::Objects:
        case Word::Topology:
        case Word::Init:
        case Word::Discrete:
        case Word::Continuous:
        case Word::Bounds:
        case Word::Body:
        case Word::Component:
        case Word::Abstract:
        case Word::Experiment:
        case Word::Partition:
        case Word::Port:
        case Word::Close:
            return true;
        default:
            return now().kind == TokenKind::End;
    }
}

// Up to the end of the block; what is not understood is skipped line by line.
std::vector<Statement> Parser::statements() {
    const Nesting nesting(*this);
    std::vector<Statement> out;
    skip_statement_ends();
    while (!block_ends()) {
        const std::size_t before = at_;
        try {
            if (now().kind == TokenKind::Name) {
                out.push_back(submodel_or_statement(out));
            } else {
                out.push_back(statement());
            }
        } catch (GiveUp) {
            if (depth_ >= nesting_limit) throw;
            skip_rest();
        }
        if (at_ == before) ++at_;
        skip_statement_ends();
    }
    return out;
}

Statement Parser::statement() {
    const Nesting nesting(*this);
    const Token& first = now();
    if (at(Mark::Less)) {  // <eq1> or <:eq1>
        ++at_;
        const bool replaces = accept(Mark::Colon);
        std::string label = name("the label of an equation");
        expect(Mark::Greater, "`>` after the label");
        skip_statement_ends();
        Statement s = statement();
        s.label = std::move(label);
        s.replaces = replaces;
        s.where = from(first);
        return s;
    }
    switch (first.word) {
        case Word::Connect:
        case Word::Path:
            return connect();
        case Word::If:
            return if_statement();
        case Word::When:
            return when();
        case Word::For:
            return for_statement();
        case Word::While:
            return while_statement();
        case Word::Expand:
            return expand(false);
        case Word::ExpandBlock:
            return expand(true);
        case Word::Assert:
            return assertion();
        case Word::Sequential:
            return sequential();
        default:
            break;
    }
    Statement s;
    s.where = span(first);
    if (at(Word::Break) || (at(Word::Continue) && ahead().mark != Mark::LeftRound)) {
        s.kind = at(Word::Break) ? StatementKind::Break : StatementKind::Continue;
        ++at_;
        end_statement();
        return s;
    }
    if (accept(Word::Return)) {
        s.kind = StatementKind::Return;
        if (!at_end_of_statement()) s.left = expression();
        end_statement();
        return s;
    }
    if (accept(Word::Stop)) {
        s.kind = StatementKind::Stop;
        if (now().kind == TokenKind::Text) s.text = quoted();
        end_statement();
        return s;
    }
    if (accept(Word::Impl)) {
        expect(Mark::LeftRound, "`(`");
        Box<Expression> tearing;
        if (!at(Mark::RightRound)) tearing = expression();
        expect(Mark::RightRound, "`)`");
        s = plain_statement();
        s.tearing = std::move(tearing);
        s.where = from(first);
        return s;
    }
    if (accept(Word::Inverse)) {  // how to get x, should it be computed here: says nothing new
        condition();
        plain_statement();
        s.kind = StatementKind::Sequential;
        return s;
    }
    return plain_statement();
}

void Parser::assignment_operator(Statement& s) {
    switch (now().mark) {
        case Mark::Assign:
            s.kind = StatementKind::Equation;
            break;
        case Mark::Causal:
            s.kind = StatementKind::Causal;
            break;
        case Mark::PlusAssign:
            s.kind = StatementKind::Add;
            break;
        case Mark::MinusAssign:
            s.kind = StatementKind::Subtract;
            break;
        default:
            unexpected("`=`");
    }
    ++at_;
}

// Says what was meant by an expression that stands alone: x' == -x, INTEG.
void Parser::no_equation(const Expression& e) {
    if (e.kind == ExpressionKind::Operation && e.op == Operator::Equal) {
        report(comparison_as_equation(e.where));
        throw GiveUp{};
    }
    if (e.kind == ExpressionKind::Name && e.name.parts.size() == 1) {
        report(name_alone(e.where, e.name.parts[0].name));
        throw GiveUp{};
    }
}

// An equation, an assignment, or a call.
Statement Parser::plain_statement() {
    const Token& first = now();
    Statement s;
    if (at(Word::Continue)) {  // the older CONTINUE()
        Expression call;
        call.kind = ExpressionKind::Call;
        call.name.parts.push_back({"INTEG_CONTINUE", {}, span(now())});
        ++at_;
        call_arguments(call);
        call.where = call.name.where = from(first);
        s.left = std::move(call);
    } else {
        s.left = expression();
    }
    if (at_end_of_statement() && s.left->kind == ExpressionKind::Call) {
        s.kind = StatementKind::Call;
    } else {
        if (at_end_of_statement() || now().kind == TokenKind::Text) no_equation(*s.left);
        assignment_operator(s);
        s.right = expression();
        if (accept(Word::After)) s.after = expression();
        if (accept(Word::At)) s.at = expression();
    }
    if (now().kind == TokenKind::Text) quoted();
    s.where = from(first);
    end_statement();
    return s;
}

std::vector<Expression> Parser::reference_list() {
    std::vector<Expression> out;
    do out.push_back(reference());
    while (accept(Mark::Comma));
    return out;
}

// CONNECT a.p TO b.q, c.r      PATH in TO out
Statement Parser::connect() {
    const Token& first = tokens_[at_++];
    Statement s;
    s.kind = first.word == Word::Path ? StatementKind::PathPort : StatementKind::Connect;
    s.from = reference_list();
    expect(Word::To);
    s.to = reference_list();
    s.where = from(first);
    if (now().kind == TokenKind::Text) quoted();
    end_statement();
    return s;
}

// Type(parameters) name[dims] (data), … or a statement that begins with a name. Further submodels of the
// line go into `also`, before the last one.
Statement Parser::submodel_or_statement(std::vector<Statement>& also) {
    std::size_t n = 1;
    while (ahead(n).mark == Mark::Dot) n += 2;  // LIB.Type
    if (ahead(n).mark == Mark::LeftRound) {
        int open = 0;
        do {
            if (ahead(n).mark == Mark::LeftRound) ++open;
            if (ahead(n).mark == Mark::RightRound) --open;
            if (ahead(n).kind == TokenKind::End || ahead(n).kind == TokenKind::EndOfStatement) break;
            ++n;
        } while (open);
    }
    if (ahead(n).kind != TokenKind::Name) return statement();

    const Token& first = now();
    Submodel common;
    common.type = path_name("the type of a submodel", &common.type_where);
    common.parameters = arguments();
    Statement s;
    for (;;) {
        s = {};
        s.kind = StatementKind::Submodel;
        Submodel one = common;
        one.name = name("the name of a submodel", &one.where);
        if (accept(Mark::LeftSquare)) {
            do one.dimensions.push_back(expression());
            while (accept(Mark::Comma));
            expect(Mark::RightSquare, "`]`");
        }
        one.data = arguments();
        if (now().kind == TokenKind::Text) one.description = quoted();
        s.submodel = std::move(one);
        s.where = from(first);
        if (!accept(Mark::Comma)) break;
        also.push_back(std::move(s));
    }
    end_statement();
    return s;
}

// IF (c) INSERT … ELSEIF (c) INSERT … ELSE … END IF; with THEN a statement that is executed.
Statement Parser::if_statement() {
    const Token& first = now();
    Statement s;
    do {
        ++at_;  // IF, ELSEIF
        Branch b;
        b.condition = expression();
        if (accept(Word::Insert)) {
            s.kind = StatementKind::Insert;
        } else {
            expect(Word::Then);
            s.kind = StatementKind::If;
        }
        b.body = statements();
        s.branches.push_back(std::move(b));
        if (s.branches.size() > static_cast<std::size_t>(chain_limit)) unexpected("fewer branches");
    } while (at(Word::ElseIf));
    if (accept(Word::Else)) {
        accept(Word::Insert);
        Branch b;
        b.body = statements();
        s.branches.push_back(std::move(b));
    }
    s.where = from(first);
    end_of(Word::If);
    return s;
}

Statement Parser::when() {
    const Token& first = tokens_[at_++];
    Statement s;
    s.kind = StatementKind::When;
    Branch b;
    b.condition = expression();
    if (accept(Word::Tol)) expression();
    expect(Word::Then);
    b.body = statements();
    s.branches.push_back(std::move(b));
    s.where = from(first);
    end_of(Word::When);
    return s;
}

std::vector<object::Iterator> Parser::iterators(bool bracket_open) {
    if (!bracket_open) expect(Mark::LeftRound, "`(` before the index");
    std::vector<object::Iterator> out;
    do out.push_back(iterator());
    while (accept(Mark::Comma));
    expect(Mark::RightRound, "`)` after the range");
    return out;
}

// FOR (i IN 1,5 EXCEPT 2) … END FOR      FOR (i = 0; i < 5; i = i + 1) … END FOR
Statement Parser::for_statement() {
    const Token& first = tokens_[at_++];
    Statement s;
    expect(Mark::LeftRound, "`(` after FOR");
    if (ahead().word == Word::In) {
        s.kind = StatementKind::Expand;
        s.iterators = iterators(true);
    } else {
        s.kind = StatementKind::Count;
        s.left = reference();
        expect(Mark::Assign, "`=` or IN");
        s.right = expression();
        expect(Mark::Semicolon, "`;` after the first value");
        s.condition = expression();
        expect(Mark::Semicolon, "`;` after the condition");
        const Span counted = s.left->where;
        const Expression again = reference();
        if (again.name.parts.size() != 1 || s.left->name.parts.size() != 1 ||
            again.name.parts[0].name != s.left->name.parts[0].name)
            report(counts_another(again.where, counted));
        if (accept(Mark::PlusAssign)) {
            s.step = binary(object::Operator::Add, again, expression());
        } else if (accept(Mark::MinusAssign)) {
            s.step = binary(object::Operator::Subtract, again, expression());
        } else {
            expect(Mark::Assign, "`=`");
            s.step = expression();
        }
        expect(Mark::RightRound, "`)`");
    }
    s.body = statements();
    s.where = from(first);
    end_of(Word::For);
    return s;
}

Statement Parser::while_statement() {
    const Token& first = tokens_[at_++];
    Statement s;
    s.kind = StatementKind::While;
    s.condition = expression();
    s.body = statements();
    s.where = from(first);
    end_of(Word::While);
    return s;
}

// EXPAND(i IN 1,n) statement      EXPAND_BLOCK(i IN 1,n) … END EXPAND_BLOCK
Statement Parser::expand(bool is_block) {
    const Token& first = tokens_[at_++];
    Statement s;
    s.kind = StatementKind::Expand;
    skip_statement_ends();
    std::vector<Statement>* body = &s.body;
    if (ahead(2).word == Word::In) {
        s.iterators = iterators(false);
    } else {  // EXPAND (condition): as IF … INSERT
        s.kind = StatementKind::Insert;
        s.branches.emplace_back();
        s.branches[0].condition = condition();
        body = &s.branches[0].body;
    }
    if (is_block) {
        *body = statements();
        s.where = from(first);
        end_of(Word::ExpandBlock);
        return s;
    }
    skip_statement_ends();
    if (now().kind == TokenKind::Name) {
        Statement last = submodel_or_statement(*body);
        body->push_back(std::move(last));
    } else {
        body->push_back(statement());
    }
    s.where = from(first);
    return s;
}

// ASSERT (c) WARNING "text"
Statement Parser::assertion() {
    const Token& first = tokens_[at_++];
    Statement s;
    s.kind = StatementKind::Assert;
    s.condition = condition();
    Span where;
    const std::string level = name("NOTE, WARNING, ERROR, KILLPOINT or FATAL", &where);
    if (level == "NOTE")
        s.level = AssertWord::Note;
    else if (level == "WARNING")
        s.level = AssertWord::Warning;
    else if (level == "ERROR")
        s.level = AssertWord::Error;
    else if (level == "KILLPOINT")
        s.level = AssertWord::Killpoint;
    else if (level == "FATAL")
        s.level = AssertWord::Fatal;
    else {
        report(reading::expected(where, "NOTE, WARNING, ERROR, KILLPOINT or FATAL", level));
        throw GiveUp{};
    }
    const bool bracket = accept(Mark::LeftRound);
    if (now().kind == TokenKind::Text) s.text = quoted();
    if (bracket) expect(Mark::RightRound, "`)`");
    s.where = from(first);
    end_statement();
    return s;
}

Statement Parser::sequential() {
    const Token& first = tokens_[at_++];
    Statement s;
    s.kind = StatementKind::Sequential;
    end_statement();
    s.body = statements();
    s.where = from(first);
    end_of(Word::Sequential);
    return s;
}

}  // namespace cutset::el
