// Identifiers of a programming language for the paths of a model: Tank1.h becomes Tank1_h.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace cutset {

class CodeNames {
  public:
    CodeNames(bool case_matters, std::size_t longest, bool underscores = true)
        : case_matters_(case_matters), longest_(longest), underscores_(underscores) {}
    void reserve(std::string_view words);  // separated by blanks
    // An identifier that no other name has.
    std::string make(const std::string& path);

  private:
    std::string key(std::string name) const;
    bool case_matters_;
    std::size_t longest_;
    bool underscores_;  // else letters and digits only: Tank1h
    std::set<std::string> used_;
};

}  // namespace cutset
