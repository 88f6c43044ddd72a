#include "uroce/paths/redirect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace uroce::paths {
namespace {

constexpr const char* kPrefixes[] = {
    "/sys/class/infiniband",
    "/sys/class/infiniband_verbs",
    "/sys/class/infiniband_mad",
    "/sys/devices/virtual/infiniband",
    "/sys/devices/virtual/infiniband_verbs",
    "/sys/class/misc/rdma_cm",
    "/sys/devices/virtual/misc/rdma_cm",
    "/dev/infiniband",
};
// Every prefix has one of these words.
constexpr const char* kWords[] = {"infiniband", "rdma_cm"};
// The longest directory above a prefix, and room to see that another is longer.
constexpr size_t kAboveLength = sizeof "/sys/devices/virtual/misc" + 1;
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

bool named(const char* path) {
  for (const char* word : kWords)
    if (strstr(path, word) != nullptr) return true;
  return false;
}

// The name of a directory, if it is short enough to be above a prefix. The kernel's answer, not libc's.
bool name_of(int directory, char (&out)[kAboveLength]) {
  char link[40];
  if (directory == AT_FDCWD) {
    strcpy(link, "/proc/self/cwd");
  } else {
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
  }
  const long length = syscall(SYS_readlinkat, AT_FDCWD, link, out, sizeof out);
  if (length <= 0 || static_cast<size_t>(length) == sizeof out) return false;
  out[length] = '\0';
  return out[0] == '/';
}

}  // namespace

Path::Path(int directory, const char* path) : given_(path) {
  if (path == nullptr || path[0] == '\0') return;
  if (path[0] == '/') map(path);
  if (mapped() || !named(path) || tree_place() == nullptr) return;
  const int error = errno;
  path[0] == '/' ? map_roundabout(path) : map_relative(directory, path);
  errno = error;
}

Path::~Path() {
  if (text_ != room_) free(text_);
}

void Path::map(const char* absolute) {
  const Found found = find(absolute);
  if (found.prefix == nullptr) return;
  const char* folder = tree();
  if (folder == nullptr) return;
  const size_t head = strlen(folder), middle = strlen(found.prefix), tail = strlen(found.rest);
  const size_t size = head + middle + tail + 1;
  text_ = size <= sizeof room_ ? room_ : static_cast<char*>(malloc(size));
  if (text_ == nullptr) return;
  memcpy(text_, folder, head);
  memcpy(text_ + head, found.prefix, middle);
  memcpy(text_ + head + middle, found.rest, tail + 1);
  device_ = strncmp(text_ + head, kDevices, sizeof kDevices - 1) == 0 && found.rest[1] != '\0';
}

// A directory above the prefixes is never a link, so its name and the path make one name.
__attribute__((noinline)) void Path::map_relative(int directory, const char* path) {
  char above[kAboveLength];
  if (!name_of(directory, above)) return;
  size_t length = strlen(above) == 1 ? 0 : strlen(above);
  while (path[0] == '.' && (path[1] == '/' || (path[1] == '.' && path[2] == '/'))) {
    if (path[1] == '.')
      while (length > 0 && above[--length] != '/') continue;
    path += path[1] == '.' ? 2 : 1;
    while (*path == '/') ++path;
  }
  char joined[sizeof room_];
  const int size = snprintf(joined, sizeof joined, "%.*s/%s", static_cast<int>(length), above, path);
  if (size < static_cast<int>(sizeof joined)) map(joined);
}

// `/sys/class/net/../infiniband`, `/proc/self/root/sys/class/infiniband`: the kernel knows where the part
// before the word is.
__attribute__((noinline)) void Path::map_roundabout(const char* path) {
  const char* word = nullptr;
  for (const char* each : kWords)
    if (const char* at = strstr(path, each); at != nullptr && (word == nullptr || at < word)) word = at;
  while (word[-1] != '/') --word;
  char head[sizeof room_];
  const auto length = static_cast<size_t>(word - path);
  if (length >= sizeof head) return;
  memcpy(head, path, length);
  head[length] = '\0';
  const auto fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, head, O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (fd < 0) return;
  map_relative(fd, word);
  syscall(SYS_close, fd);
}

const char* Path::shown() const { return text_ + strlen(tree_place()); }

const char* known_part(const char* path) {
  const char* folder = path == nullptr ? nullptr : tree_place();
  if (folder == nullptr) return nullptr;
  const size_t head = strlen(folder);
  return strncmp(path, folder, head) == 0 && path[head] == '/' ? path + head : nullptr;
}

char* unmapped(char* path) {
  if (const char* known = known_part(path)) memmove(path, known, strlen(known) + 1);
  return path;
}

}  // namespace uroce::paths
