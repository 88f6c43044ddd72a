// Directories that a program lists, or makes.
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "uroce/paths/redirect.h"

struct __dirstream;
struct dirent;
struct dirent64;

using uroce::paths::Next;
using uroce::paths::Path;

namespace {

// The type of the program's comparison functions does not matter here.
using Filter = int (*)(const void*);
using Compare = int (*)(const void*, const void*);

Next<__dirstream*(const char*)> next_opendir("opendir");
Next<int(const char*, dirent***, Filter, Compare)> next_scandir("scandir");
Next<int(const char*, dirent64***, Filter, Compare)> next_scandir64("scandir64");
Next<int(int, const char*, dirent***, Filter, Compare)> next_scandirat("scandirat");
Next<int(int, const char*, dirent64***, Filter, Compare)> next_scandirat64("scandirat64");

Next<int(const char*, mode_t)> next_mkdir("mkdir");
Next<int(int, const char*, mode_t)> next_mkdirat("mkdirat");

// Refuses to make a file or directory: EEXIST for existing ones, else EACCES.
int refused(const Path& path) {
  const bool there = syscall(SYS_faccessat, AT_FDCWD, static_cast<const char*>(path), F_OK) == 0;
  errno = there ? EEXIST : EACCES;
  return -1;
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

int scandirat(int directory, const char* path, dirent*** out, Filter filter, Compare compare) {
  const Path p(directory, path);
  return (*next_scandirat)(p.at(directory), p, out, filter, compare);
}

int scandirat64(int directory, const char* path, dirent64*** out, Filter filter, Compare compare) {
  const Path p(directory, path);
  return (*next_scandirat64)(p.at(directory), p, out, filter, compare);
}

int mkdir(const char* path, mode_t mode) {
  const Path p(path);
  return p.mapped() ? refused(p) : (*next_mkdir)(p, mode);
}

int mkdirat(int directory, const char* path, mode_t mode) {
  const Path p(directory, path);
  return p.mapped() ? refused(p) : (*next_mkdirat)(directory, p, mode);
}

#pragma GCC visibility pop

}  // extern "C"
