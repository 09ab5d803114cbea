// Hears of files of a directory that other programs write, move or remove.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <thread>

#include "studio/opened_directory.h"

namespace cutset::studio {

class DirectoryWatch {
  public:
    // `changed`: a file with that name is another one, new or gone; `listed`: the list of files may be. On a
    // thread of its own.
    DirectoryWatch(const OpenedDirectory& directory, std::function<void(const std::string& name)> changed,
                   std::function<void()> listed);
    ~DirectoryWatch();

  private:
    void watch_folders();
    void listen();

    const OpenedDirectory& directory_;
    std::function<void(const std::string&)> changed_;
    std::function<void()> listed_;
    int inotify_, end_[2];
    std::map<int, std::string> folders_;  // by watch
    std::thread thread_;
};

}  // namespace cutset::studio
