#include "confine/usage.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace vlconfine {
namespace {

constexpr uint64_t kBlock = 4096;
// Deeper than any program of a task; beyond it nothing is counted, and the number of folders is bounded by the size.
constexpr int kDepth = 32;

uint64_t size_of(const struct stat& file) {
  return std::max<uint64_t>(kBlock, static_cast<uint64_t>(file.st_blocks) * 512);
}

uint64_t below(int parent, const char* name, int depth) {
  const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || depth == 0) {
    if (fd >= 0) close(fd);
    return 0;
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

// The device's rings are files without a name too; what of them is used is resident.
uint64_t unnamed(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid) + "/fd";
  DIR* all = opendir(folder.c_str());
  if (all == nullptr) return 0;
  uint64_t sum = 0;
  while (const dirent* entry = readdir(all)) {
    char to[PATH_MAX];
    const std::string path = folder + "/" + entry->d_name;
    const ssize_t length = readlink(path.c_str(), to, sizeof to);
    struct stat file{};
    if (length < 0 || std::string_view(to, static_cast<size_t>(length)).starts_with("/memfd:uroce")) continue;
    if (stat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode) && file.st_nlink == 0) sum += size_of(file);
  }
  closedir(all);
  return sum;
}

}  // namespace

Usage usage_of(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(in, text);
  // proc(5): the name in parentheses may hold any character; the state is the third field.
  const size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  unsigned long user = 0, system = 0;
  long threads = 0, pages = 0;
  const int read =
      std::sscanf(text.c_str() + name_end + 1,
                  " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %ld %*d %*u %*u %ld",
                  &user, &system, &threads, &pages);
  if (read != 4) return {};
  Usage usage;
  usage.cpu_seconds = static_cast<double>(user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  usage.threads = static_cast<unsigned>(threads);
  usage.resident_bytes = static_cast<uint64_t>(pages) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return usage;
}

uint64_t files_of(pid_t pid, const std::string& folder) {
  return below(AT_FDCWD, folder.c_str(), kDepth) + unnamed(pid);
}

}  // namespace vlconfine
