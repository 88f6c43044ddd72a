// Which paths are the device's, and where they are instead.
#pragma once

#include <dlfcn.h>
#include <limits.h>

#include <atomic>

namespace uroce::paths {

// A path as libc sees it: the program's own, or the one below the private folder.
class Path {
 public:
  explicit Path(const char* path);
  // Relative to a directory that may be the root itself, as hwloc asks.
  Path(int directory, const char* path);

  operator const char*() const { return mapped_ ? text_ : given_; }
  bool mapped() const { return mapped_; }
  // Stands in for a device file: a link in the folder that must not show as a link.
  bool device() const { return device_; }
  // The path that the program asked for, without doubled slashes. Of a mapped one.
  const char* shown() const;
  // The directory that belongs to the path.
  int at(int directory) const { return mapped_ ? -100 /* AT_FDCWD */ : directory; }

 private:
  void map(const char* absolute);

  const char* given_;
  bool mapped_ = false;
  bool device_ = false;
  char text_[PATH_MAX];
};

// Turns a path below the private folder, in place, into the one that the program asked for.
char* unmapped(char* path);

// Where the files are or would be; null without a private folder. Creates nothing.
const char* tree_place();
// The private folder; null if there is none or nothing can be created in it. The first call creates the
// files.
const char* tree();

// libc's own.
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
