// Causes for which a device cannot be opened: errno names them.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include "tests/device/fixture.h"
#include "tests/under_sanitizers.h"

namespace uroce::verbs::test {
namespace {

// An address for this process alone: other tests may run at the same time.
std::string own_address() {
  const auto pid = static_cast<uint32_t>(getpid());
  return "127.77." + std::to_string(pid >> 8 & 0xff) + "." + std::to_string((pid & 0xff) % 254 + 1);
}

class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = getenv(name)) {
      old_ = old;
      was_set_ = true;
    }
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { was_set_ ? setenv(name_, old_.c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string old_;
  bool was_set_ = false;
};

// 0 when the device opens, else errno.
int open_error() {
  int n = 0;
  ibv_device** list = ibv_get_device_list(&n);
  errno = 0;
  ibv_context* context = ibv_open_device(list[0]);
  const int error = context != nullptr ? 0 : errno;
  if (context != nullptr) {
    EXPECT_EQ(ibv_close_device(context), 0);
  }
  ibv_free_device_list(list);
  return error;
}

TEST(OpenDevice, PortThatAnotherProgramHoldsIsInUse) {
  const std::string address = own_address();
  const Variable addr("UROCE_ADDR", address);
  sockaddr_in self{};
  self.sin_family = AF_INET;
  self.sin_port = htons(4791);
  ASSERT_EQ(inet_pton(AF_INET, address.c_str(), &self.sin_addr), 1);
  const int other = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(bind(other, reinterpret_cast<sockaddr*>(&self), sizeof self), 0);
  EXPECT_EQ(open_error(), EADDRINUSE);
  close(other);
  EXPECT_EQ(open_error(), 0);
}

TEST(OpenDevice, AddressThatNobodyHasIsNotAvailable) {
  const Variable addr("UROCE_ADDR", "192.0.2.99");
  EXPECT_EQ(open_error(), EADDRNOTAVAIL);
}

TEST(OpenDevice, NonsenseForAnAddressIsInvalid) {
  const Variable addr("UROCE_ADDR", "lo");
  EXPECT_EQ(open_error(), EINVAL);
}

TEST(OpenDevice, InterfaceThatIsNotThereIsNoDevice) {
  const Variable addr("UROCE_ADDR", "");
  const Variable netdev("UROCE_NETDEV", "eth99");
  EXPECT_EQ(open_error(), ENODEV);
}

TEST(OpenDevice, CaptureThatCannotBeWrittenSaysWhy) {
  const Variable pcap("UROCE_PCAP", "/nonexistent/x.pcapng");
  EXPECT_EQ(open_error(), ENOENT);
}

// A thread opens and closes the device all the time, so most forks find its locks held.
TEST(OpenDevice, AForkedChildOpensItsOwnWhateverTheParentWasDoing) {
  if (kUnderSanitizers) GTEST_SKIP() << "their runtimes have locks of their own at fork()";
  const Variable addr("UROCE_ADDR", own_address());
  std::atomic<bool> over{false};
  std::thread opener([&] {
    while (!over.load()) EXPECT_EQ(open_error(), 0);
  });
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(30);
      _exit(open_error());
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << "round " << round;
    if (status != 0) break;
  }
  over.store(true);
  opener.join();
}

TEST(OpenDevice, NoDescriptorsLeftIsToldFromNoDevice) {
  if (kUnderSanitizers) GTEST_SKIP() << "UBSan's check of virtual calls needs descriptors of its own";
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(next, 0);
  close(next);
  // Limits from low to high, so that each descriptor of the device is missing once.
  int room = 0;
  int error = 0;
  for (; room < 40; ++room) {
    const rlimit tight{static_cast<rlim_t>(next + room), before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &tight), 0);
    error = open_error();
    if (error == 0) break;
    EXPECT_EQ(error, EMFILE) << room << " descriptors";
  }
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_GT(room, 2);
  EXPECT_EQ(error, 0) << "the device takes more than 40 descriptors";
}

}  // namespace
}  // namespace uroce::verbs::test
