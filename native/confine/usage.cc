#include "confine/usage.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "uroce/process_stat.h"

namespace vlconfine {
namespace {

constexpr uint64_t kBlock = 4096;
constexpr int kDepth = 32;
constexpr uint64_t kTooDeep = uint64_t{1} << 40;
constexpr std::string_view kRing = "/memfd:uroce";

uint64_t size_of(const struct stat& file) {
  return std::max<uint64_t>(kBlock, static_cast<uint64_t>(file.st_blocks) * 512);
}

uint64_t below(int parent, const char* name, int depth) {
  const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return 0;
  if (depth == 0) {
    close(fd);
    return kTooDeep;
  }
  DIR* all = fdopendir(fd);
  uint64_t sum = 0;
  while (const dirent* entry = readdir(all)) {
    if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
    struct stat file{};
    if (fstatat(fd, entry->d_name, &file, AT_SYMLINK_NOFOLLOW) != 0) continue;
    sum += size_of(file);
    if (S_ISDIR(file.st_mode)) sum += below(fd, entry->d_name, depth - 1);
  }
  closedir(all);
  return sum;
}

// Open files without a name: the device's rings, or others.
uint64_t unnamed(pid_t pid, bool rings) {
  const std::string folder = "/proc/" + std::to_string(pid) + "/fd";
  DIR* all = opendir(folder.c_str());
  if (all == nullptr) return 0;
  uint64_t sum = 0;
  while (const dirent* entry = readdir(all)) {
    char to[PATH_MAX];
    const std::string path = folder + "/" + entry->d_name;
    const ssize_t length = readlink(path.c_str(), to, sizeof to);
    struct stat file{};
    if (length < 0 || std::string_view(to, static_cast<size_t>(length)).starts_with(kRing) != rings) continue;
    if (stat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode) && file.st_nlink == 0) sum += size_of(file);
  }
  closedir(all);
  return sum;
}

// Files of the folder that have no name any more and are mapped: how many.
uint64_t mapped_unnamed(pid_t pid, const std::string& folder) {
  constexpr std::string_view kDeleted = " (deleted)";
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  std::set<std::string> files;  // device and inode
  for (std::string line; std::getline(maps, line);) {
    // proc(5): addresses, permissions, offset, device, inode, and the path from the first slash on.
    const size_t path = line.find('/');
    if (path == std::string::npos || !line.ends_with(kDeleted) ||
        line.compare(path, folder.size() + 1, folder + "/") != 0)
      continue;
    std::istringstream fields(line);
    std::string skipped, device, inode;
    fields >> skipped >> skipped >> skipped >> device >> inode;
    files.insert(device + " " + inode);
  }
  return files.size();
}

std::optional<uroce::ProcessStat> stat_of(pid_t pid) {
  return uroce::read_process_stat("/proc/" + std::to_string(pid));
}

// Sum over the lines of a file in /proc that begin with one of the names.
uint64_t sum_of_lines(const std::string& path, std::initializer_list<std::string_view> names) {
  std::ifstream in(path);
  uint64_t sum = 0;
  for (std::string line; std::getline(in, line);)
    for (const std::string_view name : names)
      if (line.starts_with(name)) sum += std::strtoull(line.c_str() + name.size(), nullptr, 10);
  return sum;
}

}  // namespace

std::vector<pid_t> session_of(pid_t pid) {
  std::vector<pid_t> found;
  DIR* all = opendir("/proc");
  if (all == nullptr) return {pid};
  while (const dirent* entry = readdir(all)) {
    const pid_t one = std::atoi(entry->d_name);
    if (one <= 0) continue;
    const auto stat = stat_of(one);
    if (stat && stat->session == pid) found.push_back(one);
  }
  closedir(all);
  return found;
}

Usage usage_of(const std::vector<pid_t>& pids) {
  Usage usage;
  for (const pid_t pid : pids) {
    const auto s = stat_of(pid);
    if (!s) continue;
    const auto ticks =
        s->user + s->system + static_cast<unsigned long>(s->user_of_ended + s->system_of_ended);
    usage.cpu_seconds += static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
    usage.threads += static_cast<unsigned>(s->threads);
    // Memory that is only read has page tables, though nothing of it is resident.
    usage.memory_bytes +=
        static_cast<uint64_t>(s->pages) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) +
        sum_of_lines("/proc/" + std::to_string(pid) + "/status", {"VmPTE:", "VmSwap:"}) * 1024;
  }
  return usage;
}

uint64_t files_of(const std::vector<pid_t>& pids, const std::string& folder, uint64_t largest) {
  uint64_t sum = below(AT_FDCWD, folder.c_str(), kDepth);
  for (const pid_t pid : pids) sum += unnamed(pid, false) + mapped_unnamed(pid, folder) * largest;
  return sum;
}

uint64_t descriptors_in_sockets(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid) + "/fdinfo";
  DIR* all = opendir(folder.c_str());
  if (all == nullptr) return 0;
  uint64_t sum = 0;
  while (const dirent* entry = readdir(all)) sum += sum_of_lines(folder + "/" + entry->d_name, {"scm_fds:"});
  closedir(all);
  return sum;
}

uint64_t rings_of(pid_t pid) { return unnamed(pid, true); }

}  // namespace vlconfine
