// sim_captures SEED COUNT: writes the traffic of COUNT simulated networks, and the cause of each packet, to
// the standard output (Recorder::write). Faults and timers are those of a real network, so that a capture
// of it can be explained.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "recorder.h"
#include "simulation.h"
#include "violation.h"

namespace uroce::sim {
namespace {

template <class T, size_t N>
T pick(SeededRandom& r, const T (&list)[N]) {
  return list[r.below(N)];
}

Faults some_faults(SeededRandom& r, uint32_t kind) {
  static constexpr uint32_t kRates[] = {0, 50, 200, 500};
  Faults f;
  if (kind <= 2) f.drop = pick(r, kRates);
  if (kind == 2 || kind == 3) f.corrupt = pick(r, kRates) / 2;
  if (kind == 4) f.duplicate = pick(r, kRates) / 2;
  if (kind == 5) f.reorder = pick(r, kRates) / 2;
  return f;
}

Scenario captured_scenario(SeededRandom& r) {
  Scenario s;
  // Either one kind of fault, or losses and damage. Losses with copies or late packets could not be told
  // apart.
  const uint32_t kind = r.below(6);
  for (Faults& f : s.faults) f = some_faults(r, kind);
  static constexpr uint32_t kPsPerByte[] = {80, 320, 800};
  s.link.ps_per_byte = pick(r, kPsPerByte);
  for (transport::EngineConfig& e : s.engine) {
    e.retry_seven_is_endless = true;
    e.window_packets = 8u << r.below(5);
    e.read_request_bytes = 1024u << r.below(4);
    e.ack_request_packets = 4u << r.below(5);
    e.ack_coalesce_packets = 1 + r.below(32);
    e.burst_packets = 1 + r.below(64);
  }
  s.connections = r.below(2) == 0 ? 1 : 2 + r.below(3);
  s.close_psns = false;  // PSNs tell connections apart
  s.shape.mtu = 256;
  s.shape.max_size = 1024u << r.below(4);
  s.shape.depth = 1 + r.below(8);
  s.shape.recv_depth = 1 + r.below(8);
  s.shape.rd_atomic = 1 + r.below(8);
  static constexpr uint32_t kRecvDelays[] = {1, 1, 200'000, 2'000'000};
  s.shape.rq_delay_ns = pick(r, kRecvDelays);
  s.shape.min_rnr_timer = static_cast<uint8_t>(1 + r.below(16));
  s.shape.timeout = static_cast<uint8_t>(10 + r.below(5));  // 4 ms to 67 ms
  s.shape.windows = r.below(4) == 0;
  s.shared_receives = r.below(4) == 0;
  s.idle_in = 1 + r.below(4);
  static constexpr uint32_t kFlags[] = {0, transport::kDeferAcks, transport::kDeferPiggybackAcks};
  s.ack_flags = pick(r, kFlags);
  return s;
}

}  // namespace
}  // namespace uroce::sim

int main(int argc, char** argv) {
  using namespace uroce::sim;
  if (argc != 3) {
    std::fputs("usage: sim_captures SEED COUNT\n", stderr);
    return 2;
  }
  const uint64_t first = std::strtoull(argv[1], nullptr, 0), count = std::strtoull(argv[2], nullptr, 0);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    try {
      Recorder recorder(seed, LinkShape{}.delay_ns);
      const Outcome outcome = run_simulation(seed, 400 + seed % 800, captured_scenario, &recorder);
      recorder.write(stdout, seed, outcome.description);
    } catch (const Violation& v) {
      std::fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, v.what());
      return 1;
    }
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}
