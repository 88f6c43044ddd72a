// Multicast sockets: every one that has joined gets its own copy.
#include "uroce/net/udp/multicast.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace uroce::net::test {
namespace {

Gid group_of(uint8_t last) {
  return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 239, 78, static_cast<uint8_t>(getpid()), last};
}

class MulticastSocketsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto plan = plan_addresses("127.0.0.1", nullptr);
    ASSERT_TRUE(plan);
    plan_ = *plan;
    sender_.reset(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(configure_udp_socket(sender_.get(), plan_.gids[1], features_), 0);
  }
  void send(const Gid& group, char text) {
    sockaddr_storage to;
    const socklen_t length = to_sockaddr(group, 0, &to);
    ASSERT_EQ(sendto(sender_.get(), &text, 1, 0, reinterpret_cast<sockaddr*>(&to), length), 1);
  }
  // The next byte that comes to the socket.
  static char next(int fd) {
    pollfd p{fd, POLLIN, 0};
    return poll(&p, 1, 60'000) == 1 ? waiting(fd) : '\0';
  }
  // The byte that waits on the socket; 0 if none does.
  static char waiting(int fd) {
    char byte = 0;
    return recv(fd, &byte, 1, MSG_DONTWAIT) == 1 ? byte : '\0';
  }
  UdpFeatures features_;
  AddressPlan plan_;
  UniqueFd sender_;
};

TEST_F(MulticastSocketsTest, EveryMemberGetsACopy) {
  MulticastSockets one(plan_, features_), other(plan_, features_);
  const auto a = one.join(group_of(1)), b = other.join(group_of(1)), c = one.join(group_of(2));
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(*one.join(group_of(1)), *a);
  EXPECT_EQ(one.socket(group_of(2)), *c);
  EXPECT_GE(one.fd(), 0);
  send(group_of(1), 'x');
  EXPECT_EQ(next(*a), 'x');
  EXPECT_EQ(next(*b), 'x');
  EXPECT_EQ(waiting(*c), '\0');
  one.leave(group_of(1));
  EXPECT_EQ(one.socket(group_of(1)), -1);
  send(group_of(1), 'y');
  EXPECT_EQ(next(*b), 'y');
}

TEST_F(MulticastSocketsTest, AFamilyWithoutAnAddressIsRefused) {
  MulticastSockets sockets(plan_, features_);
  const auto joined = sockets.join(Gid{0xff, 0x0e, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
  ASSERT_FALSE(joined);
  EXPECT_EQ(joined.error(), EADDRNOTAVAIL);
  EXPECT_EQ(sockets.fd(), -1);
}

}  // namespace
}  // namespace uroce::net::test
