// Port and GID events, in a network namespace for the test alone: its loopback goes down and up.
#include <arpa/inet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include "tests/device/fixture.h"

namespace uroce::verbs::test {
namespace {

// For a separate process in a separate namespace. A failed check ends it with the line as its reason.
#define CHECK_IN_CHILD(condition)                                          \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      _exit(1);                                                            \
    }                                                                      \
  } while (false)

constexpr int kSkipped = 77;

void write_file(const char* path, const std::string& text) { std::ofstream(path) << text; }

// False if the machine does not allow it.
bool enter_namespace() {
  const uid_t user = getuid();
  if (unshare(CLONE_NEWNET) == 0) return true;
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
  write_file("/proc/self/uid_map", "0 " + std::to_string(user) + " 1");
  return true;
}

void set_loopback(bool up) {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  CHECK_IN_CHILD(ioctl(fd, SIOCGIFFLAGS, &request) == 0);
  request.ifr_flags = static_cast<short>(up ? request.ifr_flags | IFF_UP : request.ifr_flags & ~IFF_UP);
  CHECK_IN_CHILD(ioctl(fd, SIOCSIFFLAGS, &request) == 0);
  close(fd);
}

// in6_ifreq of <linux/ipv6.h>; that header does not go with <netinet/in.h>.
struct Ipv6Request {
  in6_addr address;
  uint32_t prefix_length;
  int interface;
};

void set_ipv6_loopback(bool present) {
  const int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const Ipv6Request request{in6addr_loopback, 128, static_cast<int>(if_nametoindex("lo"))};
  CHECK_IN_CHILD(ioctl(fd, present ? SIOCSIFADDR : SIOCDIFADDR, &request) == 0);
  close(fd);
}

// The next event of the context within five seconds, acknowledged.
int next_event(ibv_context* context) {
  pollfd p{context->async_fd, POLLIN, 0};
  CHECK_IN_CHILD(poll(&p, 1, 5000) == 1);
  ibv_async_event event{};
  CHECK_IN_CHILD(ibv_get_async_event(context, &event) == 0);
  CHECK_IN_CHILD(event.element.port_num == 1);
  ibv_ack_async_event(&event);
  return event.event_type;
}

// Takes events until this one.
void expect_event(ibv_context* context, int wanted) {
  for (int i = 0; i < 8; ++i) {
    if (next_event(context) == wanted) return;
  }
  CHECK_IN_CHILD(!"the event came");
}

ibv_port_state port_state(ibv_context* context) {
  ibv_port_attr port{};
  CHECK_IN_CHILD(ibv_query_port(context, 1, &port) == 0);
  return port.state;
}

template <class F>
void in_namespace(F&& body) {
  const pid_t child = fork();
  if (child == 0) {
    if (!enter_namespace()) _exit(kSkipped);
    set_loopback(true);
    body();
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kSkipped) GTEST_SKIP() << "no network namespaces for this user";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(PortEvents, GoToEveryContextWhenTheLinkGoesDownAndUp) {
  in_namespace([] {
    ibv_context* one = open_device();
    ibv_context* two = open_device();
    CHECK_IN_CHILD(one != nullptr && two != nullptr);
    CHECK_IN_CHILD(port_state(one) == IBV_PORT_ACTIVE);
    set_loopback(false);
    expect_event(one, IBV_EVENT_PORT_ERR);
    expect_event(two, IBV_EVENT_PORT_ERR);
    CHECK_IN_CHILD(port_state(one) == IBV_PORT_DOWN);
    set_loopback(true);
    expect_event(one, IBV_EVENT_PORT_ACTIVE);
    expect_event(two, IBV_EVENT_PORT_ACTIVE);
    CHECK_IN_CHILD(port_state(two) == IBV_PORT_ACTIVE);
    CHECK_IN_CHILD(ibv_close_device(one) == 0);
    CHECK_IN_CHILD(ibv_close_device(two) == 0);
  });
}

TEST(PortEvents, AnAddressThatGoesAndComesIsAGidChange) {
  in_namespace([] {
    ibv_context* context = open_device();
    CHECK_IN_CHILD(context != nullptr);
    ibv_gid gid{};
    CHECK_IN_CHILD(ibv_query_gid(context, 1, 0, &gid) == 0);
    if (gid.raw[15] != 1) _exit(kSkipped);  // no IPv6 here
    set_ipv6_loopback(false);
    CHECK_IN_CHILD(next_event(context) == IBV_EVENT_GID_CHANGE);
    CHECK_IN_CHILD(ibv_query_gid(context, 1, 0, &gid) == 0);
    CHECK_IN_CHILD(gid.global.interface_id == 0);
    ibv_gid_entry entry{};
    CHECK_IN_CHILD(ibv_query_gid_ex(context, 1, 0, &entry, 0) == ENODATA);
    CHECK_IN_CHILD(port_state(context) == IBV_PORT_ACTIVE);
    set_ipv6_loopback(true);
    CHECK_IN_CHILD(next_event(context) == IBV_EVENT_GID_CHANGE);
    CHECK_IN_CHILD(ibv_query_gid_ex(context, 1, 0, &entry, 0) == 0);
    CHECK_IN_CHILD(ibv_close_device(context) == 0);
  });
}

TEST(PortEvents, InterruptAThreadThatWaitsForThem) {
  in_namespace([] {
    ibv_context* context = open_device();
    CHECK_IN_CHILD(context != nullptr);
    std::thread watcher([context] {
      ibv_async_event event{};
      CHECK_IN_CHILD(ibv_get_async_event(context, &event) == 0);
      CHECK_IN_CHILD(event.event_type == IBV_EVENT_PORT_ERR);
      ibv_ack_async_event(&event);
    });
    set_loopback(false);
    watcher.join();
    CHECK_IN_CHILD(ibv_close_device(context) == 0);
  });
}

}  // namespace
}  // namespace uroce::verbs::test
