// Hundreds of connections between two hosts over a network that loses, duplicates and reorders, by printed
// seeds. UROCE_CM_SEED=<n> runs only one.
#include <gtest/gtest.h>

#include <cstdlib>

#include "host.h"

namespace uroce::cm::test {
namespace {

using enum EventType;

struct Outcome {
  uint32_t up = 0, refused = 0, unreachable = 0;
};

// The applications: b accepts most requests, some late, rejects others or forgets them; either side
// disconnects at random; everything is destroyed at the end.
class Life {
 public:
  Life(uint64_t seed, Loss loss)
      : network_(seed, loss), lossless_(loss.drop == 0), a_(network_, 1), b_(network_, 2) {
    a_.react = [this](Story& s, const Event& e) { react(a_, s, e); };
    b_.react = [this](Story& s, const Event& e) { react(b_, s, e); };
  }

  Outcome go(uint32_t connections) {
    for (uint32_t i = 0; i < connections; ++i) {
      Story& story = a_.open(b_);
      a_.data = {static_cast<uint8_t>(i), static_cast<uint8_t>(i >> 8)};
      EXPECT_EQ(a_.connect(story, 0x1000 + i), 0);
      network_.run(network_.now + network_.random.below(50'000'000));
      later();
    }
    for (int i = 0; i < 200; ++i) {
      network_.run(network_.now + 1'000'000'000);
      later();
    }
    network_.settle();
    check();
    Outcome outcome;
    for (const auto& story : a_.stories) {
      outcome.up += story->saw(reply);
      outcome.refused += story->saw(rejected) && !story->saw(reply);
      outcome.unreachable += story->saw(unreachable);
    }
    for (Host* host : {&a_, &b_}) {
      for (const auto& story : host->stories) {
        if (story->connection != nullptr) host->drop(*story);
      }
    }
    network_.settle();
    EXPECT_EQ(a_.machine.size(), 0u);
    EXPECT_EQ(b_.machine.size(), 0u);
    return outcome;
  }

 private:
  struct Due {
    uint64_t time;
    Host* host;
    Story* story;
  };

  void react(Host& host, Story& story, const Event& event) {
    Machine& machine = host.machine;
    const uint32_t dice = network_.random.below(100);
    switch (event.type) {
      case request:
        if (dice < 70) {
          host.accept(story, next_qpn_++);
        } else if (dice < 80) {
          machine.reject(event.connection, wire::cm_reject::consumer_defined, {}, network_.now);
        } else if (dice < 85) {
          host.drop(story);
        } else {
          due_.push_back({network_.now + network_.random.below(3'000'000'000u), &host, &story});
        }
        return;
      case reply:
        EXPECT_EQ(machine.send_rtu(event.connection), 0);
        [[fallthrough]];
      case established:
        due_.push_back({network_.now + network_.random.below(4'000'000'000u), &host, &story});
        return;
      case disconnect_request:
        EXPECT_EQ(machine.disconnect(event.connection, network_.now), 0);
        return;
      default:
        return;
    }
  }

  // Delayed actions of applications.
  void later() {
    for (std::size_t i = 0; i < due_.size();) {
      if (due_[i].time > network_.now) {
        ++i;
        continue;
      }
      auto [time, host, story] = due_[i];
      due_.erase(due_.begin() + static_cast<long>(i));
      if (story->connection == nullptr) continue;
      if (story->connection->state == State::req_received) {
        host->accept(*story, next_qpn_++);
      } else {
        host->machine.disconnect(*story->connection, network_.now);  // EINVAL where the peer was faster
      }
    }
  }

  // Each event comes at most once, in a possible order; and the two sides agree.
  void check() {
    for (Host* host : {&a_, &b_}) {
      for (const auto& story : host->stories) {
        for (EventType type :
             {request, reply, established, rejected, unreachable, disconnect_request, disconnected}) {
          EXPECT_LE(story->count(type), 1u);
        }
        EXPECT_LE(story->count(disconnect_request) + story->count(disconnected), 1u);
      }
    }
    for (const auto& story : a_.stories) {
      // Every attempt has exactly one end.
      EXPECT_EQ(
          story->count(reply) + story->count(unreachable) + (story->saw(reply) ? 0 : story->count(rejected)),
          1u);
    }
    // A request whose refusal was lost again and again counts as a new one at last, but never without
    // losses.
    if (lossless_) {
      EXPECT_LE(b_.stories.size(), a_.stories.size());
    }
  }

  Network network_;
  bool lossless_;
  Host a_, b_;
  std::vector<Due> due_;
  uint32_t next_qpn_ = 0x2000;
};

uint64_t first_seed() {
  const char* text = std::getenv("UROCE_CM_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 0) : 0;
}

TEST(CmSimulation, ConnectionsComeAndGoOverALossyNetwork) {
  const uint64_t only = first_seed();
  for (uint64_t seed = only != 0 ? only : 1; seed <= (only != 0 ? only : 40); ++seed) {
    SCOPED_TRACE("UROCE_CM_SEED=" + std::to_string(seed));
    const Loss loss{.drop = static_cast<uint32_t>(seed % 4) * 10,
                    .duplicate = static_cast<uint32_t>(seed % 3) * 15,
                    .longest_delay = seed % 2 == 0 ? 1'000'000u : 400'000'000u};
    const Outcome outcome = Life(seed, loss).go(150);
    printf("seed %llu drop %u%% duplicate %u%%: %u up, %u refused, %u unreachable\n",
           static_cast<unsigned long long>(seed), loss.drop, loss.duplicate, outcome.up, outcome.refused,
           outcome.unreachable);
    EXPECT_EQ(outcome.up + outcome.refused + outcome.unreachable, 150u);
    EXPECT_GT(outcome.up, 100u);
    if (loss.drop == 0) {
      EXPECT_EQ(outcome.unreachable, 0u);
    }
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace uroce::cm::test
