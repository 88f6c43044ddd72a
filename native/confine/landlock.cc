#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine/confine.h"

namespace vlconfine {
namespace {

// The headers of Debian 12 end at version 2.
constexpr uint64_t kTruncate = 1 << 14;
constexpr uint64_t kIoctlDevice = 1 << 15;
constexpr uint64_t kTcp = 3;
constexpr uint64_t kScoped = 3;

struct Ruleset {
  uint64_t files;
  uint64_t net;
  uint64_t scoped;
};

constexpr uint64_t kRead =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr uint64_t kOfFile = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                             LANDLOCK_ACCESS_FS_READ_FILE | kTruncate | kIoctlDevice;
// All rights of version 1.
constexpr uint64_t kAll = (1 << 13) - 1;
constexpr uint64_t kDevices = LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK | kIoctlDevice;

void allow(int ruleset, const std::string& path, uint64_t access) {
  const int fd = open(path.c_str(), O_PATH | O_CLOEXEC);
  // A path that this host does not have needs no rule.
  if (fd < 0) return;
  struct stat found{};
  fstat(fd, &found);
  if (!S_ISDIR(found.st_mode)) access &= kOfFile;
  const landlock_path_beneath_attr rule{access, fd};
  const long result = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  const int error = errno;
  close(fd);
  errno = error;
  if (result != 0) fail("Landlock rule for " + path);
}

}  // namespace

const std::vector<std::string>& system_paths() {
  static const std::vector<std::string> paths{
      "/usr",
      "/lib",
      "/lib32",
      "/lib64",
      "/libx32",
      "/bin",
      "/sbin",
      "/etc/ld.so.cache",
      "/etc/ld.so.preload",
      "/etc/alternatives",
      "/etc/libibverbs.d",
      "/etc/rdma",
      "/etc/ssl/openssl.cnf",
      "/etc/crypto-policies",
      "/etc/pki/tls/openssl.cnf",
      "/etc/localtime",
      "/etc/timezone",
      "/etc/locale.alias",
      "/etc/os-release",
      "/etc/nsswitch.conf",
      "/etc/host.conf",
      "/etc/gai.conf",
      "/dev/null",
      "/dev/zero",
      "/dev/full",
      "/dev/random",
      "/dev/urandom",
      "/proc/self",
      "/proc/cpuinfo",
      "/proc/meminfo",
      "/proc/stat",
      "/proc/uptime",
      "/proc/loadavg",
      "/proc/version",
      "/proc/version_signature",
      "/proc/filesystems",
      "/proc/sys/vm",
      "/proc/sys/net",
      "/proc/sys/kernel/random",
      "/sys/class/net",
      "/sys/devices",
      "/sys/class/infiniband",
      "/sys/kernel/mm/transparent_hugepage",
      "/sys/fs/cgroup",
  };
  return paths;
}

int landlock_version() {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : static_cast<int>(version);
}

void restrict_files(const Options& options) {
  const int version = landlock_version();
  if (version == 0) fail("Landlock");
  const Ruleset wanted{
      kAll | (version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0) | (version >= 3 ? kTruncate : 0) |
          (version >= 5 ? kIoctlDevice : 0),
      version >= 4 ? kTcp : 0,
      version >= 6 ? kScoped : 0,
  };
  const size_t size = version >= 6 ? sizeof wanted : version >= 4 ? 16 : 8;
  const int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &wanted, size, 0));
  if (ruleset < 0) fail("Landlock ruleset");
  for (const auto& path : system_paths()) allow(ruleset, path, kRead & wanted.files);
  for (const auto& path : options.read) allow(ruleset, path, kRead & wanted.files);
  allow(ruleset, options.folder, wanted.files & ~kDevices);
  allow(ruleset, "/dev/null", kRead | LANDLOCK_ACCESS_FS_WRITE_FILE | (wanted.files & kTruncate));
  if (syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) fail("Landlock");
  close(ruleset);
}

}  // namespace vlconfine
