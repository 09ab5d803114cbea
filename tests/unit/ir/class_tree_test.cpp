#include "ir/class_tree.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "ir/tree_text.h"

namespace cutset {
namespace {

tree::Expression named(const std::string& name) {
    tree::Expression e;
    e.kind = tree::ExpressionKind::Reference;
    e.reference.parts.push_back({tree::Separator::None, name, {}, {}});
    return e;
}

tree::Expression sum(std::vector<tree::Expression> terms, std::string signs) {
    tree::Expression e;
    e.kind = tree::ExpressionKind::Sum;
    e.arguments = std::move(terms);
    e.text = std::move(signs);
    return e;
}

// model m  local x  x - x = x  end
ClassTree one_class(tree::Expression left) {
    auto c = std::make_shared<tree::Class>();
    c->name = "m";
    tree::VariableDeclaration x;
    x.name = "x";
    c->items.push_back({x});
    c->items.push_back({tree::Equation{std::move(left), named("x"), {}}});
    auto file = std::make_shared<tree::File>();
    file->classes.push_back(c);
    ClassTree classes;
    classes.files.push_back(file);
    return classes;
}

TEST(ClassTree, IsAcceptedWhenItsPromisesHold) {
    const ClassTree classes = one_class(sum({named("x"), named("x")}, "+-"));
    EXPECT_NO_THROW(verify(classes));
    EXPECT_EQ(tree_text(*classes.files[0]), "model type m\n  local x\n  (x - x) = x\n");
}

TEST(ClassTree, IsRefusedWhenOneIsBroken) {
    EXPECT_THROW(verify(one_class(sum({named("x"), named("x")}, "+"))), std::logic_error);
    EXPECT_THROW(verify(one_class(tree::Expression{.kind = tree::ExpressionKind::Reference})),
                 std::logic_error);
    EXPECT_THROW(verify(one_class(tree::Expression{.kind = tree::ExpressionKind::Power})), std::logic_error);
    ClassTree enclosed = one_class(named("x"));
    enclosed.files[0]->classes[0]->parent = enclosed.files[0]->classes[0].get();
    EXPECT_THROW(verify(enclosed), std::logic_error);
}

}  // namespace
}  // namespace cutset
