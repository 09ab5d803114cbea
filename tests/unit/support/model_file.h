// A model given as text, in a file of its own for as long as the test runs, and loaded on demand.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "translate/model_request.h"
#include "translate/translator.h"

namespace cutset {

class ModelFile : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  ("cutset-" + std::string(test->test_suite_name()) + "-" + test->name());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) const {
        const std::string path = (folder_ / name).string();
        std::ofstream(path) << text;
        return path;
    }
    // A request about the model of this text.
    template <class Request = ModelRequest>
    Request about(const std::string& text) const {
        Request request;
        request.file = write("model.dym", text);
        return request;
    }
    std::shared_ptr<const Partition> partition(const std::string& text) {
        const auto request = about(text);
        const auto experiment = open_model(request, workspace_);
        if (!experiment) return nullptr;
        return Translator(workspace_)
            .partition(request.model, *experiment, transform_options(request, workspace_.text),
                       workspace_.diagnostics);
    }
    // All that was reported, for messages of tests.
    std::string said() const {
        std::string all;
        for (const Diagnostic& d : workspace_.diagnostics.all()) all += d.message + "\n";
        return all;
    }

    std::filesystem::path folder_;
    Workspace workspace_;
};

}  // namespace cutset
