#include "uroce/net/host/address.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/net/packets.h"

namespace uroce::net::test {
namespace {

TEST(Address, DefaultIsLoopbackInRxesOrder) {
  const auto plan = plan_addresses(nullptr, nullptr);
  ASSERT_TRUE(plan) << plan.error().text;
  ASSERT_EQ(plan->gids.size(), 2u);
  EXPECT_EQ(to_text(plan->gids[1].gid), "127.0.0.1");
  if (!is_zero(plan->gids[0].gid)) {
    EXPECT_EQ(to_text(plan->gids[0].gid), "::1");
  }
  EXPECT_EQ(plan->path_mtu, 4096u);
}

TEST(Address, AnyLoopbackAddressWillDo) {
  const auto plan = plan_addresses("127.0.0.2,127.9.9.9", nullptr);
  ASSERT_TRUE(plan) << plan.error().text;
  ASSERT_EQ(plan->gids.size(), 3u);
  EXPECT_TRUE(is_zero(plan->gids[0].gid));
  EXPECT_EQ(to_text(plan->gids[1].gid), "127.0.0.2");
  EXPECT_EQ(to_text(plan->gids[2].gid), "127.9.9.9");
  EXPECT_TRUE(plan->gids[2].loopback);
}

TEST(Address, GidZeroIsNeverEmpty) {
  const auto v4 = plan_addresses("127.0.0.2,127.9.9.9", nullptr);
  ASSERT_TRUE(v4) << v4.error().text;
  EXPECT_EQ(v4->entry(0), 1u);
  EXPECT_EQ(v4->entry(1), 1u);
  EXPECT_EQ(v4->entry(2), 2u);
  EXPECT_EQ(v4->entry(900), 900u);
  if (const auto both = plan_addresses("::1,127.0.0.2", nullptr)) {
    EXPECT_EQ(both->entry(0), 0u);
    EXPECT_EQ(both->entry(1), 1u);
  }
}

TEST(Address, TheGuidTellsAddressesApart) {
  EXPECT_EQ(plan_addresses(nullptr, nullptr)->guid, plan_addresses("", "")->guid);
  EXPECT_NE(plan_addresses("127.0.0.2", nullptr)->guid, plan_addresses("127.0.0.3", nullptr)->guid);
}

TEST(Address, SaysWhatIsWrong) {
  const struct {
    const char *addr, *netdev;
    int error;
    const char* text;
  } cases[] = {{"lo", nullptr, EINVAL, "'lo' is not an IPv4 or IPv6 address"},
               {"127.0.0.1,", nullptr, EINVAL, "''"},
               {"192.0.2.99", nullptr, EADDRNOTAVAIL, "192.0.2.99"},
               {nullptr, "eth99", ENODEV, "'eth99'"}};
  for (const auto& c : cases) {
    const Error problem = plan_addresses(c.addr, c.netdev).error();
    EXPECT_EQ(problem.code, c.error) << problem.text;
    EXPECT_NE(problem.text.find(c.text), std::string::npos) << problem.text;
  }
}

TEST(Address, NetdevLoopback) {
  const auto plan = plan_addresses(nullptr, "lo");
  ASSERT_TRUE(plan) << plan.error().text;
  EXPECT_EQ(to_text(plan->gids[1].gid), "127.0.0.1");
  EXPECT_TRUE(link_is_up(plan->gids[1]));
}

TEST(Address, SocketAddressesRoundTrip) {
  for (const Gid& gid : {ipv4(192, 168, 0, 7), ipv6(9)}) {
    sockaddr_storage storage;
    to_sockaddr(gid, 0, &storage);
    EXPECT_EQ(gid_from(reinterpret_cast<sockaddr*>(&storage)), gid);
  }
}

}  // namespace
}  // namespace uroce::net::test
