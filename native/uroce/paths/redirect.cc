#include "uroce/paths/redirect.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace uroce::paths {
namespace {

constexpr const char* kPrefixes[] = {
    "/sys/class/infiniband",           "/sys/class/infiniband_verbs",           "/sys/class/infiniband_mad",
    "/sys/devices/virtual/infiniband", "/sys/devices/virtual/infiniband_verbs", "/dev/infiniband",
};
constexpr const char kDevices[] = "/dev/infiniband/";

// Past the prefix, or null. Slashes may be doubled.
const char* after(const char* path, const char* prefix) {
  while (*prefix != '\0') {
    if (*path != *prefix) return nullptr;
    ++path;
    if (*prefix++ == '/')
      while (*path == '/') ++path;
  }
  return *path == '\0' || *path == '/' ? path : nullptr;
}

struct Found {
  const char* prefix;
  const char* rest;
};

Found find(const char* path) {
  if (path[0] != '/') return {};
  for (const char* prefix : kPrefixes)
    if (const char* rest = after(path, prefix)) return {prefix, rest};
  return {};
}

bool root(int directory) {
  struct statx a, b;
  return syscall(SYS_statx, directory, "", AT_EMPTY_PATH, STATX_INO, &a) == 0 &&
         syscall(SYS_statx, AT_FDCWD, "/", 0, STATX_INO, &b) == 0 && a.stx_ino == b.stx_ino &&
         a.stx_dev_major == b.stx_dev_major && a.stx_dev_minor == b.stx_dev_minor;
}

}  // namespace

Path::Path(const char* path) : given_(path) {
  if (path != nullptr) map(path);
}

Path::Path(int directory, const char* path) : given_(path) {
  if (path == nullptr) return;
  if (path[0] == '/') map(path);
  if (path[0] == '/' || directory == AT_FDCWD) return;
  // The names under which the prefixes begin: nothing else is worth a system call.
  if (strncmp(path, "sys/", 4) != 0 && strncmp(path, "dev/", 4) != 0) return;
  char absolute[PATH_MAX] = "/";
  const size_t length = strlen(path);
  if (length + 2 > sizeof absolute) return;
  memcpy(absolute + 1, path, length + 1);
  if (find(absolute).prefix != nullptr && root(directory)) map(absolute);
}

void Path::map(const char* absolute) {
  const Found found = find(absolute);
  if (found.prefix == nullptr) return;
  const char* folder = tree();
  if (folder == nullptr) return;
  const size_t head = strlen(folder), middle = strlen(found.prefix), tail = strlen(found.rest);
  if (head + middle + tail + 1 > sizeof text_) return;
  memcpy(text_, folder, head);
  memcpy(text_ + head, found.prefix, middle);
  memcpy(text_ + head + middle, found.rest, tail + 1);
  mapped_ = true;
  device_ = strncmp(text_ + head, kDevices, sizeof kDevices - 1) == 0 && found.rest[1] != '\0';
}

const char* Path::shown() const { return text_ + strlen(tree_place()); }

char* unmapped(char* path) {
  const char* folder = path == nullptr ? nullptr : tree_place();
  if (folder == nullptr) return path;
  const size_t head = strlen(folder);
  if (strncmp(path, folder, head) == 0 && find(path + head).prefix != nullptr)
    memmove(path, path + head, strlen(path + head) + 1);
  return path;
}

}  // namespace uroce::paths
