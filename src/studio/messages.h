// What the studio says to the person at the page, beside the diagnostics of models.
#pragma once

#include <cstddef>
#include <string>

#include "studio/message.h"

namespace cutset::studio::messages {

// ---- the protocol
Refusal bad_argument(std::string what);
Refusal unknown_call(const std::string& name);
Refusal wrong_protocol(double theirs);
Refusal too_much(std::string what);
Refusal no_such_model(const std::string& model);
Refusal worker_died(const std::string& reason);

// ---- texts and files
Refusal edits_out_of_order(std::size_t begin, std::size_t end, std::size_t size);
Refusal edit_in_character(std::size_t begin, std::size_t end);
Refusal text_too_large();
Refusal not_open(const std::string& file);
Refusal read_only(const std::string& file);
Refusal stale(const std::string& file);
Refusal nothing_to_undo(const char* what);
Refusal conflict(const std::string& file);
Refusal bad_file_name(const std::string& file, const std::string& reason);
Refusal cannot_read(const std::string& file, const std::string& reason);
Refusal cannot_write(const std::string& file, const std::string& reason);
Refusal already_there(const std::string& file);

// ---- models and runs
Refusal model_has_errors(Json diagnostics);
Refusal failed(const std::string& message, Json diagnostics);
Refusal no_active_run(const char* what);
Refusal no_such_run(std::size_t run);
Refusal no_such_checkpoint(std::size_t checkpoint);
Refusal not_standing();
Refusal unknown_variable(const std::string& path, const std::string& near);
Refusal unknown_class(const std::string& name, const std::string& near);
Refusal unknown_instance(const std::string& path, const std::string& near);
Refusal not_allowed(const std::string& what, const std::string& help);

}  // namespace cutset::studio::messages
