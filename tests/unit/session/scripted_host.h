// A host whose person is a list of lines, in a directory of its own.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "session/session.h"

namespace cutset {

class ScriptedHost : public SessionHost {
  public:
    void print(std::string_view text) override { out += std::string(text) + "\n"; }
    void report(const Diagnostics& diagnostics, const Sources& sources) override {
        for (const Diagnostic& d : diagnostics.all()) {
            codes.push_back(d.code);
            out += render(d, sources);
        }
    }
    std::optional<std::string> read_line(const std::string& prompt) override {
        prompts.push_back(prompt);
        if (lines.empty()) return std::nullopt;
        std::string line = lines.front();
        lines.pop_front();
        if (on_read) on_read(line);
        return line;
    }
    void show(const Plot& plot, bool growing) override {
        ++(growing ? shown_growing : shown);
        if (growing && stop_when_growing) stop = true;
        last = plot;
    }
    bool edit(const std::string& path) override {
        edited.push_back(path);
        return has_editor;
    }
    int operation(const std::vector<std::string>& words) override {
        called = words;
        return words.size() > 1 && words.back() == "fail" ? 1 : 0;
    }
    std::vector<std::string> operations() const override {
        return {"steady", "linearize", "bode", "equations", "check", "optimize", "plot", "step"};
    }
    std::vector<std::string> operation_options(const std::string&) const override {
        return {"--set", "--json", "--inputs"};
    }
    std::atomic<bool>& interrupt() override { return stop; }
    bool interactive() const override { return person; }

    std::string out;
    std::vector<std::string> codes, prompts, edited, called;
    std::deque<std::string> lines;
    std::function<void(const std::string&)> on_read;
    Plot last;
    int shown = 0, shown_growing = 0;
    bool has_editor = false, stop_when_growing = false, person = false;
    std::atomic<bool> stop = false;
};

class SessionTest : public ::testing::Test {
  protected:
    void SetUp() override {
        before_ = std::filesystem::current_path();
        folder_ = std::filesystem::temp_directory_path() /
                  ("cutset-session-" +
                   std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
        std::filesystem::current_path(folder_);
        session = std::make_unique<Session>(host);
    }
    void TearDown() override {
        session.reset();
        std::filesystem::current_path(before_);
        std::filesystem::remove_all(folder_);
    }

    // All lines; those that commands read themselves are taken from them.
    void run(const std::string& text) {
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) host.lines.push_back(line);
        while (!host.lines.empty()) {
            const std::string line = host.lines.front();
            host.lines.pop_front();
            const Session::Outcome outcome = session->execute(line);
            if (outcome == Session::Outcome::Failed) ++failures;
            if (outcome == Session::Outcome::Stop) stopped = true;
        }
    }
    // What the lines print.
    std::string answer(const std::string& text) {
        host.out.clear();
        host.codes.clear();
        run(text);
        return host.out;
    }
    void file(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
    std::string content(const std::string& name) {
        std::ifstream stream(folder_ / name);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    ScriptedHost host;
    std::unique_ptr<Session> session;
    int failures = 0;
    bool stopped = false;
    std::filesystem::path folder_, before_;
};

inline const char* triod_dym =
    "model TRIOD\n"
    "  local U V G\n"
    "  U(0) = 0.25\n"
    "  V(0) = 0\n"
    "  parameter EPS = 1\n"
    "  G = if abs(U) < sqrt(2) then 2 - U*U else 0\n"
    "  der(U) = V\n"
    "  der(V) = -U - EPS*(1 - G)*V\n"
    "end\n";

}  // namespace cutset
