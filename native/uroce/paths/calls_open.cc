// open and fopen, in all the forms that compilers emit.
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "uroce/paths/redirect.h"

// Not <fcntl.h>: it declares some of these with other names or attributes.
extern "C" {

int close(int fd);

using uroce::paths::Next;
using uroce::paths::Path;

namespace {

constexpr int kCreat = 0100;
constexpr int kPathOnly = 010000000;  // O_PATH
constexpr int kAccess = 03;
constexpr int kTruncate = 01000;
constexpr int kTmpfile = 020000000;  // O_TMPFILE without O_DIRECTORY

#define MODE_OF(flags)                                  \
  mode_t mode = 0;                                      \
  if (((flags) & (kCreat | kTmpfile)) != 0) {           \
    va_list args;                                       \
    va_start(args, flags);                              \
    mode = static_cast<mode_t>(va_arg(args, unsigned)); \
    va_end(args);                                       \
  }

// The kernel refuses to open such a file for writing, even for root.
static bool refused(const Path& path, int flags) {
  if (!path.read_only() || (flags & (kAccess | kTruncate | kCreat)) == 0) return false;
  errno = EACCES;
  return true;
}

static bool refused_mode(const Path& path, const char* mode) {
  return refused(path, mode[0] != 'r' || strchr(mode, '+') != nullptr ? kAccess : 0);
}

// The kernel refuses to read some attributes. Here the open fails already, which is close enough.
static int answered(const Path& path, int flags, int fd) {
  if (fd < 0 || (flags & kPathOnly) != 0 || !path.maybe_ours() || !uroce::paths::is_unanswered(fd)) return fd;
  close(fd);
  errno = EINVAL;
  return -1;
}

static FILE* answered_file(const Path& path, FILE* file) {
  if (file == nullptr || !path.maybe_ours() || !uroce::paths::is_unanswered(fileno(file))) return file;
  fclose(file);
  errno = EINVAL;
  return nullptr;
}

// The system's own libraries, which a program loaded by name, would mistake these files for the kernel's.
// They learn that there is no such device.
__attribute__((noinline)) static bool no_kernel(const void* caller) {
  Dl_info library;
  if (dladdr(caller, &library) == 0 || library.dli_fname == nullptr) return false;
  if (strstr(library.dli_fname, "/libibverbs.so") == nullptr &&
      strstr(library.dli_fname, "/librdmacm.so") == nullptr)
    return false;
  errno = ENODEV;
  return true;
}

using Open = int(const char*, int, ...);
using OpenAt = int(int, const char*, int, ...);
using Open2 = int(const char*, int);
using OpenAt2 = int(int, const char*, int);
using Fopen = FILE*(const char*, const char*);

Next<Open> next_open("open"), next_open64("open64");
Next<OpenAt> next_openat("openat"), next_openat64("openat64");
Next<Open2> next_open_2("__open_2"), next_open64_2("__open64_2");
Next<OpenAt2> next_openat_2("__openat_2"), next_openat64_2("__openat64_2");
Next<int(const char*, mode_t)> next_creat("creat"), next_creat64("creat64");
Next<Fopen> next_fopen("fopen"), next_fopen64("fopen64");
using Freopen = FILE*(const char*, const char*, FILE*);
Next<Freopen> next_freopen("freopen"), next_freopen64("freopen64");
struct Actions;  // posix_spawn_file_actions_t
Next<int(Actions*, int, const char*, int, mode_t)> next_addopen("posix_spawn_file_actions_addopen");
Next<int(Actions*, const char*)> next_addchdir("posix_spawn_file_actions_addchdir_np");

// Reopens the stream. Closes it also on failure, as freopen does.
FILE* reopened(Next<Freopen>& next, const char* path, const char* mode, FILE* stream) {
  const Path p(path);
  if (!refused_mode(p, mode)) return answered_file(p, (*next)(p, mode, stream));
  fclose(stream);
  errno = EACCES;
  return nullptr;
}

}  // namespace

#pragma GCC visibility push(default)

int open(const char* path, int flags, ...) {
  MODE_OF(flags)
  const Path p(path);
  if (p.device() && no_kernel(__builtin_return_address(0))) return -1;
  return refused(p, flags) ? -1 : answered(p, flags, (*next_open)(p, flags, mode));
}

int open64(const char* path, int flags, ...) {
  MODE_OF(flags)
  const Path p(path);
  if (p.device() && no_kernel(__builtin_return_address(0))) return -1;
  return refused(p, flags) ? -1 : answered(p, flags, (*next_open64)(p, flags, mode));
}

int __open_2(const char* path, int flags) {
  const Path p(path);
  if (p.device() && no_kernel(__builtin_return_address(0))) return -1;
  return refused(p, flags) ? -1 : answered(p, flags, (*next_open_2)(p, flags));
}

int __open64_2(const char* path, int flags) {
  const Path p(path);
  if (p.device() && no_kernel(__builtin_return_address(0))) return -1;
  return refused(p, flags) ? -1 : answered(p, flags, (*next_open64_2)(p, flags));
}

int openat(int directory, const char* path, int flags, ...) {
  MODE_OF(flags)
  const Path p(directory, path);
  return refused(p, flags) ? -1 : answered(p, flags, (*next_openat)(p.at(directory), p, flags, mode));
}

int openat64(int directory, const char* path, int flags, ...) {
  MODE_OF(flags)
  const Path p(directory, path);
  return refused(p, flags) ? -1 : answered(p, flags, (*next_openat64)(p.at(directory), p, flags, mode));
}

int __openat_2(int directory, const char* path, int flags) {
  const Path p(directory, path);
  return refused(p, flags) ? -1 : answered(p, flags, (*next_openat_2)(p.at(directory), p, flags));
}

int __openat64_2(int directory, const char* path, int flags) {
  const Path p(directory, path);
  return refused(p, flags) ? -1 : answered(p, flags, (*next_openat64_2)(p.at(directory), p, flags));
}

int creat(const char* path, mode_t mode) {
  const Path p(path);
  return refused(p, kCreat) ? -1 : (*next_creat)(p, mode);
}

int creat64(const char* path, mode_t mode) {
  const Path p(path);
  return refused(p, kCreat) ? -1 : (*next_creat64)(p, mode);
}

FILE* fopen(const char* path, const char* mode) {
  const Path p(path);
  return refused_mode(p, mode) ? nullptr : answered_file(p, (*next_fopen)(p, mode));
}

FILE* fopen64(const char* path, const char* mode) {
  const Path p(path);
  return refused_mode(p, mode) ? nullptr : answered_file(p, (*next_fopen64)(p, mode));
}

FILE* freopen(const char* path, const char* mode, FILE* stream) {
  return reopened(next_freopen, path, mode, stream);
}

FILE* freopen64(const char* path, const char* mode, FILE* stream) {
  return reopened(next_freopen64, path, mode, stream);
}

// The child opens the file, or changes the directory, without a call that could be redirected.
int posix_spawn_file_actions_addopen(Actions* actions, int fd, const char* path, int flags, mode_t mode) {
  return (*next_addopen)(actions, fd, Path(path), flags, mode);
}

int posix_spawn_file_actions_addchdir_np(Actions* actions, const char* path) {
  return (*next_addchdir)(actions, Path(path));
}

#pragma GCC visibility pop

}  // extern "C"
