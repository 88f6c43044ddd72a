// Many processes behind two addresses connect, accept, close their listeners early, stall and die while the
// network loses, duplicates and reorders, by printed seeds. UROCE_CM_SEED=<n> runs only one. The cluster
// checks at every event that no stray message ends a connection and that no living listener's request is
// refused.
#include "cluster.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/under_sanitizers.h"
#include "uroce/cm/protocol/machine_times.h"

namespace uroce::cm::test {
namespace {

constexpr uint16_t kPorts = 5;  // from 7000 on, of each address

class Programs {
 public:
  Programs(uint64_t seed, Loss loss) : cluster_(seed, loss) {
    cluster_.react = [this](End& end, const Event& event) { react(end, event); };
  }

  void go(uint32_t steps) {
    for (uint32_t i = 0; i < steps && !::testing::Test::HasFailure(); ++i) {
      step();
      cluster_.run(cluster_.now + random().below(30'000'000));
      later();
      for (const auto& process : cluster_.processes) {
        EXPECT_LE(process->machine.size(), process->ends.size() + kMostRemembered + 1000);
        EXPECT_LE(process->dispatch.waiting(), 1024u);
      }
    }
    if (::testing::Test::HasFailure()) return;
    cluster_.run(cluster_.now + 10'000'000'000);
    due_.clear();
    for (const auto& process : cluster_.processes) process->drop_all();
    cluster_.run(cluster_.now + 4'000'000'000'000u);
    for (const auto& process : cluster_.processes) {
      EXPECT_EQ(process->machine.size(), 0u);
      EXPECT_EQ(process->dispatch.waiting(), 0u);
      EXPECT_EQ(process->dispatch.next_wake(), kNever);
    }
    for (const Site& site : cluster_.sites) EXPECT_TRUE(site.names.empty());
  }

  uint32_t up = 0, refused = 0, unreachable = 0;

 private:
  struct Due {
    uint64_t time;
    End* end;
  };

  SeededRandom& random() { return cluster_.random; }
  Process* any_process() {
    if (cluster_.processes.empty()) return nullptr;
    const uint32_t n = random().below(static_cast<uint32_t>(cluster_.processes.size()));
    return std::next(cluster_.processes.begin(), n)->get();
  }
  Site& any_site() { return *std::next(cluster_.sites.begin(), random().below(2)); }
  uint16_t any_port() { return static_cast<uint16_t>(7000 + random().below(kPorts)); }

  void step() {
    Process* process = any_process();
    if (process == nullptr || cluster_.processes.size() < 4) {
      cluster_.start(any_site());
      return;
    }
    const uint32_t dice = random().below(100);
    if (dice < 55) {
      process->connect(any_site().gid, any_port());
    } else if (dice < 80) {
      process->listen(any_port(), random().below(2) == 0);
    } else if (dice < 86) {
      if (!process->listeners.empty()) process->close(&process->listeners.front());
    } else if (dice < 92) {
      if (cluster_.processes.size() < 12) cluster_.start(any_site());
    } else if (dice < 96) {
      process->stalled_until = cluster_.now + random().below(800'000'000);
    } else if (dice < 98) {
      forget(*process);
      cluster_.kill(*process);
    } else {
      forget(*process);
      process->drop_all();
      cluster_.kill(*process);
    }
  }

  void forget(const Process& process) {
    std::erase_if(due_, [&](const Due& due) { return due.end->process == &process; });
  }
  void forget(const End& end) {
    std::erase_if(due_, [&](const Due& due) { return due.end == &end; });
  }

  void react(End& end, const Event& event) {
    Process& process = *end.process;
    const uint32_t dice = random().below(100);
    const auto within = [&](uint64_t ns) { return cluster_.now + random().next64() % ns; };
    switch (event.type) {
      case EventType::request: {
        auto* listener = static_cast<Listener*>(event.listener);
        if (listener->once) process.close(listener);
        if (dice < 10) {
          end.attempt->may_be_refused = end.attempt->over = true;
          process.machine.reject(*end.connection, wire::cm_reject::consumer_defined, {}, cluster_.now);
        } else if (dice < 50) {
          process.accept(end);
        } else {
          due_.push_back({within(2'000'000'000), &end});
        }
        return;
      }
      case EventType::reply:
        ++up;
        EXPECT_EQ(process.machine.send_rtu(*end.connection), 0);
        end.attempt->client_up = true;
        [[fallthrough]];
      case EventType::established:
        due_.push_back({within(4'000'000'000), &end});
        return;
      case EventType::disconnect_request:
        EXPECT_EQ(process.machine.disconnect(*end.connection, cluster_.now), 0);
        return;
      case EventType::rejected:
        refused += end.active;
        return;
      case EventType::unreachable:
        unreachable += end.active;
        return;
      default:
        return;
    }
  }

  // Delayed actions of programs: accept, then disconnect, then destroy.
  void later() {
    std::vector<End*> now;
    std::erase_if(due_, [&](const Due& due) {
      if (due.time > cluster_.now) return false;
      now.push_back(due.end);
      return true;
    });
    for (End* end : now) {
      Process& process = *end->process;
      if (end->connection->state == State::req_received) {
        process.accept(*end);
      } else if (random().below(2) == 0) {
        end->attempt->over = true;
        if (!end->active) end->attempt->may_be_refused = true;
        process.machine.disconnect(*end->connection, cluster_.now);
      } else {
        forget(*end);
        process.drop(end);
      }
    }
  }

  Cluster cluster_;
  std::vector<Due> due_;
};

TEST(CmCluster, NoStrayMessageEndsAConnection) {
  const char* text = std::getenv("UROCE_CM_SEED");
  const uint64_t only = text != nullptr ? std::strtoull(text, nullptr, 0) : 0;
  const uint64_t last = only != 0 ? only : kUnderSanitizers ? 20 : 60;
  for (uint64_t seed = only != 0 ? only : 1; seed <= last; ++seed) {
    SCOPED_TRACE("UROCE_CM_SEED=" + std::to_string(seed));
    const Loss loss{.drop = static_cast<uint32_t>(seed % 4) * 8,
                    .duplicate = static_cast<uint32_t>(seed % 3) * 15,
                    .longest_delay = seed % 2 == 0 ? 1'000'000u : 400'000'000u};
    Programs programs(seed, loss);
    programs.go(1500);
    printf("seed %llu drop %u%% duplicate %u%%: %u up, %u refused, %u unreachable\n",
           static_cast<unsigned long long>(seed), loss.drop, loss.duplicate, programs.up, programs.refused,
           programs.unreachable);
    EXPECT_GT(programs.up, 50u);
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace uroce::cm::test
