#include "confine/judge.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "confine/confine.h"

namespace vlconfine {
namespace {

// cachestat of Linux 6.5.
constexpr int kNewest = 451;
// The device makes a file for each process that it reaches through shared memory. The limit of a file holds
// for each.
constexpr unsigned kMemoryFiles = 64;

bool below(const std::string& path, const std::string& folder) {
  return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

std::string real_or_same(const std::string& path) {
  char* found = realpath(path.c_str(), nullptr);
  const std::string out = found != nullptr ? found : path;
  free(found);
  return out;
}

bool exists(const std::string& path) {
  struct stat found{};
  return lstat(path.c_str(), &found) == 0;
}

// Folders of the kernel: programs look there for optional information. Landlock decides.
bool is_of_kernel(const std::string& path) {
  return below(path, "/proc") || below(path, "/sys") || below(path, "/dev");
}

// The device's folders for its key: it tries several. See uroce/net/share/user_key.cc.
bool is_key_folder(const std::string& path) {
  const std::string user = std::to_string(geteuid());
  return path == "/run/user/" + user || path.ends_with("/uroce-" + user) || path.ends_with("/.uroce-" + user);
}

// True for a key file of the device. Its name ends with the number of the process's network.
bool is_key(const std::string& path, uint64_t network) {
  const size_t slash = path.rfind('/');
  return slash != std::string::npos && is_key_folder(path.substr(0, slash)) &&
         path.substr(slash + 1) == "uroce-key." + std::to_string(network);
}

// True if the process that listens at this abstract name is of this user. If it is too busy to say, it may be.
bool is_ours(const std::string& name, int type) {
  sockaddr_un address{};
  if (name.size() >= sizeof address.sun_path) return false;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return true;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  bool ours;
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), length) != 0) {
    ours = errno != ECONNREFUSED;
  } else {
    ucred peer{};
    socklen_t size = sizeof peer;
    ours = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid == geteuid();
  }
  close(fd);
  return ours;
}

// True if a process of this user has the device open in this network: each listens at names with this prefix.
// See uroce/net/share/share_message.h. Devices of other users share neither ports nor keys with it.
bool device_in_use() {
  constexpr unsigned kListens = 0x10000;
  std::ifstream file("/proc/net/unix");
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string skipped;
    std::string name;
    unsigned flags = 0;
    int type = 0;
    fields >> skipped >> skipped >> skipped >> std::hex >> flags >> type >> skipped >> skipped >> name;
    if (fields && (flags & kListens) != 0 && name.starts_with("@uroce.") && is_ours(name.substr(1), type))
      return true;
  }
  return false;
}

std::string hexadecimal(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

// Outcome of a call on no list. Programs that know a call newer than this launcher may do without it.
Tried unlisted(const seccomp_data& call) {
  const std::string name = name_of_call(call.nr);
  switch (call.nr) {
    case SYS_ioctl:
    case SYS_fcntl:
      return {name + "(" + hexadecimal(call.args[1] & 0xffff'ffff) + ")", EPERM};
    case SYS_prctl:
      return {name + "(" + hexadecimal(call.args[0] & 0xffff'ffff) + ")", EPERM};
    default:
      return {name, call.nr > kNewest ? ENOSYS : EPERM};
  }
}

}  // namespace

Judge::Judge(const Options& options, const Target& target, bool network)
    : options_(options), target_(target), network_(network), folder_(real_or_same(options.folder)) {
  for (const auto& path : system_paths()) readable_.push_back(real_or_same(path));
  for (const auto& path : options.read) readable_.push_back(real_or_same(path));
}

bool Judge::writable(const std::string& path) const { return below(path, folder_) || path == "/dev/null"; }

bool Judge::readable(const std::string& path) const {
  if (writable(path)) return true;
  for (const auto& one : readable_)
    if (below(path, one)) return true;
  return false;
}

Ruling Judge::rule(const seccomp_data& call) {
  // The compiler's filter already passes all calls that a compiler needs.
  if (options_.compiler) return unlisted(call);
  const auto* a = call.args;
  const auto number = [&](unsigned index) { return static_cast<int>(a[index]); };
  switch (call.nr) {
    case SYS_clone:
      return stop("fork", "clone");
#if defined(__x86_64__)
    case SYS_fork:
      return stop("fork", "fork");
    case SYS_vfork:
      return stop("fork", "vfork");
    case SYS_open:
      return open_file("open", AT_FDCWD, a[0], a[1]);
    case SYS_creat:
      return open_file("creat", AT_FDCWD, a[0], O_CREAT | O_WRONLY | O_TRUNC);
    case SYS_unlink:
      return change("unlink", AT_FDCWD, a[0]);
    case SYS_rmdir:
      return change("rmdir", AT_FDCWD, a[0]);
    case SYS_mkdir:
      return change("mkdir", AT_FDCWD, a[0]);
    case SYS_symlink:
      return change("symlink", AT_FDCWD, a[1]);
    case SYS_rename:
    case SYS_link: {
      const char* name = call.nr == SYS_rename ? "rename" : "link";
      Ruling first = change(name, AT_FDCWD, a[0]);
      return std::holds_alternative<Pass>(first) ? change(name, AT_FDCWD, a[1]) : first;
    }
#endif
    case SYS_execve:
    case SYS_execveat:
      return process(call);
    case SYS_socket:
      return make_socket(number(0), number(1));
    case SYS_socketpair:
      return Refuse{EACCES};
    case SYS_memfd_create:
      // Pages that are written to these files, but not mapped, are counted nowhere.
      if (++memory_files_ <= kMemoryFiles) return Pass{};
      return Verdict{"memory-files", "memfd_create", "", kMemoryFiles};
    case SYS_mmap: {
      // Shared memory remains without being resident: the process may forget its pages and keep their
      // contents.
      constexpr uint64_t kMost = uint64_t{1} << 47;
      shared_bytes_ += std::min<uint64_t>(a[1], kMost);
      if (shared_bytes_ <= options_.memory_bytes) return Pass{};
      return Verdict{"memory", "", "", options_.memory_bytes >> 20};
    }
    case SYS_connect:
      return connect_to(call);
    case SYS_sendto:
      return datagram(call, "sendto", a[4], a[5]);
    case SYS_sendmsg:
    case SYS_sendmmsg:
      return message(call, call.nr == SYS_sendmsg ? "sendmsg" : "sendmmsg");
    case SYS_openat:
      return open_file("openat", number(0), a[1], a[2]);
    case SYS_unlinkat:
      return change("unlinkat", number(0), a[1]);
    case SYS_mkdirat:
      return change("mkdirat", number(0), a[1]);
    case SYS_symlinkat:
      return change("symlinkat", number(1), a[2]);
#ifdef SYS_renameat
    case SYS_renameat:
#endif
    case SYS_renameat2:
    case SYS_linkat: {
      const char* name = call.nr == SYS_linkat ? "linkat" : "renameat";
      Ruling first = change(name, number(0), a[1]);
      return std::holds_alternative<Pass>(first) ? change(name, number(2), a[3]) : first;
    }
    case SYS_bind:
      return bind_to(call);
    default:
      return unlisted(call);
  }
}

// The launcher itself makes the first call, which starts the program.
Ruling Judge::process(const seccomp_data& call) {
  if (!started_ && call.nr == SYS_execve) {
    started_ = true;
    return Pass{};
  }
  const auto path = target_.text(call.nr == SYS_execve ? call.args[0] : call.args[1]);
  return stop("fork", "execve(" + path.value_or("") + ")");
}

// A separate key, so that the device of the program knows no names of other processes. Without a separate
// network it would still share UDP ports with this user's other programs on the device. So there may be
// none, and others wait at their key until this program has ended: joining begins with its lock.
Ruling Judge::key(const std::string& file) {
  if (!network_ && locked_key_ < 0) {
    const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) return Refuse{errno};
    struct flock whole{};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    const bool locked = fcntl(fd, F_SETLK, &whole) == 0;
    if (!locked || device_in_use()) {
      close(fd);
      return stop("device", "open", file);
    }
    locked_key_ = fd;
  }
  const std::string own = options_.keys + file.substr(file.rfind('/'));
  const int fd = open(own.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  return fd < 0 ? Ruling{Refuse{errno}} : Ruling{Open{fd}};
}

Ruling Judge::open_file(const char* name, int folder, uint64_t path, uint64_t flags) {
  const auto asked = target_.text(path);
  if (!asked || asked->empty()) return Pass{};
  const std::string file = target_.resolve(folder, *asked, (flags & O_NOFOLLOW) == 0);
  if (file.empty()) return Pass{};
  if (is_key(file, target_.network()) && !writable(file)) return key(file);
  const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0 ||
                      (flags & O_TMPFILE) == O_TMPFILE;
  if (writes ? writable(file) : readable(file)) return Pass{};
  // Passes opens of the kernel's files, of missing files and with O_PATH: programs try these on their own,
  // and Landlock decides.
  if (is_of_kernel(file) || (!exists(file) && (flags & O_CREAT) == 0) || (flags & O_PATH) != 0) return Pass{};
  return stop("path", name, file);
}

Ruling Judge::change(const char* name, int folder, uint64_t path) const {
  const auto asked = target_.text(path);
  if (!asked || asked->empty()) return Pass{};
  const std::string file = target_.resolve(folder, *asked, false);
  if (file.empty() || writable(file) || is_key_folder(file) || is_of_kernel(file)) return Pass{};
  return stop("path", name, file);
}

}  // namespace vlconfine
