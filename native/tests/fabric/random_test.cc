// Fabrics at random: whatever they are, whatever their links lose and whatever changes while they run, nothing crashes,
// packets are conserved, every work request completes at most once and in order, and memory has what was written.
//
// FABRIC_SEED runs one seed, FABRIC_BASE_SEED begins at another one, FABRIC_SECONDS goes on for so long.
#include <chrono>
#include <cstdlib>
#include <map>

#include "check.h"
#include "random_scenario.h"
#include "sim/scenario/json.h"
#include "sim/scenario/pcap.h"
#include "sim/scenario/read.h"
#include "sim/scenario/report.h"
#include "sim/scenario/samples.h"

namespace vlsim {
namespace {

constexpr uint64_t kSeeds = 150;
// A run that makes more is not finished: all-to-all between fast hosts.
constexpr uint64_t kMostEvents = 400'000;

// Counts the completions of every queue pair between the fabric and the run.
class Counted final : public Listener {
 public:
  explicit Counted(Simulation& run) : run_(run) { run.fabric().set_listener(this); }
  void completed(Time now, Host& host, const uroce::transport::Completion& wc) override {
    if ((wc.wr_id >> 63) == 0) ++sends_[{host.index(), wc.qp_num}];
    run_.completed(now, host, wc);
  }
  void happens(Time now, const Event& event) override { run_.happens(now, event); }
  // Each request that was posted has completed once, or is still in its queue.
  void check() {
    for (const auto& flow : run_.flows().all()) {
      const uroce::transport::Qp* qp = run_.flows().connection(flow);
      if (qp == nullptr) continue;
      const uint64_t sent = sends_[{flow.poster, qp->qpn()}];
      EXPECT_EQ(sent, qp->next_wqe() - qp->send_queued())
          << "QP of flow " << &flow - run_.flows().all().data();
      EXPECT_LE(flow.done, flow.bytes);
      EXPECT_TRUE(flow.bytes == kEndless || flow.done <= flow.posted);
    }
    if (run_.flows().post_errors() == 0) return;
    // Only a queue pair that has failed takes no request.
    EXPECT_GT(totals(run_).failed, 0u);
  }

 private:
  Simulation& run_;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> sends_;
};

// Each byte of a host's memory is what all senders have there, or untouched.
uint8_t pattern(uint32_t at) { return static_cast<uint8_t>(mix(at) | 1); }

void fill_senders(Simulation& run) {
  for (auto& host : run.fabric().hosts) {
    if (host->index() == 0) continue;
    for (uint32_t i = 0; i < Host::kRealMemory; ++i) host->memory()[i] = pattern(i);
  }
}

void check_memory(Simulation& run) {
  const uint32_t message = run.scenario().transport.message_bytes;
  uint64_t least = 0;
  for (const Flow& flow : run.flows().all()) least = std::max(least, std::min<uint64_t>(flow.done, message));
  const uint8_t* memory = run.fabric().hosts[0]->memory();
  for (uint32_t i = 0; i < Host::kRealMemory; ++i) {
    if (memory[i] == pattern(i) || (i >= least && memory[i] == 0)) continue;
    FAIL() << "byte " << i << " is " << +memory[i] << ", and " << least << " bytes have been written";
  }
}

void run_one(uint64_t seed) {
  SCOPED_TRACE("again with FABRIC_SEED=" + std::to_string(seed));
  const RandomScenario made = random_scenario(seed);
  auto scenario = read_scenario(made.json);
  ASSERT_TRUE(scenario.has_value()) << scenario.error() << "\n" << made.json;
  scenario->payload = made.payload;
  const auto trace = [&](bool watched) {
    Simulation run(*scenario);
    Counted counted(run);
    if (made.payload) fill_senders(run);
    Samples samples(run);
    std::FILE* const file = std::fopen("/dev/null", "wb");
    Pcap pcap(file, {}, static_cast<uint32_t>(run.fabric().hosts.size()));
    if (watched) {
      run.fabric().set_tap(&pcap);
      run.on_sample([&](Time now) {
        const auto sample = parse_json(samples.line(now));
        EXPECT_TRUE(sample.has_value()) << sample.error();
      });
    }
    const Time step = scenario->duration / 100 + 1;
    for (Time t = 0; t < scenario->duration && run.fabric().stopped_because().empty();) {
      run.run(t = std::min(t + step, scenario->duration));
      if (run.fabric().events.pushed() > kMostEvents) break;
    }
    check_laws(run);
    counted.check();
    if (made.payload) check_memory(run);
    EXPECT_TRUE(parse_json(result_line(run)).has_value());
    for (const Mechanism& m : mechanisms(run)) EXPECT_TRUE(parse_json(mechanism_line(m)).has_value());
    for (uint32_t i = 0; i < run.flows().all().size(); ++i)
      EXPECT_TRUE(parse_json(flow_line(run, i)).has_value());
    std::fclose(file);
    return run.fabric().trace();
  };
  const uint64_t first = trace(true);
  if (seed % 8 == 0) {
    EXPECT_EQ(trace(false), first) << "samples or a capture change the run";
  }
  if (testing::Test::HasFailure())
    std::printf("seed %llu: %s", static_cast<unsigned long long>(seed), made.json.c_str());
}

uint64_t setting(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(RandomFabrics, KeepTheirLaws) {
  if (std::getenv("FABRIC_SEED") != nullptr) return run_one(setting("FABRIC_SEED", 1));
  const uint64_t first = setting("FABRIC_BASE_SEED", 1);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(setting("FABRIC_SECONDS", 0));
  uint64_t seed = first;
  for (; !HasFailure() && (seed < first + kSeeds || std::chrono::steady_clock::now() < end); ++seed)
    run_one(seed);
  std::printf("seeds %llu to %llu\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(seed - 1));
}

}  // namespace
}  // namespace vlsim
