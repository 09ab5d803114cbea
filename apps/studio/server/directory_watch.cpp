#include "directory_watch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cstring>
#include <set>
#include <utility>

namespace cutset::studio {

DirectoryWatch::DirectoryWatch(const OpenedDirectory& directory,
                               std::function<void(const std::string& name)> changed,
                               std::function<void()> listed)
    : directory_(directory),
      changed_(std::move(changed)),
      listed_(std::move(listed)),
      inotify_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    if (::pipe2(end_, O_CLOEXEC) != 0) end_[0] = end_[1] = -1;
    watch_folders();
    thread_ = std::thread([this] { listen(); });
}

DirectoryWatch::~DirectoryWatch() {
    ::close(end_[1]);
    thread_.join();
    ::close(end_[0]);
    ::close(inotify_);
}

void DirectoryWatch::watch_folders() {
    constexpr std::uint32_t what =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR;
    for (const std::string& folder : directory_.folders()) {
        const std::string path = folder.empty() ? directory_.path() : directory_.path() + "/" + folder;
        const int watch = ::inotify_add_watch(inotify_, path.c_str(), what);
        if (watch >= 0) folders_[watch] = folder;
    }
}

void DirectoryWatch::listen() {
    pollfd ways[2] = {{inotify_, POLLIN, 0}, {end_[0], POLLIN, 0}};
    alignas(inotify_event) char bytes[16384];
    while (true) {
        ::poll(ways, 2, -1);
        if (ways[1].revents) return;
        const ssize_t length = ::read(inotify_, bytes, sizeof bytes);
        std::set<std::string> changed;
        bool listed = false, folders = false;
        for (ssize_t at = 0; at < length;) {
            inotify_event event;
            std::memcpy(&event, bytes + at, sizeof event);
            const char* const entry = bytes + at + sizeof event;
            at += ssize_t(sizeof event + event.len);
            const auto folder = folders_.find(event.wd);
            if (event.len == 0 || folder == folders_.end()) continue;
            if (event.mask & IN_ISDIR) {
                folders = listed = true;
                continue;
            }
            const std::string name = folder->second.empty() ? entry : folder->second + "/" + entry;
            if (bad_name(name)) continue;
            listed = listed || !(event.mask & IN_CLOSE_WRITE);
            if (!(event.mask & IN_CREATE)) changed.insert(name);
        }
        if (folders) watch_folders();
        for (const std::string& name : changed) changed_(name);
        if (listed) listed_();
    }
}

}  // namespace cutset::studio
