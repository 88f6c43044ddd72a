// dlopen of libibverbs or librdmacm, by name or path: the program gets the device, which has the functions of both, and for
// dlvsym() each of their versions. With UROCE_LOAD=system it gets the system's, whose functions do not know the device, and
// an error says so.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "uroce/ext/uroce.h"
#include "uroce/paths/redirect.h"

using uroce::paths::Next;
using uroce::paths::tree_place;

namespace {

Next<void*(const char*, int)> next_dlopen("dlopen");
Next<void*(Lmid_t, const char*, int)> next_dlmopen("dlmopen");
Next<void*(void*, const char*, const char*)> next_dlvsym("dlvsym");

// True if the device is loaded and stands for both libraries; *device says where it is.
bool stands_for_libraries(Dl_info* device) {
  const char* const choice = getenv("UROCE_LOAD");
  if (choice != nullptr && strcmp(choice, "system") == 0) return false;
  void* const known = dlsym(RTLD_DEFAULT, "uroce_note_library");
  return known != nullptr && dladdr(known, device) != 0 && device->dli_fname != nullptr;
}

bool is_verbs_library(const char* file) {
  const char* slash = strrchr(file, '/');
  const char* name = slash == nullptr ? file : slash + 1;
  return strncmp(name, "libibverbs.so", 13) == 0 || strncmp(name, "librdmacm.so", 12) == 0;
}

bool is_verbs_version(const char* version) {
  return strncmp(version, "IBVERBS_", 8) == 0 || strncmp(version, "RDMACM_", 7) == 0;
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
          "use it. Leave UROCE_LOAD=system out.\n",
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

// The system's library, for tools of Verbs Lab that use it beside the device.
extern "C" __attribute__((visibility("default"))) void* uroce_open_system_library(const char* file,
                                                                                  int mode) {
  return (*next_dlopen)(file, mode);
}

// The loader checks its caller, for the search path of that library. So the call for the program is a jump,
// thanks to the option -foptimize-sibling-calls, and a reported library is loaded by an additional call.
extern "C" __attribute__((visibility("default"))) void* dlopen(const char* file, int mode) {
  if (file != nullptr && is_verbs_library(file)) {
    Dl_info device;
    if (stands_for_libraries(&device)) return (*next_dlopen)(device.dli_fname, mode);
    // The library stays loaded: the system's libraries are not made to be loaded twice.
    if ((mode & RTLD_NOLOAD) == 0) {
      if (void* handle = (*next_dlopen)(file, mode)) note(handle, file);
    }
  }
  return (*next_dlopen)(file, mode);
}

// The device is one per process, so every namespace has that of the first.
extern "C" __attribute__((visibility("default"))) void* dlmopen(Lmid_t space, const char* file, int mode) {
  if (file != nullptr && is_verbs_library(file)) {
    Dl_info device;
    if (stands_for_libraries(&device)) return (*next_dlopen)(device.dli_fname, mode);
  }
  return (*next_dlmopen)(space, file, mode);
}

// The device's functions have no version: each stands for all of its versions.
extern "C" __attribute__((visibility("default"))) void* dlvsym(void* handle, const char* name,
                                                               const char* version) {
  if (handle != RTLD_NEXT && is_verbs_version(version)) {
    Dl_info device;
    if (stands_for_libraries(&device)) return dlsym(handle, name);
  }
  return (*next_dlvsym)(handle, name, version);
}
