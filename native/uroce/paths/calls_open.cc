// open and fopen, in all the forms that programs are compiled to.
#include <stdarg.h>
#include <stdio.h>
#include <sys/types.h>

#include "uroce/paths/redirect.h"

// Not <fcntl.h>: it declares some of these with other names or attributes.
extern "C" {

using uroce::paths::Next;
using uroce::paths::Path;

namespace {

constexpr int kCreat = 0100;
constexpr int kTmpfile = 020000000;  // O_TMPFILE without O_DIRECTORY

#define MODE_OF(flags)                                  \
  mode_t mode = 0;                                      \
  if (((flags) & (kCreat | kTmpfile)) != 0) {           \
    va_list args;                                       \
    va_start(args, flags);                              \
    mode = static_cast<mode_t>(va_arg(args, unsigned)); \
    va_end(args);                                       \
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
Next<Fopen> next_fopen("fopen"), next_fopen64("fopen64");

}  // namespace

#pragma GCC visibility push(default)

int open(const char* path, int flags, ...) {
  MODE_OF(flags)
  return (*next_open)(Path(path), flags, mode);
}

int open64(const char* path, int flags, ...) {
  MODE_OF(flags)
  return (*next_open64)(Path(path), flags, mode);
}

int __open_2(const char* path, int flags) { return (*next_open_2)(Path(path), flags); }
int __open64_2(const char* path, int flags) { return (*next_open64_2)(Path(path), flags); }

int openat(int directory, const char* path, int flags, ...) {
  MODE_OF(flags)
  const Path p(directory, path);
  return (*next_openat)(p.at(directory), p, flags, mode);
}

int openat64(int directory, const char* path, int flags, ...) {
  MODE_OF(flags)
  const Path p(directory, path);
  return (*next_openat64)(p.at(directory), p, flags, mode);
}

int __openat_2(int directory, const char* path, int flags) {
  const Path p(directory, path);
  return (*next_openat_2)(p.at(directory), p, flags);
}

int __openat64_2(int directory, const char* path, int flags) {
  const Path p(directory, path);
  return (*next_openat64_2)(p.at(directory), p, flags);
}

FILE* fopen(const char* path, const char* mode) { return (*next_fopen)(Path(path), mode); }
FILE* fopen64(const char* path, const char* mode) { return (*next_fopen64)(Path(path), mode); }

#pragma GCC visibility pop

}  // extern "C"
