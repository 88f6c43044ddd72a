// A process that has no descriptor left: connections of other processes wait, and it does not run for them
// meanwhile.
#include <dirent.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <string>

#include "fixture.h"

namespace uroce::cm::test {
namespace {

constexpr uint64_t kLookMs = 500;
constexpr int kType = SOCK_SEQPACKET | SOCK_CLOEXEC;

// Abstract names of the device on that address.
std::vector<std::string> names(const std::string& address) {
  std::ifstream file("/proc/net/unix");
  std::vector<std::string> out;
  for (std::string line; std::getline(file, line);) {
    const auto at = line.find("@uroce");
    if (at != std::string::npos && line.find("." + address + ".") != std::string::npos &&
        line.find(" 00010000 ") != std::string::npos)
      out.push_back(line.substr(at + 1));
  }
  return out;
}

int descriptors() {
  int n = 0;
  DIR* all = opendir("/proc/self/fd");
  while (readdir(all) != nullptr) ++n;
  closedir(all);
  return n;
}

uint64_t cpu_ms() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<uint64_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
         static_cast<uint64_t>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
}

bool connect_to(int fd, const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  return connect(fd, reinterpret_cast<const sockaddr*>(&address),
                 static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())) == 0;
}

// Waits up to 20 s for it.
template <typename Wanted>
bool descriptors_become(Wanted wanted) {
  for (int i = 0; i < 20'000 && !wanted(descriptors()); ++i) usleep(1000);
  return wanted(descriptors());
}

std::vector<int> connect_all(const std::vector<std::string>& names) {
  std::vector<int> sockets;
  for (const std::string& name : names) {
    sockets.push_back(socket(AF_UNIX, kType, 0));
    EXPECT_TRUE(connect_to(sockets.back(), name));
  }
  return sockets;
}

TEST(Descriptors, ConnectionsWaitWithoutCpuUntilThereAreSomeAgain) {
  Channel channel;
  rdma_cm_id* id = make_id(channel);
  sockaddr_in own = ip4(kHere);
  ASSERT_EQ(rdma_bind_addr(id, plain(own)), 0);
  ASSERT_EQ(rdma_listen(id, 4), 0);
  const auto all = names(kHere);
  ASSERT_GE(all.size(), 3u) << "the device, its management lease and the port listen";
  const int unconnected = descriptors();
  // The connections of the lease and of the port are taken.
  const auto served = [&](int n) { return n >= unconnected + static_cast<int>(all.size()) + 2; };
  // Once with descriptors: under UBSan the first call through an interface opens a pipe to look at the
  // object, and reports the object as invalid if it cannot.
  std::vector<int> sockets = connect_all(all);
  EXPECT_TRUE(descriptors_become(served));
  for (const int fd : sockets) close(fd);
  EXPECT_TRUE(descriptors_become([&](int n) { return n == unconnected; }));
  sockets.clear();
  for (std::size_t i = 0; i < all.size(); ++i) sockets.push_back(socket(AF_UNIX, kType, 0));

  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int lowest = dup(0);
  close(lowest);
  const rlimit tight{static_cast<rlim_t>(lowest), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &tight), 0);
  bool connected = true;
  for (std::size_t i = 0; i < all.size(); ++i) connected &= connect_to(sockets[i], all[i]);
  const uint64_t used = cpu_ms();
  usleep(kLookMs * 1000);  // what is measured is what happens meanwhile
  const uint64_t busy = cpu_ms() - used;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_TRUE(connected);
  EXPECT_LT(busy, kLookMs / 20);

  EXPECT_TRUE(descriptors_become(served));
  for (const int fd : sockets) close(fd);
  rdma_destroy_id(id);
}

}  // namespace
}  // namespace uroce::cm::test
