// Wake-ups between processes: each peer rings with its own eventfd.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/net/shm_peer.h"
#include "uroce/net/shm/bell.h"

namespace uroce::net::test {
namespace {

// A peer shares the descriptor of its eventfd with the process, and so its flags.
TEST(ShmBell, IsNotStoppedByAPeerThatMakesTheBellBlock) {
  auto bell = *shm::Bell::create();
  const UniqueFd event = *bell.eventfd_for_peer();
  auto peer = *shm::PeerBell::from_descriptors(duplicate(event.get()), duplicate(bell.page_fd()));
  ASSERT_EQ(fcntl(event.get(), F_SETFL, 0), 0);
  bell.sleep();  // nothing is there to be read
  const uint64_t full = UINT64_MAX - 1;
  ASSERT_EQ(write(event.get(), &full, sizeof full), static_cast<ssize_t>(sizeof full));
  peer.ring();  // the event has no room for a write
  EXPECT_TRUE(readable(bell.fd()));
  bell.end_sleep();
}

TEST(ShmBell, IsWokenByOnePeerAlthoughAnotherReadsAllItWasGiven) {
  auto bell = *shm::Bell::create();
  const UniqueFd stolen = *bell.eventfd_for_peer();
  auto peer = *shm::PeerBell::from_descriptors(*bell.eventfd_for_peer(), duplicate(bell.page_fd()));
  bell.sleep();
  peer.ring();
  uint64_t count;
  EXPECT_EQ(read(stolen.get(), &count, sizeof count), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_TRUE(readable(bell.fd()));
  bell.end_sleep();
}

// No reader empties the eventfds, so each ring must count by itself.
TEST(ShmBell, IsWokenOnceForEachSleep) {
  auto bell = *shm::Bell::create();
  auto peer = *shm::PeerBell::from_descriptors(*bell.eventfd_for_peer(), duplicate(bell.page_fd()));
  for (int sleep = 0; sleep < 3; ++sleep) {
    bell.sleep();
    EXPECT_FALSE(readable(bell.fd())) << sleep;
    peer.ring();
    EXPECT_TRUE(readable(bell.fd())) << sleep;
    bell.end_sleep();
  }
}

TEST(ShmBell, RingsLateOnceForEachPollSleepAndNotAtOtherTimes) {
  auto bell = *shm::Bell::create();
  auto peer = *shm::PeerBell::from_descriptors(*bell.eventfd_for_peer(), duplicate(bell.page_fd()));
  peer.ring_late();
  EXPECT_FALSE(readable(bell.poll_sleep_fd())) << "it is awake";
  for (int poll_sleep = 0; poll_sleep < 3; ++poll_sleep) {
    bell.begin_poll_sleep();
    EXPECT_FALSE(readable(bell.poll_sleep_fd())) << poll_sleep;
    peer.ring();
    EXPECT_FALSE(readable(bell.poll_sleep_fd())) << "no thread sleeps";
    peer.ring_late();
    EXPECT_TRUE(readable(bell.poll_sleep_fd())) << poll_sleep;
    bell.end_poll_sleep();
  }
  bell.begin_poll_sleep();
  bell.end_poll_sleep();
  peer.ring_late();
  EXPECT_FALSE(readable(bell.poll_sleep_fd())) << "awake again";
}

TEST(ShmBell, LeavesASleeperItsRingWhenAPollSleepBegins) {
  auto bell = *shm::Bell::create();
  auto peer = *shm::PeerBell::from_descriptors(*bell.eventfd_for_peer(), duplicate(bell.page_fd()));
  bell.sleep();
  peer.ring();
  bell.begin_poll_sleep();
  EXPECT_TRUE(readable(bell.fd()));
  bell.end_poll_sleep();
  bell.end_sleep();
}

TEST(ShmBell, ForgetsTheEventfdOfAPeerThatIsGone) {
  auto bell = *shm::Bell::create();
  {
    auto peer = *shm::PeerBell::from_descriptors(*bell.eventfd_for_peer(), duplicate(bell.page_fd()));
    bell.sleep();
    peer.ring();
    bell.end_sleep();
    EXPECT_TRUE(readable(bell.fd()));
  }
  EXPECT_FALSE(readable(bell.fd()));
}

}  // namespace
}  // namespace uroce::net::test
