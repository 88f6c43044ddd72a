// Directories and links. A call that resolves a path answers with the path that the program knows.
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

#include "uroce/paths/redirect.h"

struct __dirstream;
struct dirent;
struct dirent64;

using uroce::paths::Next;
using uroce::paths::Path;
using uroce::paths::unmapped;

namespace {

// The type of the program's comparison functions does not matter here.
using Filter = int (*)(const void*);
using Compare = int (*)(const void*, const void*);

Next<__dirstream*(const char*)> next_opendir("opendir");
Next<int(const char*, dirent***, Filter, Compare)> next_scandir("scandir");
Next<int(const char*, dirent64***, Filter, Compare)> next_scandir64("scandir64");
Next<ssize_t(const char*, char*, size_t)> next_readlink("readlink");
Next<ssize_t(const char*, char*, size_t, size_t)> next_readlink_chk("__readlink_chk");
Next<ssize_t(int, const char*, char*, size_t)> next_readlinkat("readlinkat");
Next<ssize_t(int, const char*, char*, size_t, size_t)> next_readlinkat_chk("__readlinkat_chk");
Next<char*(const char*, char*)> next_realpath("realpath");
Next<char*(const char*, char*, size_t)> next_realpath_chk("__realpath_chk");
Next<char*(char*, size_t)> next_getcwd("getcwd");
Next<char*(char*, size_t, size_t)> next_getcwd_chk("__getcwd_chk");
Next<int(const char*)> next_chdir("chdir");

// A device file is not a link, although a link takes its place.
ssize_t no_link() {
  errno = EINVAL;
  return -1;
}

// As realpath: a device file resolves to itself.
template <typename Resolve>
char* resolved(const char* path, Resolve resolve) {
  const Path p(path);
  char* found = resolve(p);
  if (found != nullptr && p.device()) strcpy(found, p.shown());
  return unmapped(found);
}

}  // namespace

extern "C" {

#pragma GCC visibility push(default)

__dirstream* opendir(const char* path) { return (*next_opendir)(Path(path)); }

int scandir(const char* path, dirent*** out, Filter filter, Compare compare) {
  return (*next_scandir)(Path(path), out, filter, compare);
}

int scandir64(const char* path, dirent64*** out, Filter filter, Compare compare) {
  return (*next_scandir64)(Path(path), out, filter, compare);
}

ssize_t readlink(const char* path, char* out, size_t size) {
  const Path p(path);
  return p.device() ? no_link() : (*next_readlink)(p, out, size);
}

ssize_t __readlink_chk(const char* path, char* out, size_t size, size_t room) {
  const Path p(path);
  return p.device() ? no_link() : (*next_readlink_chk)(p, out, size, room);
}

ssize_t readlinkat(int directory, const char* path, char* out, size_t size) {
  const Path p(directory, path);
  return p.device() ? no_link() : (*next_readlinkat)(p.at(directory), p, out, size);
}

ssize_t __readlinkat_chk(int directory, const char* path, char* out, size_t size, size_t room) {
  const Path p(directory, path);
  return p.device() ? no_link() : (*next_readlinkat_chk)(p.at(directory), p, out, size, room);
}

char* realpath(const char* path, char* out) {
  return resolved(path, [&](const char* p) { return (*next_realpath)(p, out); });
}

char* __realpath_chk(const char* path, char* out, size_t room) {
  return resolved(path, [&](const char* p) { return (*next_realpath_chk)(p, out, room); });
}

char* canonicalize_file_name(const char* path) { return realpath(path, nullptr); }

char* getcwd(char* out, size_t size) { return unmapped((*next_getcwd)(out, size)); }
char* __getcwd_chk(char* out, size_t size, size_t room) {
  return unmapped((*next_getcwd_chk)(out, size, room));
}

int chdir(const char* path) { return (*next_chdir)(Path(path)); }

#pragma GCC visibility pop

}  // extern "C"
