// Models as pages: for each its picture, purpose, interface, parameters, equations, and where it is used.
// Plain HTML without scripts, in light and dark; every link stays within the pages.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "picture/class_pictures.h"

namespace cutset::picture {

struct SitePage {
    std::string path;  // "tanks/Tank.html"
    std::string text;
};

class Site {
  public:
    explicit Site(std::string title) : title_(std::move(title)) {}

    // The classes of the file that the user named, and those of libraries that they use.
    void add(ClassPictures& pictures);
    std::size_t models() const { return pages_.size(); }
    // All pages, with the index and the style sheet.
    std::vector<SitePage> finish() const;

  private:
    struct Page {
        std::string folder, name, title, path, source;
        std::string picture, body;
        bool runnable = false;
    };
    std::string folder_of(const std::string& file);
    std::string path_of(ClassPictures& pictures, const std::string& key);
    std::string body_of(ClassPictures& pictures, const ClassPicture& p);

    std::string title_;
    std::vector<Page> pages_;
    std::set<std::string> known_;                         // paths
    std::map<std::string, std::string> folders_;          // by file
    std::map<std::string, std::set<std::string>> users_;  // path → paths of those that use it
};

}  // namespace cutset::picture
