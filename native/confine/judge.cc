#include "confine/judge.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "confine/calls.h"
#include "confine/landlock.h"

namespace vlconfine {
namespace {

// cachestat of Linux 6.5.
constexpr int kNewest = 451;
constexpr uint16_t kRocePort = 4791;
// The device makes one for each process that it reaches through shared memory. The limit of a file holds for each.
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

// Where the kernel shows itself: programs look there for what they can do without. Landlock decides.
bool is_of_kernel(const std::string& path) {
  return below(path, "/proc") || below(path, "/sys") || below(path, "/dev");
}

// The device's folders for its key: it tries several. See uroce/net/share/user_key.cc.
bool is_key_folder(const std::string& path) {
  const std::string user = std::to_string(geteuid());
  return path == "/run/user/" + user || path.ends_with("/uroce-" + user) || path.ends_with("/.uroce-" + user);
}

// Its name ends with the number of the process's network.
bool is_key(const std::string& path, uint64_t network) {
  const size_t slash = path.rfind('/');
  return slash != std::string::npos && is_key_folder(path.substr(0, slash)) &&
         path.substr(slash + 1) == "uroce-key." + std::to_string(network);
}

std::string family_of(int family) {
  switch (family) {
    case AF_UNIX:
      return "AF_UNIX";
    case AF_INET:
      return "AF_INET";
    case AF_INET6:
      return "AF_INET6";
    case AF_NETLINK:
      return "AF_NETLINK";
    case AF_PACKET:
      return "AF_PACKET";
    case AF_VSOCK:
      return "AF_VSOCK";
    default:
      return std::to_string(family);
  }
}

std::string type_of(int type) {
  switch (type & 0xf) {
    case SOCK_STREAM:
      return "SOCK_STREAM";
    case SOCK_DGRAM:
      return "SOCK_DGRAM";
    case SOCK_RAW:
      return "SOCK_RAW";
    case SOCK_SEQPACKET:
      return "SOCK_SEQPACKET";
    default:
      return std::to_string(type & 0xf);
  }
}

std::string text_of(const Address& a) {
  char text[INET6_ADDRSTRLEN] = "";
  if (a.any.sa_family == AF_INET) {
    inet_ntop(AF_INET, &a.v4.sin_addr, text, sizeof text);
    return std::string(text) + ":" + std::to_string(ntohs(a.v4.sin_port));
  }
  if (a.any.sa_family == AF_INET6) {
    inet_ntop(AF_INET6, &a.v6.sin6_addr, text, sizeof text);
    return "[" + std::string(text) + "]:" + std::to_string(ntohs(a.v6.sin6_port));
  }
  return family_of(a.any.sa_family);
}

bool is_loopback(const Address& a) {
  if (a.any.sa_family == AF_INET) return ntohl(a.v4.sin_addr.s_addr) >> 24 == 127;
  if (a.any.sa_family != AF_INET6) return false;
  const in6_addr& v6 = a.v6.sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
}

uint16_t port_of(const Address& a) {
  return ntohs(a.any.sa_family == AF_INET ? a.v4.sin_port : a.v6.sin6_port);
}

int family_of_socket(int fd) {
  int family = AF_UNSPEC;
  socklen_t size = sizeof family;
  return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 ? family : AF_UNSPEC;
}

// Whether a process of this network has the device open: each listens under names that begin so. See
// uroce/net/share/share_message.h.
bool device_in_use() {
  std::ifstream file("/proc/net/unix");
  for (std::string line; std::getline(file, line);)
    if (line.find(" @uroce") != std::string::npos) return true;
  return false;
}

std::string hexadecimal(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

// What is on no list. Programs that know a call newer than this launcher may do without it.
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

Verdict stop(const char* what, const std::string& call, const std::string& path = "") {
  return Verdict{what, call, path, 0};
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
  // Its own filter lets pass what a compiler needs of all these.
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
    case SYS_socket: {
      // The C library and the system's verbs library try these by themselves and do without.
      if (number(0) == AF_UNIX || number(0) == AF_NETLINK) return Refuse{EACCES};
      const std::string what = "socket(" + family_of(number(0)) + ", " + type_of(number(1)) + ")";
      return stop("socket", what);
    }
    case SYS_socketpair:
      return Refuse{EACCES};
    case SYS_memfd_create:
      // What is written to them, but not mapped, counts nowhere.
      if (++memory_files_ <= kMemoryFiles) return Pass{};
      return Verdict{"memory-files", "memfd_create", "", kMemoryFiles};
    case SYS_mmap: {
      // Stays without being resident: the process may forget its pages and keep what is in them.
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

// The launcher itself makes the first call, to become the program.
Ruling Judge::process(const seccomp_data& call) {
  if (!started_ && call.nr == SYS_execve) {
    started_ = true;
    return Pass{};
  }
  const auto path = target_.text(call.nr == SYS_execve ? call.args[0] : call.args[1]);
  return stop("fork", "execve(" + path.value_or("") + ")");
}

// The launcher connects with its own copy of the name and of the socket, which no other thread of the program can
// change meanwhile. The connection is of the socket's network all the same.
Ruling Judge::connect_to(const seccomp_data& call) const {
  Address to{};
  const auto length = static_cast<socklen_t>(call.args[2]);
  if (length < sizeof to.any.sa_family || length > sizeof to.room) return Refuse{EINVAL};
  if (!target_.read(call.args[1], &to, length)) return Refuse{EFAULT};
  if (std::optional<Verdict> refused = refuse_peer(to, length)) return *refused;
  const int fd = target_.descriptor(static_cast<int>(call.args[0]));
  if (fd < 0) return Refuse{EBADF};
  return Connect{fd, to, length};
}

// The launcher binds with its own copy, too. Ports that other programs of this user share are not the program's. A name
// in the file system would be the launcher's to make, and no program needs one.
Ruling Judge::bind_to(const seccomp_data& call) const {
  Address to{};
  const auto length = static_cast<socklen_t>(call.args[2]);
  if (length < sizeof to.any.sa_family || length > sizeof to.room) return Refuse{EINVAL};
  if (!target_.read(call.args[1], &to, length)) return Refuse{EFAULT};
  if (to.any.sa_family == AF_UNIX) {
    const auto size = length - offsetof(sockaddr_un, sun_path);
    if (size > 0 && !reachable(to.local, size)) return Refuse{EACCES};
  }
  const int fd = target_.descriptor(static_cast<int>(call.args[0]));
  if (fd < 0) return Refuse{EBADF};
  const int family = family_of_socket(fd);
  const bool internet = family == AF_INET || family == AF_INET6;
  if (internet && to.any.sa_family == AF_UNSPEC) to.any.sa_family = static_cast<sa_family_t>(family);
  if (internet && port_of(to) != 0 && port_of(to) != kRocePort) {
    close(fd);
    return stop("socket", "bind(" + text_of(to) + ")");
  }
  const int error = bind(fd, &to.any, length) == 0 ? 0 : errno;
  close(fd);
  return error == 0 ? Ruling{Done{}} : Ruling{Refuse{error}};
}

// Outside the file system, and of no other program: in the network of the host those of the device.
bool Judge::reachable(const sockaddr_un& name, size_t size) const {
  return size > 0 && name.sun_path[0] == '\0' &&
         (network_ || (size > 6 && std::memcmp(name.sun_path + 1, "uroce", 5) == 0));
}

std::optional<Verdict> Judge::refuse_peer(const Address& to, socklen_t length) const {
  switch (to.any.sa_family) {
    case AF_UNSPEC:
    case AF_NETLINK:
      return std::nullopt;
    case AF_INET:
    case AF_INET6:
      if (is_loopback(to)) return std::nullopt;
      return Verdict{"socket", "connect(" + text_of(to) + ")", "", 0};
    case AF_UNIX: {
      const auto size = length - offsetof(sockaddr_un, sun_path);
      if (reachable(to.local, size)) return std::nullopt;
      const bool abstract = size > 0 && to.local.sun_path[0] == '\0';
      const std::string path =
          abstract ? "" : std::string(to.local.sun_path, strnlen(to.local.sun_path, size));
      if (!path.empty() && path == options_.feed) return std::nullopt;
      return Verdict{"socket", "connect(" + path + ")", path, 0};
    }
    default:
      return Verdict{"socket", "connect(" + text_of(to) + ")", "", 0};
  }
}

// Of the device: packets to its port, and a probe that it sends to itself.
Ruling Judge::datagram(const seccomp_data& call, const char* name, uint64_t address, uint64_t length) const {
  Address to{};
  if (address == 0 || length < sizeof to.any.sa_family) return Pass{};
  if (length > sizeof to.room || !target_.read(address, &to, length)) return Pass{};
  if (to.any.sa_family == AF_UNSPEC) {
    // For an IPv4 socket that means its own family. An IPv6 socket then sends to its peer.
    const int fd = target_.descriptor(static_cast<int>(call.args[0]));
    if (fd < 0) return Refuse{EBADF};
    to.any.sa_family = static_cast<sa_family_t>(family_of_socket(fd) == AF_INET ? AF_INET : AF_UNSPEC);
    close(fd);
  }
  if (to.any.sa_family == AF_NETLINK || to.any.sa_family == AF_UNSPEC) return Pass{};
  if (is_loopback(to)) {
    if (port_of(to) == kRocePort) return Pass{};
    const int fd = target_.descriptor(static_cast<int>(call.args[0]));
    Address own{};
    socklen_t size = sizeof own;
    const bool known = fd >= 0 && getsockname(fd, &own.any, &size) == 0;
    if (fd >= 0) close(fd);
    if (known && own.any.sa_family == to.any.sa_family && port_of(own) == port_of(to)) return Pass{};
  }
  return stop("socket", std::string(name) + "(" + text_of(to) + ")");
}

Ruling Judge::message(const seccomp_data& call, const char* name) const {
  const bool many = call.nr == SYS_sendmmsg;
  const uint64_t count = many ? std::min<uint64_t>(call.args[2] & 0xffff'ffff, 1024) : 1;
  for (uint64_t i = 0; i < count; ++i) {
    msghdr head{};
    if (!target_.read(call.args[1] + i * sizeof(mmsghdr), &head, sizeof head)) return Pass{};
    Ruling one = datagram(call, name, reinterpret_cast<uint64_t>(head.msg_name), head.msg_namelen);
    if (!std::holds_alternative<Pass>(one)) return one;
  }
  return Pass{};
}

// A key of its own, so that the device of the program knows no other's names. Without a network of its own it would
// still share UDP ports with this user's other programs on the device. So there may be none, and others wait at their
// key until this program has ended: joining begins with its lock.
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
  // Of itself a program reads no other file but one that it asks for.
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
