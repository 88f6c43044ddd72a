// The control channel of the feed: messages of its listener are applied and answered, bad ones are refused.
#include "uroce/feed/control_channel.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "uroce/ext/faults_bytes.h"
#include "uroce/feed/feed.h"

namespace uroce::feed {
namespace {

std::vector<uint8_t> message(uint32_t type, uint32_t id, std::span<const uint8_t> payload) {
  const MessageHeader header{static_cast<uint32_t>(sizeof id + payload.size()), MessageType{type}};
  std::vector<uint8_t> out(sizeof header + sizeof id + payload.size());
  std::memcpy(out.data(), &header, sizeof header);
  std::memcpy(out.data() + sizeof header, &id, sizeof id);
  if (!payload.empty()) std::memcpy(out.data() + sizeof header + sizeof id, payload.data(), payload.size());
  return out;
}

// Reads as the listener, up to the end of this text.
std::string read_until(int fd, const std::string& text) {
  std::string all;
  char buffer[4096];
  for (ssize_t n; all.find(text) == std::string::npos && (n = read(fd, buffer, sizeof buffer)) > 0;)
    all.append(buffer, static_cast<std::size_t>(n));
  return all;
}

// Reads the settings and accepts known ones, like the device.
int apply_control(void*, MessageType type, std::span<const uint8_t> payload) {
  ext::Faults faults;
  return type == MessageType::faults ? ext::read_faults(payload, &faults) : EOPNOTSUPP;
}

struct Listening {
  int fds[2];
  std::unique_ptr<Feed> feed;
  Listening() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    feed = std::make_unique<Feed>(fds[0], [](Feed&, void*) {});
    EXPECT_EQ(feed->start(), 0);
    feed->listen(apply_control);
  }
  ~Listening() {
    feed->finish();
    close(fds[1]);
  }
  void send(std::span<const uint8_t> bytes) {
    EXPECT_EQ(write(fds[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  bool answers(uint32_t id, int error) {
    const std::string text =
        "\"control\",\"id\":" + std::to_string(id) + ",\"errno\":" + std::to_string(error) + ",";
    return read_until(fds[1], text).find(text) != std::string::npos;
  }
};

TEST(ControlChannel, ObeysAndAnswers) {
  Listening to;
  EXPECT_FALSE(to.feed->wait_for_control(std::chrono::milliseconds(0)));
  ext::Faults faults;
  faults.rates = uroce_fault_rates{};
  faults.rates->drop_ppm = 10'000;
  uroce_fault_rule& rule = faults.rules.emplace_back();
  rule.match = UROCE_MATCH_PSN;
  rule.psn = 5;
  rule.action = UROCE_FAULT_DROP;
  const std::vector<uint8_t> bytes = ext::faults_bytes(faults);
  // Sent in pieces, as a socket may deliver it.
  const std::vector<uint8_t> whole = message(16, 7, bytes);
  to.send(std::span(whole).first(5));
  to.send(std::span(whole).subspan(5));
  EXPECT_TRUE(to.answers(7, 0));
  EXPECT_TRUE(to.feed->wait_for_control(std::chrono::seconds(10)));
}

TEST(ControlChannel, RefusesWhatItDoesNotKnow) {
  Listening to;
  to.send(message(17, 8, {}));
  EXPECT_TRUE(to.answers(8, EOPNOTSUPP));
  to.send(message(16, 9, {}));
  EXPECT_TRUE(to.answers(9, EBADMSG));
  ext::Faults faults;
  faults.rates = uroce_fault_rates{};
  std::vector<uint8_t> bytes = ext::faults_bytes(faults);
  ext::FaultsHead head;
  std::memcpy(&head, bytes.data(), sizeof head);
  // A newer writer has members behind the known ones: accepted while they are zero.
  head.rates_size += 8;
  std::memcpy(bytes.data(), &head, sizeof head);
  bytes.resize(bytes.size() + 8);
  to.send(message(16, 10, bytes));
  EXPECT_TRUE(to.answers(10, 0));
  bytes.back() = 1;
  to.send(message(16, 11, bytes));
  EXPECT_TRUE(to.answers(11, EOPNOTSUPP));
  bytes.pop_back();
  to.send(message(16, 12, bytes));
  EXPECT_TRUE(to.answers(12, EBADMSG));
  bytes[0] = 2;
  to.send(message(16, 13, bytes));
  EXPECT_TRUE(to.answers(13, EOPNOTSUPP));
}

TEST(ControlChannel, ReadsNothingBehindWhatIsNoMessage) {
  for (const uint32_t length : {0u, 3u, ControlChannel::kMaxBytes + 1}) {
    Listening to;
    const MessageHeader header{length, MessageType::faults};
    const auto* at = reinterpret_cast<const uint8_t*>(&header);
    to.send({at, sizeof header});
    EXPECT_TRUE(to.answers(0, EBADMSG));
  }
}

TEST(ControlChannel, AnOlderStructureIsShorter) {
  ext::Faults faults;
  faults.shaping = uroce_shaping{};
  faults.shaping->rate_bps = 1'000'000;
  std::vector<uint8_t> bytes = ext::faults_bytes(faults);
  ext::FaultsHead head;
  std::memcpy(&head, bytes.data(), sizeof head);
  head.shaping_size = 8;
  std::memcpy(bytes.data(), &head, sizeof head);
  bytes.resize(sizeof head + 8);
  ext::Faults read;
  ASSERT_EQ(ext::read_faults(bytes, &read), 0);
  EXPECT_EQ(read.shaping->rate_bps, 1'000'000u);
  EXPECT_EQ(read.shaping->limit, 0u);
}

}  // namespace
}  // namespace uroce::feed
