#include "uroce/net/share/user_key.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "uroce/net/host/clock.h"
#include "uroce/net/share/share_message.h"

namespace uroce::net::share {
namespace {

constexpr std::size_t kTag = 16;  // hexadecimal digits

struct Key {
  uint64_t a = 0, b = 0;
};
Key g_key;

// Contents of the key file.
struct File {
  Key key;
  std::atomic<uint32_t> generation;
};
static_assert(std::atomic<uint32_t>::is_always_lock_free);
// The file of g_key, shared with the user's other processes; none before the first join.
File* g_file = nullptr;

// SipHash-2-4 (J.-P. Aumasson, D. J. Bernstein, 2012).
uint64_t siphash(const Key& key, const std::string& text) {
  uint64_t v0 = key.a ^ 0x736f6d6570736575, v1 = key.b ^ 0x646f72616e646f6d;
  uint64_t v2 = key.a ^ 0x6c7967656e657261, v3 = key.b ^ 0x7465646279746573;
  const auto round = [&] {
    v0 += v1, v1 = std::rotl(v1, 13) ^ v0, v0 = std::rotl(v0, 32);
    v2 += v3, v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3, v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1, v1 = std::rotl(v1, 17) ^ v2, v2 = std::rotl(v2, 32);
  };
  const auto take = [&](uint64_t word) {
    v3 ^= word;
    round(), round();
    v0 ^= word;
  };
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    take(word);
  }
  uint64_t last = uint64_t{text.size() & 0xff} << 56;
  for (std::size_t i = at; i < text.size(); ++i)
    last |= uint64_t{static_cast<uint8_t>(text[i])} << (8 * (i - at));
  take(last);
  v2 ^= 0xff;
  for (int i = 0; i < 4; ++i) round();
  return v0 ^ v1 ^ v2 ^ v3;
}

// /run/user ends with the user's session, and /run is root's. The home folder comes last because machines
// may share it.
std::vector<std::string> candidates() {
  const std::string user = std::to_string(geteuid());
  std::vector<std::string> all{"/run/user/" + user, "/run/uroce-" + user, "/dev/shm/uroce-" + user,
                               "/tmp/uroce-" + user};
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') all.push_back(std::string(home) + "/.uroce-" + user);
  return all;
}

std::expected<UniqueFd, Error> open_key() {
  const auto folder = own_folder(candidates());
  if (!folder) return std::unexpected(folder.error());
  struct stat net{};
  stat("/proc/self/ns/net", &net);
  const std::string path = *folder + "/uroce-key." + std::to_string(net.st_ino);
  UniqueFd fd(open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (fd) return fd;
  const int error = errno;
  return std::unexpected(Error{error, "cannot open " + path + ": " + std::strerror(error) + "."});
}

// Zero, or the process that holds the lock; -1 if that process cannot be seen from here.
pid_t holder_of(int fd) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (fcntl(fd, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return 0;
  return lock.l_pid > 0 ? lock.l_pid : -1;
}

// True if a process of this user has a name. Another user may hold names of ours, too.
bool names_live() {
  std::vector<std::string> names;
  if (!names_in_use(&names)) return true;  // not known
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    const std::string plain = untagged(name);
    UniqueFd connection;
    return !plain.empty() && connect_abstract(plain, &connection) != ECONNREFUSED;
  });
}

// The caller holds the lock of the file.
int read_key(int fd) {
  struct stat found{};
  if (fstat(fd, &found) != 0) return errno;
  const bool whole = found.st_size >= static_cast<off_t>(sizeof(Key));
  if (found.st_size < static_cast<off_t>(sizeof(File)) && ftruncate(fd, sizeof(File)) != 0) return errno;
  void* mapped = mmap(nullptr, sizeof(File), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) return errno;
  if (g_file != nullptr) munmap(g_file, sizeof(File));
  g_file = static_cast<File*>(mapped);
  g_key = g_file->key;
  if (whole && names_live()) return 0;
  while (getrandom(&g_key, sizeof g_key, 0) != static_cast<ssize_t>(sizeof g_key)) {
  }
  g_file->key = g_key;
  g_file->generation = 0;
  return 0;
}

}  // namespace

std::expected<std::string, Error> own_folder(const std::vector<std::string>& candidates) {
  std::string why;
  for (const std::string& path : candidates) {
    const int error = mkdir(path.c_str(), 0700) == 0 ? 0 : errno;
    struct stat found{};
    if (lstat(path.c_str(), &found) != 0) {
      why += " " + path + ": " + std::strerror(error) + ".";
    } else if (!S_ISDIR(found.st_mode) || found.st_uid != geteuid()) {
      why += " " + path + " belongs to user " + std::to_string(found.st_uid) + ": remove it.";
    } else if ((found.st_mode & 077) != 0) {
      why += " " + path + " is open to other users: chmod 700.";
    } else if (access(path.c_str(), W_OK) != 0) {
      why += " " + path + ": " + std::strerror(errno) + ".";
    } else {
      return path;
    }
  }
  return std::unexpected(
      Error{EACCES, "no folder that only this user can enter, for the names of the device:" + why});
}

std::expected<UniqueFd, Error> lock_joining(const Timeouts& timeouts) {
  const uint64_t begin = now_ns();
  for (;;) {
    auto fd = open_key();
    if (!fd) return fd;
    struct flock whole{};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (fcntl(fd->get(), F_SETLK, &whole) == 0) {
      struct stat mine{};
      if (fstat(fd->get(), &mine) == 0 && mine.st_nlink == 0) continue;  // removed meanwhile
      const int error = read_key(fd->get());
      if (error == 0) return fd;
      return std::unexpected(Error{
          error, std::string("cannot read the key of the device's names: ") + std::strerror(error) + "."});
    }
    if (errno != EACCES && errno != EAGAIN && errno != EINTR) {
      const int error = errno;
      return std::unexpected(Error{
          error, std::string("cannot lock the key of the device's names: ") + std::strerror(error) + "."});
    }
    const pid_t holder = holder_of(fd->get());
    const uint64_t waited = now_ns() - begin;
    const bool slow = holder > 0 && waited < timeouts.longest && process_runs(holder);
    if (waited >= timeouts.ordinary && !slow) {
      return std::unexpected(Error{
          EBUSY, "another process" + (holder > 0 ? " (" + std::to_string(holder) + ")" : std::string()) +
                     " has been joining the device for seconds; is it stopped? Continue or end it."});
    }
    poll(nullptr, 0, 2);
  }
}

uint32_t generation() { return g_file == nullptr ? 0 : g_file->generation.load(); }

void end_generation(uint32_t from) {
  if (g_file != nullptr) g_file->generation.compare_exchange_strong(from, from + 1);
}

std::string tagged(const std::string& name, uint32_t generation) {
  char tag[kTag + 2];
  const std::string text = generation == 0 ? name : name + "#" + std::to_string(generation);
  std::snprintf(tag, sizeof tag, "%016llx.", static_cast<unsigned long long>(siphash(g_key, text)));
  std::string out = name;
  return out.insert(sizeof kNamesBegin - 1, tag);
}

std::string untagged(const std::string& name) {
  constexpr std::size_t kBegin = sizeof kNamesBegin - 1;
  if (name.size() < kBegin + kTag + 1) return {};
  std::string out = name;
  out.erase(kBegin, kTag + 1);
  for (uint32_t g = generation() + 1; g-- > 0;) {
    if (tagged(out, g) == name) return out;
  }
  return {};
}

bool names_in_use(std::vector<std::string>* out) {
  std::ifstream file("/proc/net/unix");
  if (!file) return false;
  const std::string marked = std::string(" @") + kNamesBegin;
  for (std::string line; std::getline(file, line);) {
    if (const std::size_t at = line.find(marked); at != std::string::npos)
      out->push_back(line.substr(at + 2));
  }
  return true;
}

}  // namespace uroce::net::share
