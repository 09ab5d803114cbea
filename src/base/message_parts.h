// What the `messages` files of all folders are written with: a diagnostic in one call, place first, and the
// parts of sentences that many share.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace cutset {

inline Diagnostic make_diagnostic(Severity severity, Span where, std::string code, std::string message,
                                  std::string help = {}) {
    Diagnostic d;
    d.severity = severity;
    d.where = where;
    d.code = std::move(code);
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

inline Diagnostic make_error(Span where, std::string code, std::string message, std::string help = {}) {
    return make_diagnostic(Severity::Error, where, std::move(code), std::move(message), std::move(help));
}
inline Diagnostic make_warning(Span where, std::string code, std::string message, std::string help = {}) {
    return make_diagnostic(Severity::Warning, where, std::move(code), std::move(message), std::move(help));
}
inline Diagnostic make_note(Span where, std::string code, std::string message, std::string help = {}) {
    return make_diagnostic(Severity::Note, where, std::move(code), std::move(message), std::move(help));
}

// Without a place in a text: about options, files, results.
inline Diagnostic make_error(std::string code, std::string message, std::string help = {}) {
    return make_error(Span{}, std::move(code), std::move(message), std::move(help));
}
inline Diagnostic make_warning(std::string code, std::string message, std::string help = {}) {
    return make_warning(Span{}, std::move(code), std::move(message), std::move(help));
}
inline Diagnostic make_note(std::string code, std::string message, std::string help = {}) {
    return make_note(Span{}, std::move(code), std::move(message), std::move(help));
}

inline Diagnostic with_concern(Diagnostic d, Concern concern) {
    d.concern = concern;
    return d;
}

// With a second place of the text, where it is known.
inline Diagnostic with_related(Diagnostic d, Span where, std::string message) {
    if (where.known()) d.related.push_back({where, std::move(message)});
    return d;
}

// Each name on a line of its own below the sentence, cut short after many.
inline void add_names(Diagnostic& d, const std::vector<std::string>& names, std::size_t most = 40) {
    for (std::size_t k = 0; k < names.size() && k < most; ++k) d.details.push_back(names[k]);
    if (names.size() > most) d.details.push_back("… and " + std::to_string(names.size() - most) + " more");
}

// "did you mean NEAR?", or something else to try where no name is near.
inline std::string did_you_mean(std::string_view near, std::string otherwise = {}) {
    return near.empty() ? std::move(otherwise) : "did you mean " + std::string(near) + "?";
}

// "a, b, c and 4 more"
inline std::string name_list(const std::vector<std::string>& names, std::size_t most) {
    std::string out;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) out += (i ? ", " : "") + names[i];
    if (names.size() > most) out += " and " + std::to_string(names.size() - most) + " more";
    return out;
}

// "a, b and c", cut short after many.
inline std::string and_list(const std::vector<std::string>& names, std::size_t most = 12) {
    std::string out;
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (k == most && names.size() > most + 1)
            return out + " and " + std::to_string(names.size() - k) + " more";
        if (k) out += k + 1 == names.size() ? " and " : ", ";
        out += names[k];
    }
    return out;
}

// "s" where it is not one.
inline const char* plural(std::size_t count) {
    return count == 1 ? "" : "s";
}

}  // namespace cutset
