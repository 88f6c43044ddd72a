/*
 * File calls of C programs, each on the device's files. Prints a line per wrong answer, and then the number
 * of them. No answer of a call may name a place other than the one that the program asked for.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#define CLASS "/sys/class/infiniband"
#define DEVICE CLASS "/uroce0"
#define PORT DEVICE "/ports/1"

static int tried, wrong;

static void check(const char* what, int right) {
  ++tried;
  if (right) return;
  ++wrong;
  printf("wrong: %s (%s)\n", what, strerror(errno));
}

static int seen, seen_device, strange;

static void met(const char* path) {
  if (strcmp(path, DEVICE) == 0) ++seen;
  if (strncmp(path, "/sys/", 5) != 0 && strncmp(path, "/dev/", 5) != 0) ++strange;
}

static int on_ftw(const char* path, const struct stat* status, int type) {
  (void)status, (void)type;
  met(path);
  return 0;
}

static int on_nftw(const char* path, const struct stat* status, int type, struct FTW* where) {
  met(path);
  if (strcmp(path, DEVICE) == 0 && strcmp(path + where->base, "uroce0") != 0) ++strange;
  if (strcmp(path, "/dev/infiniband/uverbs0") == 0 && type == FTW_F && S_ISCHR(status->st_mode))
    ++seen_device;
  return 0;
}

static int on_outer(const char* path, const struct stat* status, int type, struct FTW* where) {
  (void)status, (void)type, (void)where;
  if (strcmp(path, "/dev/infiniband") == 0) return nftw(CLASS, on_nftw, 4, FTW_PHYS);
  met(path);
  return 0;
}

static void begin(void) { seen = seen_device = strange = errno = 0; }

static void walks(void) {
  begin();
  check("ftw", ftw(CLASS, on_ftw, 4) == 0 && seen == 1 && !strange);
  begin();
  check("nftw", nftw(CLASS, on_nftw, 4, 0) == 0 && seen == 1 && !strange);
  begin();
  check("nftw of a device file",
        nftw("/dev/infiniband", on_nftw, 4, FTW_PHYS) == 0 && seen_device == 1 && !strange);
  begin();
  check("nftw in nftw", nftw("/dev/infiniband", on_outer, 4, FTW_PHYS) == 0 && seen == 1 && !strange);
  begin();
  check("nftw64", nftw64("/sys//class/infiniband", (__nftw64_func_t)on_nftw, 4, FTW_CHDIR) == 0 && !strange);
  for (int options = FTS_LOGICAL; options != 0;
       options = options == FTS_LOGICAL ? FTS_PHYSICAL | FTS_NOCHDIR : 0) {
    char* paths[] = {(char*)"/sys/devices/virtual/infiniband", (char*)"/etc/hostname", NULL};
    FTS* walk = fts_open(paths, options, NULL);
    int files = 0, others = 0, children = 0;
    begin();
    for (FTSENT* e; walk != NULL && (e = fts_read(walk)) != NULL;) {
      if (e->fts_info == FTS_F &&
          strcmp(e->fts_path, "/sys/devices/virtual/infiniband/uroce0/node_type") == 0)
        ++files;
      if (strcmp(e->fts_path, "/etc/hostname") == 0) ++others;
      if (strlen(e->fts_path) != e->fts_pathlen) ++strange;
      if (e->fts_info == FTS_D && strcmp(e->fts_name, "uroce0") == 0)
        for (FTSENT* c = fts_children(walk, 0); c != NULL; c = c->fts_link)
          children += strcmp(c->fts_name, "ports") == 0;
    }
    check("fts", files == 1 && others == 1 && children == 1 && !strange);
    if (walk != NULL) check("fts_close", fts_close(walk) == 0);
  }
}

static void patterns(void) {
  glob_t g = {0};
  errno = 0;
  check("glob", glob(CLASS "/*/ports/*/state", 0, NULL, &g) == 0 && g.gl_pathc == 1 &&
                    strcmp(g.gl_pathv[0], PORT "/state") == 0 && (g.gl_flags & GLOB_ALTDIRFUNC) == 0);
  check("glob, appended", glob("/dev/infiniband/uverbs[0-9]", GLOB_APPEND | GLOB_MARK, NULL, &g) == 0 &&
                              g.gl_pathc == 2 && strcmp(g.gl_pathv[1], "/dev/infiniband/uverbs0") == 0);
  globfree(&g);
  check("glob without wildcard", glob(PORT "/state", 0, NULL, &g) == 0 && g.gl_pathc == 1);
  globfree(&g);
  check("glob of braces", glob("{" DEVICE ",/nowhere}/node_*", GLOB_BRACE, NULL, &g) == 0 && g.gl_pathc == 3);
  globfree(&g);
  check("glob of nothing", glob(CLASS "/mlx*", 0, NULL, &g) == GLOB_NOMATCH);
  glob64_t g64 = {0};
  check("glob64", glob64(CLASS "/*/node_type", 0, NULL, &g64) == 0 && g64.gl_pathc == 1);
  globfree64(&g64);
  wordexp_t w = {0};
  check("wordexp", wordexp("-d " CLASS "/*/ports/[0-9] '" CLASS "/*' ~", &w, 0) == 0 && w.we_wordc == 4 &&
                       strcmp(w.we_wordv[1], PORT) == 0 && strcmp(w.we_wordv[2], CLASS "/*") == 0);
  wordfree(&w);
}

static int named(DIR* directory, const char* name) {
  int found = 0;
  if (directory == NULL) return 0;
  for (struct dirent* e; (e = readdir(directory)) != NULL;) found |= strcmp(e->d_name, name) == 0;
  closedir(directory);
  return found;
}

static int starts(const char* path, const char* with) {
  char line[64] = "";
  FILE* f = fopen(path, "r");
  if (f == NULL) return 0;
  if (fgets(line, sizeof line, f) == NULL) line[0] = '\0';
  fclose(f);
  return strncmp(line, with, strlen(with)) == 0;
}

static void resolved(void) {
  const char* device = "/dev/infiniband/uverbs0";
  for (int i = 0; i < 2; ++i) {
    char* path = i == 0 ? realpath(device, NULL) : canonicalize_file_name(device);
    /* libc's own block is for a shorter path. */
    check("realpath into libc's own block", path != NULL && strcmp(path, device) == 0);
    free(path);
  }
  char room[PATH_MAX], link[64];
  check("realpath",
        realpath(DEVICE, room) != NULL && strcmp(room, "/sys/devices/virtual/infiniband/uroce0") == 0);
  const int fd = open(DEVICE, O_RDONLY | O_DIRECTORY);
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, room, sizeof room);
  check("/proc/self/fd", n == 38 && memcmp(room, "/sys/devices/virtual/infiniband/uroce0", 38) == 0);
  memset(room, 'x', sizeof room);
  n = readlink(link, room, 9);
  check("/proc/self/fd with little room", n == 9 && memcmp(room, "/sys/devix", 9) == 0 && room[9] == 'x');
  check("realpath of /proc/self/fd",
        realpath(link, room) != NULL && strcmp(room, "/sys/devices/virtual/infiniband/uroce0") == 0);
  check("openat", faccessat(fd, "node_type", R_OK, 0) == 0);
  n = readlinkat(AT_FDCWD, DEVICE, room, sizeof room);
  check("readlinkat", n > 0 && memcmp(room, "../../devices/virtual/infiniband/uroce0", (size_t)n) == 0);
  check("a device file is no link", readlink(device, room, sizeof room) < 0 && errno == EINVAL);
  close(fd);
}

/* Deprecated, but still in libc. */
extern char* old_getwd(char*) __asm__("getwd");

static void directories(void) {
  char room[PATH_MAX];
  check("opendir", named(opendir(CLASS), "uroce0"));
  struct dirent** list;
  check("scandir", scandir(CLASS, &list, NULL, alphasort) == 3);
  check("scandirat", scandirat(AT_FDCWD, "/dev/infiniband", &list, NULL, alphasort) == 4);
  const int above = open("/sys/class", O_RDONLY | O_DIRECTORY);
  check("openat from above", openat(above, "infiniband/uroce0/node_type", O_RDONLY) >= 0);
  check("fstatat from above", faccessat(above, "./infiniband", F_OK, 0) == 0);
  check("chdir above", chdir("/sys/class") == 0 && starts("infiniband/uroce0/node_type", "1: CA"));
  check("opendir from above", named(opendir("infiniband"), "uroce0"));
  check("from beside", chdir("/sys/class/net") == 0 && named(opendir("../infiniband"), "uroce0"));
  check("chdir", chdir(CLASS "/uroce0/ports") == 0 && starts("1/state", "4: ACTIVE"));
  check("getcwd", getcwd(room, sizeof room) != NULL &&
                      strcmp(room, "/sys/devices/virtual/infiniband/uroce0/ports") == 0);
  check("getwd",
        old_getwd(room) != NULL && strcmp(room, "/sys/devices/virtual/infiniband/uroce0/ports") == 0);
  char* name = get_current_dir_name();
  check("get_current_dir_name", name != NULL && strcmp(name, room) == 0);
  free(name);
  check("chdir ..", chdir("../../..") == 0 && getcwd(room, sizeof room) != NULL &&
                        strcmp(room, "/sys/devices/virtual") == 0);
  check("which is the machine's own", access("net", F_OK) == 0);
  check("around", starts("/sys/class/net/../infiniband/uroce0/node_type", "1: CA"));
  check("around by a link",
        starts("/proc/self/root/sys/./class/../class/infiniband/uroce0/node_type", "1: CA"));
  check("realpath around", realpath("/sys/class/../class/infiniband/uroce0", room) != NULL &&
                               strcmp(room, "/sys/devices/virtual/infiniband/uroce0") == 0);
  check("around to the machine's own", access("/usr/include/../include/infiniband/verbs.h", F_OK) == 0);
  check("mkdir", mkdir("/dev/infiniband", 0755) < 0 && errno == EEXIST);
  check("mkdir of nothing", mkdirat(above, "infiniband/mlx5_0", 0755) < 0 && errno == EACCES);
  check("chdir back", chdir("infiniband") == 0 && access("uroce0/node_guid", R_OK) == 0);
}

static void files(void) {
  struct statfs fs;
  struct statvfs vfs;
  struct stat status;
  FILE* f = fopen("/dev/null", "r");
  f = f == NULL ? NULL : freopen(DEVICE "/node_type", "r", f);
  check("freopen", f != NULL && fgetc(f) == '1');
  check("statfs", statfs(DEVICE, &fs) == 0);
  check("statvfs", statvfs(DEVICE, &vfs) == 0);
  check("pathconf", pathconf(DEVICE, _PC_NAME_MAX) > 0);
  check("inotify_add_watch", inotify_add_watch(inotify_init1(IN_CLOEXEC), "/dev/infiniband", IN_CREATE) >= 0);
  check("stat of a device", lstat("/dev/infiniband/uverbs0", &status) == 0 && S_ISCHR(status.st_mode));
  check("open of a device", open("/dev/infiniband/uverbs0", O_RDWR) >= 0);
  check("open of the connection manager", open("/dev/infiniband/rdma_cm", O_RDWR) >= 0);
  check("ibdev", starts("/sys/class/infiniband_verbs/uverbs0/ibdev", "uroce0\n"));
  check("rdma_cm", starts("/sys/class/misc/rdma_cm/abi_version", "4\n"));
  check("open for writing", open(DEVICE "/node_type", O_WRONLY | O_TRUNC) < 0 && errno == EACCES);
  check("fopen for writing", fopen(DEVICE "/node_type", "w") == NULL && errno == EACCES);
  check("creat", creat(DEVICE "/node_type", 0600) < 0 && errno == EACCES);
  check("ftok", ftok("/dev/infiniband/uverbs0", 1) != -1);
  check("truncate", truncate(DEVICE "/node_type", 0) < 0 && errno == EACCES);
  check("still there", starts(DEVICE "/node_type", "1: CA\n"));
  check("last GID", starts(PORT "/gids/1023", "0000:0000:0000:0000:0000:0000:0000:0000\n"));
  check("no GID behind it", access(PORT "/gids/1024", F_OK) < 0 && errno == ENOENT);
  check("type of a GID", starts(PORT "/gid_attrs/types/0", "RoCE v2\n"));
  check("interface of a GID", starts(PORT "/gid_attrs/ndevs/1", "lo\n"));
  check("type of no GID", open(PORT "/gid_attrs/types/7", O_RDONLY) < 0 && errno == EINVAL);
  check("stat of the type of no GID",
        stat(PORT "/gid_attrs/types/7", &status) == 0 && S_ISREG(status.st_mode));
  check("by stdio", fopen(PORT "/gid_attrs/ndevs/1023", "r") == NULL && errno == EINVAL);
  check("relative", chdir(PORT "/gid_attrs/types") == 0 && open("9", O_RDONLY) < 0 && errno == EINVAL &&
                        starts("1", "RoCE v2"));

  posix_spawn_file_actions_t actions;
  char* argv[] = {(char*)"grep", (char*)"-q", (char*)"CA", NULL};
  pid_t child;
  int ended = -1;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, DEVICE "/node_type", O_RDONLY, 0);
  check("posix_spawn", posix_spawnp(&child, "grep", &actions, NULL, argv, environ) == 0 &&
                           waitpid(child, &ended, 0) == child && ended == 0);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, DEVICE);
  char* in_folder[] = {(char*)"grep", (char*)"-q", (char*)"CA", (char*)"node_type", NULL};
  check("posix_spawn in a folder", posix_spawnp(&child, "grep", &actions, NULL, in_folder, environ) == 0 &&
                                       waitpid(child, &ended, 0) == child && ended == 0);
}

/* Checks calls on a stack as small as a handler may have. */
static volatile int handled;
static void on_signal(int signal) {
  (void)signal;
  handled = access(PORT "/state", R_OK) == 0 && access("/nowhere", R_OK) != 0;
}

static void small_stack(void) {
  /* The kernel's frame, and 3 KiB for the handler, above a page that may not be touched. */
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), frame = getauxval(AT_MINSIGSTKSZ);
  const size_t size = (frame == 0 ? (size_t)MINSIGSTKSZ : frame) + 3072;
  const size_t pages = (size + page - 1) / page * page;
  char* area = mmap(NULL, page + pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  check("stack", area != MAP_FAILED && mprotect(area + page, pages, PROT_READ | PROT_WRITE) == 0);
  /* The stack's lower end is at the page. */
  const stack_t own = {.ss_sp = area + page, .ss_size = size};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  check("sigaltstack", sigaltstack(&own, NULL) == 0 && sigaction(SIGUSR1, &action, NULL) == 0);
  raise(SIGUSR1);
  check("access on a small stack", handled);
}

int main(void) {
  walks();
  patterns();
  resolved();
  directories();
  files();
  small_stack();
  printf("%d of %d ways are wrong\n", wrong, tried);
  return wrong != 0;
}
