// Sharing an address between real processes: children that join, report their slot, and leave or are killed.
#include "uroce/net/share/share.h"

#include <gtest/gtest.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <set>

#include "tests/net/own_address.h"
#include "tests/net/share_member.h"
#include "uroce/net/share/gsi_lease.h"
#include "uroce/net/share/share_message.h"
#include "uroce/net/share/user_key.h"
#include "uroce/net/udp/steering.h"
#include "uroce/net/udp/udp_socket.h"

namespace uroce::net::test {
namespace {

const UdpFeatures kFeatures = probe_udp_features();

// Joins the addresses as this process.
std::expected<std::unique_ptr<AddressShare>, Error> join(const std::string& addresses) {
  return AddressShare::join(*plan_addresses(addresses.c_str(), nullptr), kFeatures);
}

TEST(Share, OneSlotEach) {
  const std::string address = own_address(0);
  std::vector<std::unique_ptr<Member>> members;
  std::set<int> slots;
  for (int i = 0; i < 8; ++i) {
    members.push_back(std::make_unique<Member>(address));
    slots.insert(members.back()->slot());
  }
  EXPECT_EQ(slots, (std::set<int>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Share, AllAtOnce) {
  const std::string address = own_address(1);
  std::vector<std::unique_ptr<Member>> members;
  for (int i = 0; i < 12; ++i) members.push_back(std::make_unique<Member>(address));
  std::set<int> slots;
  for (auto& member : members) slots.insert(member->slot());
  EXPECT_EQ(slots.size(), 12u);
  EXPECT_EQ(*slots.begin(), 1);
  EXPECT_EQ(*slots.rbegin(), 12);
}

TEST(Share, TheSlotOfTheDeadIsTakenOver) {
  const std::string address = own_address(2);
  Member first(address);
  EXPECT_EQ(first.slot(), 1);
  Member second(address);
  EXPECT_EQ(second.slot(), 2);
  Member third(address);
  EXPECT_EQ(third.slot(), 3);
  first.end(SIGKILL);
  Member fourth(address);
  EXPECT_EQ(fourth.slot(), 1);
  second.end(SIGKILL);
  third.end(SIGKILL);
  auto here = join(address);
  ASSERT_TRUE(here) << here.error().text;
  EXPECT_EQ((*here)->slot(), 2u);
  // The kernel's numbering still agrees.
  EXPECT_EQ(find_slot((*here)->socket(1), 8), 2);
}

TEST(Share, WhatWaitedForTheDeadIsThrownAway) {
  const std::string address = own_address(3);
  Member holder(address);
  EXPECT_EQ(holder.slot(), 1);
  {
    Member victim(address);
    EXPECT_EQ(victim.slot(), 2);
  }
  const auto plan = plan_addresses(address.c_str(), nullptr);
  UniqueFd sender(socket(AF_INET, SOCK_DGRAM, 0));
  sockaddr_storage to;
  const socklen_t length = to_sockaddr(plan->gids[1].gid, 0, &to);
  const uint8_t packet[16] = {0x0a, 0, 0xff, 0xff, 0, 0, 0x20, 0x02};
  ASSERT_EQ(sendto(sender.get(), packet, sizeof packet, 0, reinterpret_cast<sockaddr*>(&to), length), 16);
  auto here = join(address);
  ASSERT_TRUE(here) << here.error().text;
  EXPECT_EQ((*here)->slot(), 2u);
  uint8_t byte;
  EXPECT_LT(recv((*here)->socket(1), &byte, 1, MSG_DONTWAIT), 0);
}

TEST(Share, AfterTheLastOneEverythingIsGone) {
  const std::string address = own_address(4);
  for (int round = 0; round < 3; ++round) {
    Member a(address), b(address);
    EXPECT_EQ(a.slot() + b.slot(), 3);
  }
}

TEST(Share, AStoppedProcessDoesNotBlockOthers) {
  const std::string address = own_address(5);
  Member stopped(address);
  EXPECT_EQ(stopped.slot(), 1);
  stopped.signal(SIGSTOP);
  Member next(address);
  EXPECT_EQ(next.slot(), 2);
  Member third(address);
  EXPECT_EQ(third.slot(), 3);
  stopped.signal(SIGCONT);
  // The stopped process has received the sockets of the others meanwhile: they survive them.
  next.end(SIGKILL);
  third.end(SIGKILL);
  Member again(address);
  EXPECT_EQ(again.slot(), 2);
}

TEST(Share, DifferentSetsOfAddressesMayOverlap) {
  const std::string one = own_address(6), two = own_address(7);
  Member a(one);
  EXPECT_EQ(a.slot(), 1);
  Member b(one);
  EXPECT_EQ(b.slot(), 2);
  // Slot 3 on both, although the second address has no member yet.
  auto both = join(two + "," + one);
  ASSERT_TRUE(both) << both.error().text;
  EXPECT_EQ((*both)->slot(), 3u);
  EXPECT_EQ(find_slot((*both)->socket(1), 8), 3);
  EXPECT_EQ(find_slot((*both)->socket(2), 8), 3);
}

TEST(Share, AnotherProgramOnThePortIsNamed) {
  const std::string address = own_address(8);
  const auto plan = plan_addresses(address.c_str(), nullptr);
  UniqueFd other(socket(AF_INET, SOCK_DGRAM, 0));
  sockaddr_storage self;
  const socklen_t length = to_sockaddr(plan->gids[1].gid, 0, &self);
  ASSERT_EQ(bind(other.get(), reinterpret_cast<sockaddr*>(&self), length), 0);
  const auto here = join(address);
  ASSERT_FALSE(here);
  EXPECT_EQ(here.error().code, EADDRINUSE);
  EXPECT_NE(here.error().text.find("UROCE_ADDR="), std::string::npos) << here.error().text;
}

// Binds abstract names as another user until it is ended.
class Squatter {
 public:
  enum class Does : uint8_t { listens, only_binds, fills_its_backlog };
  explicit Squatter(const std::vector<std::string>& names, Does does = Does::listens) {
    int ends[2];
    if (pipe(ends) != 0) abort();
    pid_ = fork();
    if (pid_ == 0) {
      if (setresuid(65534, 65534, 65534) != 0) _exit(1);
      char bound = 0;
      for (const std::string& name : names) {
        const int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
        const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
        const auto* self = reinterpret_cast<const sockaddr*>(&address);
        bound += bind(fd, self, length) == 0 && (does == Does::only_binds || listen(fd, 0) == 0);
        if (does != Does::fills_its_backlog) continue;
        while (connect(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0), self, length) == 0) {
        }
      }
      if (write(ends[1], &bound, 1) != 1) _exit(1);
      for (;;) pause();
    }
    close(ends[1]);
    char bound = 0;
    EXPECT_EQ(read(ends[0], &bound, 1), 1);
    EXPECT_EQ(static_cast<std::size_t>(bound), names.size());
    close(ends[0]);
  }
  ~Squatter() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

 private:
  pid_t pid_;
};

TEST(Share, AnotherUserCannotKeepTheNames) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can be another user";
  const std::string address = own_address(10);
  const std::string prefix = "uroce.0." + address + ".";
  Squatter guesses({prefix + "join", prefix + "gsi", prefix + "1"});
  Member first(address);
  EXPECT_EQ(first.slot(), 1);
  {
    auto here = join(address);
    ASSERT_TRUE(here) << here.error().text;
    EXPECT_EQ((*here)->slot(), 2u);
    EXPECT_EQ((*here)->name_prefix(1), prefix);
  }
  // Names that were seen in use: the slot and the lease go on under other names.
  const uint32_t seen = share::generation();
  Squatter squatter({share::tagged(prefix + "2", seen), share::tagged(prefix + "gsi", seen)});
  Member third(address);
  EXPECT_EQ(third.slot(), 2);
  EXPECT_GT(share::generation(), seen);
  Member fourth(address);
  EXPECT_EQ(fourth.slot(), 3);
  GsiLease lease(prefix + "gsi"), other(prefix + "gsi");
  lease.contend();
  EXPECT_TRUE(lease.held());
  other.contend();
  EXPECT_FALSE(other.held());
  EXPECT_GE(other.fd(), 0);
}

// A name goes from process to process; each time another user takes all names seen so far.
TEST(Share, ANameThatAnotherUserHoldsIsTakenAllTheSame) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can be another user";
  Member keeps_the_key(own_address(11));
  auto here = join(own_address(11));
  ASSERT_TRUE(here) << here.error().text;
  const std::string name = "uroce.0.test." + std::to_string(getpid());
  std::vector<std::unique_ptr<Squatter>> squatters;
  for (const auto does :
       {Squatter::Does::listens, Squatter::Does::only_binds, Squatter::Does::fills_its_backlog}) {
    {
      UniqueFd ours, twice, connection;
      ASSERT_EQ(share::listen_abstract(name, &ours), 0);
      // Another process of this user finds the name taken, and reaches it.
      EXPECT_EQ(share::listen_abstract(name, &twice), EADDRINUSE);
      EXPECT_EQ(share::connect_abstract(name, &connection), 0);
    }
    UniqueFd nobody;
    EXPECT_NE(share::connect_abstract(name, &nobody), 0);
    squatters.push_back(
        std::make_unique<Squatter>(std::vector{share::tagged(name, share::generation())}, does));
  }
  UniqueFd ours, twice;
  ASSERT_EQ(share::listen_abstract(name, &ours), 0);
  // Squatters that release the names give no second holder a chance.
  squatters.clear();
  EXPECT_EQ(share::listen_abstract(name, &twice), EADDRINUSE);
}

TEST(Share, AProcessFindsWhatAnotherTookInAnEarlierGeneration) {
  auto here = join(own_address(12));
  ASSERT_TRUE(here) << here.error().text;
  const std::string name = "uroce.0.test.earlier." + std::to_string(getpid());
  UniqueFd ours, twice, connection;
  ASSERT_EQ(share::listen_abstract(name, &ours), 0);
  share::end_generation(share::generation());
  EXPECT_EQ(share::listen_abstract(name, &twice), EADDRINUSE);
  EXPECT_EQ(share::connect_abstract(name, &connection), 0);
}

// A separate network namespace: no other test has names there.
TEST(Share, NamesOfAnotherUserDoNotKeepTheKey) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can be another user";
  const pid_t child = fork();
  if (child == 0) {
    ifreq loopback{};
    std::strcpy(loopback.ifr_name, "lo");
    loopback.ifr_flags = IFF_UP;
    if (unshare(CLONE_NEWNET) != 0) _exit(77);
    UniqueFd any(socket(AF_INET, SOCK_DGRAM, 0));
    if (ioctl(any.get(), SIOCSIFFLAGS, &loopback) != 0) _exit(77);
    const std::string address = "127.0.0.1", name = "uroce.0.127.0.0.1.1";
    std::string before;
    {
      auto first = join(address);
      if (!first) _exit(1);
      share::end_generation(share::generation());
      before = share::tagged(name, 0);
    }
    bool renewed = false;
    {
      Squatter seen({before});
      auto again = join(address);
      renewed = again && share::tagged(name, 0) != before && share::generation() == 0;
    }
    _exit(renewed ? 0 : 2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "no network namespace can be made here";
  EXPECT_EQ(status, 0);
}

TEST(Share, TheFolderOfTheKeyBelongsToThisUserAlone) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a folder of another user";
  const std::string base = testing::TempDir() + "uroce-key-" + std::to_string(getpid());
  const std::string foreign = base + ".foreign", open = base + ".open", own = base + ".own";
  ASSERT_EQ(mkdir(foreign.c_str(), 0700), 0);
  ASSERT_EQ(chown(foreign.c_str(), 65534, 65534), 0);
  ASSERT_EQ(mkdir(open.c_str(), 0777), 0);
  ASSERT_EQ(chmod(open.c_str(), 0777), 0);
  EXPECT_EQ(share::own_folder({foreign, open, own}).value_or("none"), own);
  const auto none = share::own_folder({foreign, open});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().text.find("belongs to user 65534"), std::string::npos) << none.error().text;
  EXPECT_NE(none.error().text.find("chmod 700"), std::string::npos) << none.error().text;
  for (const std::string& folder : {foreign, open, own}) rmdir(folder.c_str());
}

TEST(Share, KilledAtAnyMoment) {
  const std::string address = own_address(9);
  const auto seed = static_cast<unsigned>(getpid());
  srand(seed);
  printf("seed %u\n", seed);
  Member witness(address);
  EXPECT_EQ(witness.slot(), 1);
  for (int round = 0; round < 60; ++round) {
    Member victim(address);
    usleep(static_cast<useconds_t>(rand() % 4000));
    victim.end(SIGKILL);
  }
  Member last(address);
  EXPECT_EQ(last.slot(), 2);
}

}  // namespace
}  // namespace uroce::net::test
