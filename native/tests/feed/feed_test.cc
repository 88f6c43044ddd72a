// The feed over a socket pair: reports arrive whole and in order, and a reader that stalls or goes away
// stops no program.
#include "uroce/feed/feed.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "tests/under_sanitizers.h"
#include "uroce/feed/object.h"

namespace uroce::feed {
namespace {

struct Message {
  MessageType type;
  std::string payload;
};

// Both ends: [0] is the feed's.
struct Pair {
  int fds[2];
  Pair() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    const timeval slice{0, 10'000};
    setsockopt(fds[0], SOL_SOCKET, SO_SNDTIMEO, &slice, sizeof slice);
  }
};

std::vector<Message> read_to_end(int fd) {
  std::string all;
  char buffer[65536];
  for (ssize_t n; (n = read(fd, buffer, sizeof buffer)) > 0;) all.append(buffer, static_cast<std::size_t>(n));
  std::vector<Message> messages;
  for (std::size_t at = 0; at < all.size();) {
    MessageHeader header;
    std::memcpy(&header, all.data() + at, sizeof header);
    messages.push_back({header.type, all.substr(at + sizeof header, header.length)});
    EXPECT_EQ(messages.back().payload.size(), header.length);
    at += sizeof header + header.length;
  }
  return messages;
}

void no_sample(Feed&, void*) {}

TEST(Feed, SendsWhatWasToldAndPut) {
  Pair pair;
  Feed feed(pair.fds[0], no_sample);
  ASSERT_EQ(feed.start(), 0);
  Object object("made");
  object.text("kind", "M\"R").number("number", 7).hex("addr", 0xffff'ffff'ffff'ffffu);
  object.flags("access", 3, {{1, "ONE"}, {2, "TWO"}, {4, "FOUR"}});
  feed.queue(object.take(), feed.epoch() + 5);
  const LifeRecord life{.wr_id = 9,
                        .qpn = 1,
                        .opcode = 2,
                        .byte_len = 3,
                        .status = 0,
                        .posted = 4,
                        .first_tx = 5,
                        .last_tx = 6,
                        .acked = 7,
                        .cqe = 8,
                        .polled = 9};
  feed.lives.put(&life, sizeof life);
  feed.packets.drop(3);
  feed.finish();
  const auto messages = read_to_end(pair.fds[1]);
  close(pair.fds[1]);
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0].type, MessageType::json);
  EXPECT_EQ(messages[0].payload,
            "{\"type\":\"made\",\"kind\":\"M\\\"R\",\"number\":7,\"addr\":\"0xffffffffffffffff\","
            "\"access\":[\"ONE\",\"TWO\"],\"t\":5}");
  EXPECT_EQ(messages[1].type, MessageType::packets);
  Detail detail;
  ASSERT_EQ(messages[1].payload.size(), sizeof detail);
  std::memcpy(&detail, messages[1].payload.data(), sizeof detail);
  EXPECT_EQ(detail.dropped, 3u);
  ASSERT_EQ(messages[2].payload.size(), sizeof detail + sizeof life);
  EXPECT_EQ(std::memcmp(messages[2].payload.data() + sizeof detail, &life, sizeof life), 0);
}

TEST(Feed, SamplesItsSubject) {
  Pair pair;
  Feed feed(pair.fds[0], [](Feed& f, void* subject) {
    if (subject != nullptr) f.queue(Object("tick").number("value", *static_cast<int*>(subject)).take(), 0);
  });
  ASSERT_EQ(feed.start(), 0);
  int subject = 17;
  feed.set_subject(&subject);
  feed.finish();
  feed.set_subject(nullptr);
  const auto messages = read_to_end(pair.fds[1]);
  close(pair.fds[1]);
  ASSERT_FALSE(messages.empty());
  for (const Message& message : messages)
    EXPECT_EQ(message.payload, "{\"type\":\"tick\",\"value\":17,\"t\":0}");
}

// The program has closed all descriptors that it does not know, and has opened something else under this
// number.
TEST(Feed, LeavesADescriptorOfTheProgramAlone) {
  Pair pair, programs;
  Feed feed(pair.fds[0], no_sample);
  ASSERT_EQ(feed.start(), 0);
  ASSERT_EQ(dup2(programs.fds[0], pair.fds[0]), pair.fds[0]);
  feed.queue("{\"type\":\"made\"", feed.epoch());
  feed.finish();
  char byte;
  EXPECT_EQ(recv(programs.fds[1], &byte, 1, MSG_DONTWAIT), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_EQ(write(pair.fds[0], "x", 1), 1);
  EXPECT_EQ(recv(programs.fds[1], &byte, 1, 0), 1);
  for (const int fd : {pair.fds[0], pair.fds[1], programs.fds[0], programs.fds[1]}) close(fd);
}

// Starts a feed in a process that may have no more threads.
void start_without_threads() {
  const Pair pair;
  auto* feed = new Feed(pair.fds[0], no_sample);
  const rlimit none{1, 1};
  setrlimit(RLIMIT_AS, &none);
  _exit(feed->start());
}

TEST(Feed, SaysWhenItsThreadCannotBeMade) {
  if (kUnderSanitizers) GTEST_SKIP() << "a sanitizer needs memory itself";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(start_without_threads(), testing::ExitedWithCode(EAGAIN), "");
}

TEST(Feed, GoesOnWhenNobodyReads) {
  Pair pair;
  Feed feed(pair.fds[0], no_sample);
  ASSERT_EQ(feed.start(), 0);
  const std::string text(1000, 'x');
  for (int i = 0; i < 20'000; ++i) feed.queue(Object("note").text("text", text).take(), 0);
  const std::vector<uint8_t> packet(4096);
  for (int i = 0; i < 5000; ++i) feed.packets.put(packet.data(), packet.size());
  feed.finish();  // gives up after a second
  close(pair.fds[1]);
  SUCCEED();
}

TEST(Feed, GoesOnWhenTheReaderHasGone) {
  Pair pair;
  close(pair.fds[1]);
  Feed feed(pair.fds[0], no_sample);
  ASSERT_EQ(feed.start(), 0);
  feed.queue(Object("note").take(), 0);
  feed.finish();
  EXPECT_FALSE(feed.packets.open());
  EXPECT_FALSE(feed.completions.open());
  EXPECT_FALSE(feed.lives.put("x", 1));
}

}  // namespace
}  // namespace uroce::feed
