// What can go wrong when a model is experimented with.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace cutset::live_messages {

Diagnostic unknown_name(const std::string& path, const std::string& near);
// `what`: "a parameter", "a state" …; `is`: what it is instead, with a verb.
Diagnostic wrong_kind(const std::string& path, const std::string& what, const std::string& is,
                      const std::string& help);
Diagnostic not_finite(const std::string& path);
Diagnostic not_started();
Diagnostic already_there(double time, double stop);
// One element of an array of parameters that the structure of the model depends on.
Diagnostic element_shapes_model(const std::string& path);
Diagnostic no_value(const std::string& path, double time);

// Checkpoints.
Diagnostic not_a_checkpoint(const std::string& file, const std::string& reason);
Diagnostic other_model(const std::string& file, const std::string& theirs, const std::string& ours);
Diagnostic does_not_fit(const std::string& what, const std::vector<std::string>& names,
                        const std::string& consequence);

}  // namespace cutset::live_messages
