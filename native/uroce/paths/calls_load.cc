// dlopen of the system's libibverbs or librdmacm. Functions looked up in such a handle are the system's,
// which do not know the device: the program cannot use it, and the error says why.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "uroce/ext/uroce.h"
#include "uroce/paths/redirect.h"

using uroce::paths::Next;
using uroce::paths::tree_place;

namespace {

Next<void*(const char*, int)> next_dlopen("dlopen");

bool is_verbs_library(const char* file) {
  const char* slash = strrchr(file, '/');
  const char* name = slash == nullptr ? file : slash + 1;
  return strncmp(name, "libibverbs.so", 13) == 0 || strncmp(name, "librdmacm.so", 12) == 0;
}

// True once per command: its first process leaves a note for `exec`, and the others see the note.
bool is_first(const char* library) {
  const char* tree = tree_place();
  if (tree == nullptr) return true;
  char note[PATH_MAX];
  const int folder = static_cast<int>(strrchr(tree, '/') - tree);
  if (snprintf(note, sizeof note, "%.*s/system-library", folder, tree) >= static_cast<int>(sizeof note))
    return true;
  const auto fd =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, note, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (fd < 0) return errno != EEXIST;
  dprintf(fd, "%s\n", library);
  close(fd);
  return true;
}

pthread_once_t g_warned = PTHREAD_ONCE_INIT;
const char* g_library;

void print_warning() {
  if (!is_first(g_library)) return;
  fprintf(stderr,
          "uroce: %s loaded %s with dlopen(). That library does not know the device, so the program cannot "
          "use it. "
          "Link it with -libverbs and -lrdmacm, or look the functions up with dlsym(RTLD_DEFAULT).\n",
          program_invocation_short_name, g_library);
}

__attribute__((noinline)) void note(void* handle, const char* file) {
  const int error = errno;
  link_map* map = nullptr;
  const bool known = dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0] != '\0';
  const char* library = known ? map->l_name : file;
  const auto report =
      reinterpret_cast<decltype(&uroce_note_library)>(dlsym(RTLD_DEFAULT, "uroce_note_library"));
  if (report != nullptr) report(library);
  g_library = library;
  pthread_once(&g_warned, print_warning);
  errno = error;
}

}  // namespace

// The loader checks its caller, for the search path of that library. So the call for the program is a jump,
// thanks to the option -foptimize-sibling-calls, and a reported library is loaded by an additional call.
extern "C" __attribute__((visibility("default"))) void* dlopen(const char* file, int mode) {
  if (file != nullptr && (mode & RTLD_NOLOAD) == 0 && is_verbs_library(file)) {
    // The library stays loaded: the system's libraries are not made to be loaded twice.
    if (void* handle = (*next_dlopen)(file, mode)) note(handle, file);
  }
  return (*next_dlopen)(file, mode);
}
