// Links, and the working directory. A call that resolves a path answers with the path that the program knows.
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "uroce/paths/redirect.h"

using uroce::paths::known_part;
using uroce::paths::Next;
using uroce::paths::Path;
using uroce::paths::tree_place;
using uroce::paths::unmapped;

namespace {

Next<ssize_t(const char*, char*, size_t)> next_readlink("readlink");
Next<ssize_t(const char*, char*, size_t, size_t)> next_readlink_chk("__readlink_chk");
Next<ssize_t(int, const char*, char*, size_t)> next_readlinkat("readlinkat");
Next<ssize_t(int, const char*, char*, size_t, size_t)> next_readlinkat_chk("__readlinkat_chk");
Next<char*(const char*, char*)> next_realpath("realpath");
Next<char*(const char*, char*, size_t)> next_realpath_chk("__realpath_chk");
Next<char*(char*, size_t)> next_getcwd("getcwd");
Next<char*(char*, size_t, size_t)> next_getcwd_chk("__getcwd_chk");
Next<char*(char*)> next_getwd("getwd");
Next<char*(char*, size_t)> next_getwd_chk("__getwd_chk");
Next<char*()> next_get_current_dir_name("get_current_dir_name");
Next<int(const char*)> next_chdir("chdir");

constexpr int kWorkingDirectory = -100;  // AT_FDCWD

// A device file is not a link, although a link takes its place.
ssize_t no_link() {
  errno = EINVAL;
  return -1;
}

// Leaves the private folder by `..`: the directory above is the machine's own.
__attribute__((noinline)) int leave_folder() {
  char now[PATH_MAX];
  const char* known = known_part((*next_getcwd)(now, sizeof now));
  return known == nullptr || Path(known).mapped() ? 0 : (*next_chdir)(known);
}

// Reads the whole target, although the program has less room for it.
__attribute__((noinline)) ssize_t read_whole(int directory, const char* path, char* out, size_t size) {
  char whole[PATH_MAX];
  const ssize_t length = (*next_readlinkat)(directory, path, whole, sizeof whole - 1);
  if (length < 0) return length;
  whole[length] = '\0';
  const char* shown = known_part(whole);
  if (shown == nullptr) shown = whole;
  const size_t wanted = strlen(shown);
  memcpy(out, shown, wanted < size ? wanted : size);
  return static_cast<ssize_t>(wanted < size ? wanted : size);
}

// /proc/self/fd/N of a file in the private folder: the link shows the path that the program opened. The
// text read may be cut short, so the link is read again.
ssize_t shown_link(int directory, const char* path, char* out, size_t size, ssize_t length) {
  const char* folder = length > 0 ? tree_place() : nullptr;
  if (folder == nullptr) return length;
  const size_t head = strlen(folder), got = static_cast<size_t>(length);
  return strncmp(out, folder, head < got ? head : got) == 0 && (got > head || got == size)
             ? read_whole(directory, path, out, size)
             : length;
}

// The result of a realpath(): a device file resolves to itself. `room` is the size of the program's buffer,
// where it is known.
template <typename Resolve>
char* resolved(const char* path, char* out, size_t room, Resolve resolve) {
  const Path p(path);
  char* found = resolve(p);
  if (found == nullptr || !p.device()) return unmapped(found);
  // libc's own block is as long as the path that libc found.
  if (out == nullptr) {
    free(found);
    return strdup(p.shown());
  }
  const size_t size = strlen(p.shown()) + 1;
  if (size > room) {
    errno = ENAMETOOLONG;
    return nullptr;
  }
  return static_cast<char*>(memcpy(out, p.shown(), size));
}

}  // namespace

extern "C" {

#pragma GCC visibility push(default)

ssize_t readlink(const char* path, char* out, size_t size) {
  const Path p(path);
  if (p.device()) return no_link();
  return shown_link(kWorkingDirectory, p, out, size, (*next_readlink)(p, out, size));
}

ssize_t __readlink_chk(const char* path, char* out, size_t size, size_t room) {
  const Path p(path);
  if (p.device()) return no_link();
  return shown_link(kWorkingDirectory, p, out, size, (*next_readlink_chk)(p, out, size, room));
}

ssize_t readlinkat(int directory, const char* path, char* out, size_t size) {
  const Path p(directory, path);
  if (p.device()) return no_link();
  return shown_link(p.at(directory), p, out, size, (*next_readlinkat)(p.at(directory), p, out, size));
}

ssize_t __readlinkat_chk(int directory, const char* path, char* out, size_t size, size_t room) {
  const Path p(directory, path);
  if (p.device()) return no_link();
  return shown_link(p.at(directory), p, out, size,
                    (*next_readlinkat_chk)(p.at(directory), p, out, size, room));
}

char* realpath(const char* path, char* out) {
  return resolved(path, out, PATH_MAX, [&](const char* p) { return (*next_realpath)(p, out); });
}

char* __realpath_chk(const char* path, char* out, size_t room) {
  return resolved(path, out, room, [&](const char* p) { return (*next_realpath_chk)(p, out, room); });
}

char* canonicalize_file_name(const char* path) { return realpath(path, nullptr); }

char* getcwd(char* out, size_t size) { return unmapped((*next_getcwd)(out, size)); }
char* __getcwd_chk(char* out, size_t size, size_t room) {
  return unmapped((*next_getcwd_chk)(out, size, room));
}
char* getwd(char* out) { return unmapped((*next_getwd)(out)); }
char* __getwd_chk(char* out, size_t room) { return unmapped((*next_getwd_chk)(out, room)); }
char* get_current_dir_name() { return unmapped((*next_get_current_dir_name)()); }

int chdir(const char* path) {
  const Path p(path);
  const int result = (*next_chdir)(p);
  if (result != 0 || p.mapped() || tree_place() == nullptr || path[0] == '/') return result;
  return leave_folder();
}

#pragma GCC visibility pop

}  // extern "C"
