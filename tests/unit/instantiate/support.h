// Small texts through the parser and instantiate, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "instantiate/instantiate.h"
#include "languages/dymola/parse.h"

namespace cutset::test {

struct Options {
    std::string model;
    std::vector<std::string> set, init, input;                   // "path=expression"
    std::vector<std::pair<std::string, std::string>> libraries;  // file name, text
    std::string file = "test.dym";
};

struct Flattened {
    Sources sources;
    Diagnostics diagnostics;
    ClassTree classes;
    Experiment experiment;
    std::optional<FlatModel> model;

    explicit Flattened(const std::string& text, const Options& options = {}) {
        const auto load = [&](const std::string& name, const std::string& content) {
            const SourceId id = sources.add(name, content);
            classes.files.push_back(dymola::parse_file(sources, id, diagnostics));
            classes.files.back()->path = name;
        };
        load(options.file, text);
        for (const auto& [name, content] : options.libraries) load(name, content);
        EXPECT_FALSE(diagnostics.has_errors()) << "the text itself:\n" << messages();
        const auto settings = [&](const std::vector<std::string>& from,
                                  std::vector<Experiment::Setting>& to) {
            for (const std::string& s : from) {
                const std::size_t equals = s.find('=');
                const SourceId id = sources.add("<option>", s.substr(equals + 1));
                const auto value = dymola::parse_expression(sources, id, diagnostics);
                EXPECT_TRUE(value) << s;
                if (value) to.push_back({s.substr(0, equals), *value});
            }
        };
        settings(options.set, experiment.parameters);
        settings(options.init, experiment.initials);
        settings(options.input, experiment.inputs);
        model = instantiate(classes, options.model, experiment, sources, diagnostics);
        if (model) verify(*model);
    }

    std::string messages() const {
        std::string out;
        for (const Diagnostic& d : diagnostics.all()) out += render(d, sources);
        return out;
    }
    // The equations, one a line.
    std::string equations() const {
        if (!model) return messages();
        std::string out;
        for (const Equation& e : model->equations) out += model->text(e) + "\n";
        return out;
    }
    std::string initial_equations() const {
        if (!model) return messages();
        std::string out;
        for (const Equation& e : model->initial_equations) out += model->text(e) + "\n";
        return out;
    }
    const Variable& variable(const std::string& path) const {
        static const Variable missing;
        if (model)
            for (std::size_t k = 0; k < model->variables.size(); ++k)
                if (model->path(VariableIndex(k)) == path) return model->variables[VariableIndex(k)];
        ADD_FAILURE() << "no variable " << path << "\n" << messages();
        return missing;
    }
    double value(const std::string& path) const { return variable(path).value; }
    std::string binding(const std::string& path) const {
        const Variable& v = variable(path);
        return v.binding ? to_text(v.binding, model->printer()) : "";
    }
    std::string start(const std::string& path) const {
        const Variable& v = variable(path);
        return v.start ? to_text(v.start->value, model->printer()) : "";
    }
    const Diagnostic* find(const std::string& code) const {
        for (const Diagnostic& d : diagnostics.all())
            if (d.code == code) return &d;
        return nullptr;
    }
};

// The one error of a text: its code, place "line:column" and words in what is shown.
inline void expect_error(const std::string& text, const std::string& code, const std::string& place,
                         const std::vector<std::string>& words = {}, const Options& options = {}) {
    const Flattened run(text, options);
    EXPECT_FALSE(run.model) << text;
    const Diagnostic* d = run.find(code);
    ASSERT_NE(d, nullptr) << "expected " << code << ", got:\n" << run.messages();
    EXPECT_EQ(run.diagnostics.error_count(), 1u) << run.messages();
    if (!place.empty()) {
        const Location at = run.sources.locate(d->where);
        EXPECT_EQ(std::to_string(at.line) + ":" + std::to_string(at.column), place) << run.messages();
    }
    const std::string shown = render(*d, run.sources);
    for (const std::string& w : words)
        EXPECT_NE(shown.find(w), std::string::npos) << "no \"" << w << "\" in\n" << shown;
}

}  // namespace cutset::test
