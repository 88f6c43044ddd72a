// glob and wordexp. libc lists directories there by calls of its own that no other library can stand before.
#include <dirent.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wordexp.h>

#include "uroce/paths/redirect.h"

using uroce::paths::Next;
using uroce::paths::Path;
using uroce::paths::tree;
using uroce::paths::tree_place;

namespace {

Next<int(const char*, int, int (*)(const char*, int), glob_t*)> next_glob("glob");
Next<int(const char*, wordexp_t*, int)> next_wordexp("wordexp");

static_assert(sizeof(glob_t) == sizeof(glob64_t) && sizeof(dirent) == sizeof(dirent64) &&
              sizeof(struct stat) == sizeof(struct stat64));

// libc asks the program for directories if the program brings functions for it. These see the device's files.
void bring_functions(glob_t* out) {
  out->gl_opendir = [](const char* path) { return static_cast<void*>(opendir(path)); };
  out->gl_readdir = [](void* directory) { return readdir(static_cast<DIR*>(directory)); };
  out->gl_closedir = [](void* directory) { closedir(static_cast<DIR*>(directory)); };
  out->gl_stat = [](const char* path, struct stat* status) { return stat(path, status); };
  out->gl_lstat = [](const char* path, struct stat* status) { return lstat(path, status); };
}

// True at the start of a word, quoted or not.
bool begins_word(const char* words, const char* at) {
  return at == words || strchr(" \t\n'\"`(=:-", at[-1]) != nullptr;
}

bool names_device(const char* at) {
  char start[64];
  const size_t length = strcspn(at, " \t\n'\"`(){}*?[]$;|&<>\\");
  if (*at != '/' || length >= sizeof start) return *at == '/' && Path(at).mapped();
  memcpy(start, at, length);
  start[length] = '\0';
  return Path(start).mapped();
}

// The words with the private folder in front of each path of the device; null if there is none.
char* with_folder(const char* words) {
  const char* folder = tree_place() == nullptr ? nullptr : tree();
  if (folder == nullptr || strpbrk(folder, " \t\n'\"`(){}*?[]$;|&<>\\") != nullptr) return nullptr;
  size_t paths = 0;
  for (const char* at = words; *at != '\0'; ++at)
    if (begins_word(words, at) && names_device(at)) ++paths;
  auto* text = paths == 0 ? nullptr : static_cast<char*>(malloc(strlen(words) + paths * strlen(folder) + 1));
  if (text == nullptr) return nullptr;
  char* end = text;
  for (const char* at = words; *at != '\0'; ++at) {
    if (begins_word(words, at) && names_device(at)) end = stpcpy(end, folder);
    *end++ = *at;
  }
  *end = '\0';
  return text;
}

void without_folder(char* word) {
  const size_t length = strlen(tree_place());
  for (char* at = word; (at = strstr(at, tree_place())) != nullptr;)
    memmove(at, at + length, strlen(at + length) + 1);
}

}  // namespace

extern "C" {

#pragma GCC visibility push(default)

int glob(const char* pattern, int flags, int (*failed)(const char*, int), glob_t* out) {
  if ((flags & GLOB_ALTDIRFUNC) != 0 || tree_place() == nullptr)
    return (*next_glob)(pattern, flags, failed, out);
  const glob_t given = *out;
  bring_functions(out);
  const int result = (*next_glob)(pattern, flags | GLOB_ALTDIRFUNC, failed, out);
  out->gl_flags &= ~GLOB_ALTDIRFUNC;
  out->gl_opendir = given.gl_opendir;
  out->gl_readdir = given.gl_readdir;
  out->gl_closedir = given.gl_closedir;
  out->gl_stat = given.gl_stat;
  out->gl_lstat = given.gl_lstat;
  return result;
}

int glob64(const char* pattern, int flags, int (*failed)(const char*, int), glob64_t* out) {
  return glob(pattern, flags, failed, reinterpret_cast<glob_t*>(out));
}

int wordexp(const char* words, wordexp_t* out, int flags) {
  char* text = with_folder(words);
  if (text == nullptr) return (*next_wordexp)(words, out, flags);
  const size_t first = (flags & WRDE_APPEND) != 0 ? out->we_wordc : 0;
  const int result = (*next_wordexp)(text, out, flags);
  free(text);
  if (result != 0) return result;
  char** list = out->we_wordv + ((flags & WRDE_DOOFFS) != 0 ? out->we_offs : 0);
  for (size_t i = first; i < out->we_wordc; ++i) without_folder(list[i]);
  return 0;
}

#pragma GCC visibility pop

}  // extern "C"
