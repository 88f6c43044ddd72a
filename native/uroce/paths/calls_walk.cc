// ftw and fts. libc walks the tree below the private folder, and the program is shown the paths it knows.
#include <errno.h>
#include <fts.h>
#include <ftw.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "uroce/paths/redirect.h"

using uroce::paths::known_part;
using uroce::paths::Next;
using uroce::paths::Path;

namespace {

Next<int(const char*, __ftw_func_t, int)> next_ftw("ftw");
Next<int(const char*, __nftw_func_t, int, int)> next_nftw("nftw");
Next<FTS*(char* const*, int, int (*)(const FTSENT**, const FTSENT**))> next_fts_open("fts_open");
Next<FTSENT*(FTS*)> next_fts_read("fts_read");
Next<FTSENT*(FTS*, int)> next_fts_children("fts_children");
Next<int(FTS*)> next_fts_close("fts_close");

// On the platforms of this library one type serves both names.
static_assert(sizeof(FTS) == sizeof(FTS64) && sizeof(FTSENT) == sizeof(FTSENT64) &&
              sizeof(struct stat) == sizeof(struct stat64));

// The program's function of this thread's walk: libc passes nothing of the caller's on.
thread_local __ftw_func_t t_ftw __attribute__((tls_model("initial-exec")));
thread_local __nftw_func_t t_nftw __attribute__((tls_model("initial-exec")));

// A link stands for a device file; the program is told of the device file.
int type_of(const char* known, const struct stat** status, struct stat* own, int type) {
  if ((type != FTW_SL && type != FTW_SLN) || !Path(known).device() || stat(known, own) != 0) return type;
  *status = own;
  return FTW_F;
}

int on_ftw(const char* path, const struct stat* status, int type) {
  const char* known = known_part(path);
  return t_ftw(known == nullptr ? path : known, status, type);
}

int on_nftw(const char* path, const struct stat* status, int type, struct FTW* where) {
  const char* known = known_part(path);
  if (known == nullptr) return t_nftw(path, status, type, where);
  struct stat own;
  struct FTW shown = *where;
  shown.base -= static_cast<int>(known - path);
  const int as = type_of(known, &status, &own, type);
  return t_nftw(known, status, as, &shown);
}

// A walk in a walk's function is possible.
template <typename Function, typename Run>
int walk(Function* current, Function function, Run run) {
  const Function outer = *current;
  *current = function;
  const int result = run();
  *current = outer;
  return result;
}

// libc keeps writing into the path of an entry, so what the program is shown lasts until its next call.
struct Shown {
  FTS* walk;
  FTSENT* entry;
  char *path, *access;
  unsigned short length;
  Shown* next;
};
Shown* g_shown = nullptr;
pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;

Shown* of(FTS* walk) {
  pthread_mutex_lock(&g_lock);
  Shown* shown = g_shown;
  while (shown != nullptr && shown->walk != walk) shown = shown->next;
  pthread_mutex_unlock(&g_lock);
  return shown;
}

Shown* begin(FTS* walk) {
  auto* shown = static_cast<Shown*>(calloc(1, sizeof(Shown)));
  if (shown == nullptr) return nullptr;
  shown->walk = walk;
  pthread_mutex_lock(&g_lock);
  shown->next = g_shown;
  g_shown = shown;
  pthread_mutex_unlock(&g_lock);
  return shown;
}

void end(Shown* shown) {
  pthread_mutex_lock(&g_lock);
  Shown** at = &g_shown;
  while (*at != shown) at = &(*at)->next;
  *at = shown->next;
  pthread_mutex_unlock(&g_lock);
  free(shown);
}

void give_back(Shown* shown) {
  if (shown == nullptr || shown->entry == nullptr) return;
  shown->entry->fts_path = shown->path;
  shown->entry->fts_accpath = shown->access;
  shown->entry->fts_pathlen = shown->length;
  shown->entry = nullptr;
}

FTSENT* show(Shown* shown, FTSENT* entry) {
  const char* known = shown == nullptr || entry == nullptr ? nullptr : known_part(entry->fts_path);
  if (known == nullptr) return entry;
  const auto head = known - entry->fts_path;
  shown->entry = entry;
  shown->path = entry->fts_path;
  shown->access = entry->fts_accpath;
  shown->length = entry->fts_pathlen;
  if (known_part(entry->fts_accpath) != nullptr) entry->fts_accpath += head;
  entry->fts_path += head;
  entry->fts_pathlen = static_cast<unsigned short>(entry->fts_pathlen - head);
  return entry;
}

}  // namespace

extern "C" {

#pragma GCC visibility push(default)

int ftw(const char* path, __ftw_func_t function, int descriptors) {
  const Path p(path);
  if (!p.mapped()) return (*next_ftw)(p, function, descriptors);
  return walk(&t_ftw, function, [&] { return (*next_ftw)(p, on_ftw, descriptors); });
}

int nftw(const char* path, __nftw_func_t function, int descriptors, int flags) {
  const Path p(path);
  if (!p.mapped()) return (*next_nftw)(p, function, descriptors, flags);
  return walk(&t_nftw, function, [&] { return (*next_nftw)(p, on_nftw, descriptors, flags); });
}

int ftw64(const char* path, __ftw64_func_t function, int descriptors) {
  return ftw(path, reinterpret_cast<__ftw_func_t>(function), descriptors);
}

int nftw64(const char* path, __nftw64_func_t function, int descriptors, int flags) {
  return nftw(path, reinterpret_cast<__nftw_func_t>(function), descriptors, flags);
}

FTS* fts_open(char* const* paths, int options, int (*compare)(const FTSENT**, const FTSENT**)) {
  size_t count = 0;
  bool ours = false;
  for (; paths[count] != nullptr; ++count) ours = ours || Path(paths[count]).mapped();
  if (!ours) return (*next_fts_open)(paths, options, compare);
  auto** own = static_cast<char**>(calloc(count + 1, sizeof(char*)));
  bool copied = own != nullptr;
  for (size_t i = 0; copied && i < count; ++i) copied = (own[i] = strdup(Path(paths[i]))) != nullptr;
  FTS* opened = copied ? (*next_fts_open)(own, options, compare) : nullptr;
  for (size_t i = 0; own != nullptr && i < count; ++i) free(own[i]);
  free(own);
  if (opened != nullptr && begin(opened) == nullptr) {
    (*next_fts_close)(opened);
    opened = nullptr;
  }
  if (opened == nullptr && !copied) errno = ENOMEM;
  return opened;
}

FTSENT* fts_read(FTS* walk) {
  Shown* shown = of(walk);
  give_back(shown);
  return show(shown, (*next_fts_read)(walk));
}

FTSENT* fts_children(FTS* walk, int options) {
  give_back(of(walk));
  return (*next_fts_children)(walk, options);
}

int fts_close(FTS* walk) {
  Shown* shown = of(walk);
  give_back(shown);
  if (shown != nullptr) end(shown);
  return (*next_fts_close)(walk);
}

FTS64* fts64_open(char* const* paths, int options, int (*compare)(const FTSENT64**, const FTSENT64**)) {
  return reinterpret_cast<FTS64*>(
      fts_open(paths, options, reinterpret_cast<int (*)(const FTSENT**, const FTSENT**)>(compare)));
}
FTSENT64* fts64_read(FTS64* walk) {
  return reinterpret_cast<FTSENT64*>(fts_read(reinterpret_cast<FTS*>(walk)));
}
FTSENT64* fts64_children(FTS64* walk, int options) {
  return reinterpret_cast<FTSENT64*>(fts_children(reinterpret_cast<FTS*>(walk), options));
}
int fts64_close(FTS64* walk) { return fts_close(reinterpret_cast<FTS*>(walk)); }

#pragma GCC visibility pop

}  // extern "C"
