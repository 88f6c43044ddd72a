#include "confine/target.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "confine/confine.h"

namespace vlconfine {
namespace {

std::string real(const std::string& path) {
  const std::unique_ptr<char, decltype(&free)> found(realpath(path.c_str(), nullptr), &free);
  return found ? found.get() : "";
}

std::string link_of(const std::string& path) {
  char text[PATH_MAX];
  const ssize_t length = readlink(path.c_str(), text, sizeof text);
  return length < 0 ? "" : std::string(text, static_cast<size_t>(length));
}

bool read_from(pid_t pid) {
  // At the same address as here: the child is a copy.
  static const int there = 1;
  int here = 0;
  const iovec local{&here, sizeof here};
  const iovec remote{const_cast<int*>(&there), sizeof there};
  return process_vm_readv(pid, &local, 1, &remote, 1, 0) == sizeof here;
}

bool take_from(pid_t pid, int descriptor) {
  const int pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (pidfd < 0) return false;
  const int copy = static_cast<int>(syscall(SYS_pidfd_getfd, pidfd, descriptor, 0));
  close(pidfd);
  if (copy >= 0) close(copy);
  return copy >= 0;
}

}  // namespace

bool Target::read(uint64_t address, void* out, size_t bytes) const {
  const iovec local{out, bytes};
  const iovec remote{reinterpret_cast<void*>(address), bytes};
  return process_vm_readv(pid_, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

std::optional<std::string> Target::text(uint64_t address) const {
  std::string found;
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  while (found.size() < PATH_MAX) {
    char piece[256];
    // Never across a page: the next one may not be there.
    const size_t bytes = std::min<uint64_t>(sizeof piece, page - address % page);
    if (!read(address, piece, bytes)) return std::nullopt;
    const void* null = std::memchr(piece, 0, bytes);
    const char* end = null != nullptr ? static_cast<const char*>(null) : piece + bytes;
    found.append(piece, static_cast<size_t>(end - piece));
    if (end != piece + bytes) return found;
    address += bytes;
  }
  return std::nullopt;
}

int Target::descriptor(int fd) const { return static_cast<int>(syscall(SYS_pidfd_getfd, pidfd_, fd, 0)); }

uint64_t Target::network() const {
  struct stat found{};
  return stat(("/proc/" + std::to_string(pid_) + "/ns/net").c_str(), &found) == 0 ? found.st_ino : 0;
}

std::string Target::resolve(int folder, const std::string& path, bool last) const {
  const std::string own = "/proc/" + std::to_string(pid_);
  std::string whole = path;
  if (!path.starts_with('/')) {
    const std::string base =
        link_of(folder == AT_FDCWD ? own + "/cwd" : own + "/fd/" + std::to_string(folder));
    if (!base.starts_with('/')) return "";
    whole = base + "/" + path;
  }
  // Here these name this process.
  for (const std::string self : {"/proc/self", "/proc/thread-self"})
    if (whole == self || whole.starts_with(self + "/")) whole = own + whole.substr(self.size());
  while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
  if (last)
    if (const std::string found = real(whole); !found.empty()) return found;
  const size_t slash = whole.rfind('/');
  const std::string parent = real(slash == 0 ? "/" : whole.substr(0, slash));
  const std::string name = whole.substr(slash + 1);
  if (parent.empty()) return "";
  if (name == "." || name == "..") return real(whole);
  // A link to what does not exist yet: opening it would create that.
  if (last)
    if (const std::string to = link_of(whole); !to.empty())
      return resolve(folder, to.starts_with('/') ? to : parent + "/" + to, false);
  return parent == "/" ? "/" + name : parent + "/" + name;
}

bool can_inspect() {
  const bool isolated = can_isolate_network();
  int told[2];
  if (pipe(told) != 0) return false;
  const pid_t pid = fork();
  if (pid == 0) {
    if (isolated) isolate_network();
    char byte = 0;
    if (write(told[1], &byte, 1) == 1) pause();
    _exit(1);
  }
  char byte = 0;
  const bool able = pid > 0 && read(told[0], &byte, 1) == 1 && read_from(pid) && take_from(pid, told[1]);
  close(told[0]);
  close(told[1]);
  if (pid > 0) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  return able;
}

}  // namespace vlconfine
