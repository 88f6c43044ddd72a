// stat, access, attributes and watches, in all the forms that programs are compiled to. Structures are passed
// on unseen.
#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

#include "uroce/paths/redirect.h"

struct stat;
struct stat64;
struct statx;
struct statfs;
struct statfs64;
struct statvfs;
struct statvfs64;

extern "C" {

using uroce::paths::Next;
using uroce::paths::Path;

namespace {

constexpr int kNoFollow = 0x100;  // AT_SYMLINK_NOFOLLOW

int follow(const Path& path, int flags) { return path.device() ? flags & ~kNoFollow : flags; }

Next<int(const char*, struct stat*)> next_stat("stat"), next_lstat("lstat");
Next<int(const char*, struct stat64*)> next_stat64("stat64"), next_lstat64("lstat64");
Next<int(int, const char*, struct stat*, int)> next_fstatat("fstatat");
Next<int(int, const char*, struct stat64*, int)> next_fstatat64("fstatat64");
Next<int(int, const char*, int, unsigned, struct statx*)> next_statx("statx");
Next<int(int, const char*, struct stat*)> next_xstat("__xstat"), next_lxstat("__lxstat");
Next<int(int, const char*, struct stat64*)> next_xstat64("__xstat64"), next_lxstat64("__lxstat64");
Next<int(int, int, const char*, struct stat*, int)> next_fxstatat("__fxstatat");
Next<int(int, int, const char*, struct stat64*, int)> next_fxstatat64("__fxstatat64");
Next<int(const char*, int)> next_access("access"), next_eaccess("eaccess"), next_euidaccess("euidaccess");
Next<int(int, const char*, int, int)> next_faccessat("faccessat");
using GetAttribute = ssize_t(const char*, const char*, void*, size_t);
using ListAttributes = ssize_t(const char*, char*, size_t);
Next<GetAttribute> next_getxattr("getxattr"), next_lgetxattr("lgetxattr");
Next<ListAttributes> next_listxattr("listxattr"), next_llistxattr("llistxattr");
Next<int(const char*, struct statfs*)> next_statfs("statfs");
Next<int(const char*, struct statfs64*)> next_statfs64("statfs64");
Next<int(const char*, struct statvfs*)> next_statvfs("statvfs");
Next<int(const char*, struct statvfs64*)> next_statvfs64("statvfs64");
Next<long(const char*, int)> next_pathconf("pathconf");
Next<int(int, const char*, unsigned)> next_inotify_add_watch("inotify_add_watch");
Next<int(const char*, int)> next_ftok("ftok");
Next<int(const char*, long)> next_truncate("truncate"), next_truncate64("truncate64");

static int refused() {
  errno = EACCES;
  return -1;
}

}  // namespace

#pragma GCC visibility push(default)

int stat(const char* path, struct stat* out) { return (*next_stat)(Path(path), out); }
int stat64(const char* path, struct stat64* out) { return (*next_stat64)(Path(path), out); }

int lstat(const char* path, struct stat* out) {
  const Path p(path);
  return p.device() ? (*next_stat)(p, out) : (*next_lstat)(p, out);
}

int lstat64(const char* path, struct stat64* out) {
  const Path p(path);
  return p.device() ? (*next_stat64)(p, out) : (*next_lstat64)(p, out);
}

int fstatat(int directory, const char* path, struct stat* out, int flags) {
  const Path p(directory, path);
  return (*next_fstatat)(p.at(directory), p, out, follow(p, flags));
}

int fstatat64(int directory, const char* path, struct stat64* out, int flags) {
  const Path p(directory, path);
  return (*next_fstatat64)(p.at(directory), p, out, follow(p, flags));
}

int statx(int directory, const char* path, int flags, unsigned mask, struct statx* out) {
  const Path p(directory, path);
  return (*next_statx)(p.at(directory), p, follow(p, flags), mask, out);
}

int __xstat(int version, const char* path, struct stat* out) {
  return (*next_xstat)(version, Path(path), out);
}

int __xstat64(int version, const char* path, struct stat64* out) {
  return (*next_xstat64)(version, Path(path), out);
}

int __lxstat(int version, const char* path, struct stat* out) {
  const Path p(path);
  return p.device() ? (*next_xstat)(version, p, out) : (*next_lxstat)(version, p, out);
}

int __lxstat64(int version, const char* path, struct stat64* out) {
  const Path p(path);
  return p.device() ? (*next_xstat64)(version, p, out) : (*next_lxstat64)(version, p, out);
}

int __fxstatat(int version, int directory, const char* path, struct stat* out, int flags) {
  const Path p(directory, path);
  return (*next_fxstatat)(version, p.at(directory), p, out, follow(p, flags));
}

int __fxstatat64(int version, int directory, const char* path, struct stat64* out, int flags) {
  const Path p(directory, path);
  return (*next_fxstatat64)(version, p.at(directory), p, out, follow(p, flags));
}

int access(const char* path, int mode) { return (*next_access)(Path(path), mode); }
int eaccess(const char* path, int mode) { return (*next_eaccess)(Path(path), mode); }
int euidaccess(const char* path, int mode) { return (*next_euidaccess)(Path(path), mode); }

int faccessat(int directory, const char* path, int mode, int flags) {
  const Path p(directory, path);
  return (*next_faccessat)(p.at(directory), p, mode, flags);
}

ssize_t getxattr(const char* path, const char* name, void* out, size_t size) {
  return (*next_getxattr)(Path(path), name, out, size);
}

ssize_t lgetxattr(const char* path, const char* name, void* out, size_t size) {
  return (*next_lgetxattr)(Path(path), name, out, size);
}

ssize_t listxattr(const char* path, char* out, size_t size) {
  return (*next_listxattr)(Path(path), out, size);
}

ssize_t llistxattr(const char* path, char* out, size_t size) {
  return (*next_llistxattr)(Path(path), out, size);
}

int statfs(const char* path, struct statfs* out) { return (*next_statfs)(Path(path), out); }
int statfs64(const char* path, struct statfs64* out) { return (*next_statfs64)(Path(path), out); }
int statvfs(const char* path, struct statvfs* out) { return (*next_statvfs)(Path(path), out); }
int statvfs64(const char* path, struct statvfs64* out) { return (*next_statvfs64)(Path(path), out); }
long pathconf(const char* path, int name) { return (*next_pathconf)(Path(path), name); }

int ftok(const char* path, int project) { return (*next_ftok)(Path(path), project); }

int inotify_add_watch(int fd, const char* path, unsigned mask) {
  return (*next_inotify_add_watch)(fd, Path(path), mask);
}

int truncate(const char* path, long length) {
  const Path p(path);
  return p.read_only() ? refused() : (*next_truncate)(p, length);
}

int truncate64(const char* path, long length) {
  const Path p(path);
  return p.read_only() ? refused() : (*next_truncate64)(p, length);
}

#pragma GCC visibility pop

}  // extern "C"
