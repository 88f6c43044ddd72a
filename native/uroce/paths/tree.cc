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

// System calls, not libc's functions: this library's replacements would ask for the tree that is being
// created.
namespace uroce::paths {
namespace {

char g_tree[PATH_MAX];  // empty: no private folder
bool g_ready = false;
pthread_once_t g_placed = PTHREAD_ONCE_INIT;
pthread_once_t g_made = PTHREAD_ONCE_INIT;
// While this thread creates the tree, its own calls see the machine as it is.
thread_local bool t_making __attribute__((tls_model("initial-exec"))) = false;

// A file in the root of the tree; each file that cannot be read is a link to it.
constexpr char kUnanswered[] = "/unanswered";

struct Making {
  const char* root;
  bool failed = false;
  // The last text file: the next one with the same content becomes a link to it. Most entries of a GID
  // table are equal.
  char path[PATH_MAX] = "";
  char content[64] = "";
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

bool write_file(const char* at, const char* content) {
  const auto fd =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, at, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444));
  if (fd < 0) return errno == EEXIST;
  const size_t length = strlen(content);
  const bool written = write(fd, content, length) == static_cast<ssize_t>(length);
  close(fd);
  return written;
}

bool link_file(const char* from, const char* at) {
  return syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, at, 0) == 0;
}

bool make(Making* making, uroce_file_kind kind, const char* path, const char* content) {
  char at[PATH_MAX];
  const char* root = making->root;
  if (snprintf(at, sizeof at, "%s%s", root, path) >= static_cast<int>(sizeof at)) return false;
  const bool text = kind == UROCE_FILE_TEXT;
  if (text && making->path[0] != '\0' && strcmp(content, making->content) == 0 && link_file(making->path, at))
    return true;
  if (!make_parents(at, strlen(root))) return false;
  if (kind != UROCE_FILE_TEXT) {
    // Only root may create a device file. A link to one that does nothing has the right type and
    // permissions.
    const char* target = kind == UROCE_FILE_LINK ? content : "/dev/null";
    return symlink(target, at) == 0 || errno == EEXIST;
  }
  if (content[0] == '\0') {
    char empty[PATH_MAX];
    if (snprintf(empty, sizeof empty, "%s%s", root, kUnanswered) >= static_cast<int>(sizeof empty))
      return false;
    if (!write_file(empty, "") || !link_file(empty, at)) return false;
  } else if (!write_file(at, content)) {
    return false;
  }
  if (strlen(content) < sizeof making->content) {
    strcpy(making->path, at);
    strcpy(making->content, content);
  }
  return true;
}

void make_file(void* arg, uroce_file_kind kind, const char* path, const char* content) {
  auto* making = static_cast<Making*>(arg);
  if (!making->failed) making->failed = !make(making, kind, path, content);
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
  g_ready = list(make_file, &making) == 0 && !making.failed && (rename(own, g_tree) == 0 || exists(g_tree));
}

struct stat g_unanswered;  // zero: unknown
pthread_once_t g_identified = PTHREAD_ONCE_INIT;

void identify() {
  char at[PATH_MAX];
  if (snprintf(at, sizeof at, "%s%s", g_tree, kUnanswered) >= static_cast<int>(sizeof at)) return;
  const auto fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, at, O_PATH | O_CLOEXEC));
  if (fd < 0) return;
  if (fstat(fd, &g_unanswered) != 0) g_unanswered.st_ino = 0;
  close(fd);
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

bool is_unanswered(int fd) {
  if (!g_ready) return false;
  pthread_once(&g_identified, identify);
  struct stat status;
  return g_unanswered.st_ino != 0 && fstat(fd, &status) == 0 && status.st_ino == g_unanswered.st_ino &&
         status.st_dev == g_unanswered.st_dev;
}

}  // namespace uroce::paths
