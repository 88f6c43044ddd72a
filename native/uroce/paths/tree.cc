// The files, created once for all processes of an `exec`.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "uroce/ext/uroce.h"
#include "uroce/paths/redirect.h"

// System calls, not libc's functions: ours would ask for the tree that is being created.
namespace uroce::paths {
namespace {

char g_tree[PATH_MAX];  // empty: no private folder
bool g_ready = false;
pthread_once_t g_placed = PTHREAD_ONCE_INIT;
pthread_once_t g_made = PTHREAD_ONCE_INIT;
// While this thread creates the tree, its own calls see the machine as it is.
thread_local bool t_making __attribute__((tls_model("initial-exec"))) = false;

struct Making {
  const char* root;
  bool failed = false;
};

bool make_parents(char* path, size_t from) {
  for (char* p = path + from + 1; (p = strchr(p, '/')) != nullptr; ++p) {
    *p = '\0';
    const bool made = syscall(SYS_mkdirat, AT_FDCWD, path, 0755) == 0 || errno == EEXIST;
    *p = '/';
    if (!made) return false;
  }
  return true;
}

bool make(const char* root, uroce_file_kind kind, const char* path, const char* content) {
  char at[PATH_MAX];
  if (snprintf(at, sizeof at, "%s%s", root, path) >= static_cast<int>(sizeof at)) return false;
  if (!make_parents(at, strlen(root))) return false;
  if (kind != UROCE_FILE_TEXT) {
    // Only root may create a device file. A link to one that does nothing has the right type and
    // permissions.
    const char* target = kind == UROCE_FILE_LINK ? content : "/dev/null";
    return symlink(target, at) == 0 || errno == EEXIST;
  }
  const auto fd =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, at, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444));
  if (fd < 0) return errno == EEXIST;
  const size_t length = strlen(content);
  const bool written = write(fd, content, length) == static_cast<ssize_t>(length);
  close(fd);
  return written;
}

void take(void* arg, uroce_file_kind kind, const char* path, const char* content) {
  auto* making = static_cast<Making*>(arg);
  if (!making->failed) making->failed = !make(making->root, kind, path, content);
}

bool exists(const char* path) { return syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0; }

void place() {
  const char* folder = getenv("UROCE_PATHS");
  if (folder == nullptr || folder[0] != '/') return;
  if (snprintf(g_tree, sizeof g_tree, "%s/tree", folder) >= static_cast<int>(sizeof g_tree)) g_tree[0] = '\0';
}

void begin() {
  if (tree_place() == nullptr) return;
  if (exists(g_tree)) {
    g_ready = true;
    return;
  }
  const auto list = reinterpret_cast<decltype(&uroce_list_files)>(dlsym(RTLD_DEFAULT, "uroce_list_files"));
  if (list == nullptr) return;
  // The tree is complete under a name of this process before others see it. A process that loses the race
  // leaves its own copy behind, and `exec` removes the folder with all its contents.
  char own[PATH_MAX];
  if (snprintf(own, sizeof own, "%s.%d", g_tree, getpid()) >= static_cast<int>(sizeof own)) return;
  if (syscall(SYS_mkdirat, AT_FDCWD, own, 0755) != 0) return;
  Making making{own};
  g_ready = list(take, &making) == 0 && !making.failed && (rename(own, g_tree) == 0 || exists(g_tree));
}

}  // namespace

const char* tree_place() {
  pthread_once(&g_placed, place);
  return g_tree[0] == '\0' ? nullptr : g_tree;
}

const char* tree() {
  if (t_making) return nullptr;
  const int error = errno;
  t_making = true;
  pthread_once(&g_made, begin);
  t_making = false;
  errno = error;
  return g_ready ? g_tree : nullptr;
}

}  // namespace uroce::paths
