// Paths of the device's files, and their places in the private folder.
#pragma once

#include <dlfcn.h>
#include <stddef.h>

#include <atomic>

namespace uroce::paths {

// The place of the files; null without a private folder. Creates nothing.
const char* tree_place();
// The private folder; null if there is none or nothing can be created in it. The first call creates the
// files.
const char* tree();
// True for an open file of the tree whose counterpart in the kernel cannot be read.
bool is_unanswered(int fd);

// A path as libc sees it: the program's own, or the one below the private folder.
class Path {
 public:
  explicit Path(const char* path) : Path(kWorkingDirectory, path) {}
  // Relative to a directory that may be above the prefixes: the root itself, as hwloc asks, or /sys/class.
  Path(int directory, const char* path);
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;
  ~Path();

  operator const char*() const { return text_ != nullptr ? text_ : given_; }
  bool mapped() const { return text_ != nullptr; }
  // True if it replaces a device file: a link in the folder that must not show as a link.
  bool device() const { return device_; }
  // True for a file of the kernel's, which programs may only read.
  bool read_only() const { return mapped() && !device_; }
  // The path that the program asked for, without doubled slashes. Only of a mapped one.
  const char* shown() const;
  // True if it may be a file of the tree: also for a relative path, since the working directory may be in
  // the tree.
  bool maybe_ours() const {
    return mapped() || (given_ != nullptr && given_[0] != '/' && tree_place() != nullptr);
  }
  // The directory that belongs to the path.
  int at(int directory) const { return mapped() ? kWorkingDirectory : directory; }

 private:
  static constexpr int kWorkingDirectory = -100;  // AT_FDCWD

  void map(const char* absolute);
  void map_relative(int directory, const char* path);
  void map_roundabout(const char* path);

  const char* given_;
  char* text_ = nullptr;
  bool device_ = false;
  // A small buffer: every call of the program has a Path on its stack, which may be the small one of a
  // signal handler.
  char room_[256];
};

// The part below the private folder of a path in it, which is the program's path; null if it is elsewhere.
const char* known_part(const char* path);
// Turns a path below the private folder, in place, into the one that the program asked for.
char* unmapped(char* path);

// A function of libc.
template <typename Call>
class Next {
 public:
  explicit constexpr Next(const char* name) : name_(name) {}
  Call* operator*() {
    Call* call = call_.load(std::memory_order_relaxed);
    if (call == nullptr) {
      call = reinterpret_cast<Call*>(dlsym(RTLD_NEXT, name_));
      call_.store(call, std::memory_order_relaxed);
    }
    return call;
  }

 private:
  const char* const name_;
  std::atomic<Call*> call_{nullptr};
};

}  // namespace uroce::paths
