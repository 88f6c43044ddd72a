#include "scenario.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace uroce::sim {
namespace {

// 0 in a third of the cases, else up to 20 %.
uint32_t rate(SeededRandom& r) { return r.below(3) == 0 ? 0 : r.below(2001); }

Faults make_faults(SeededRandom& r) {
  Faults f;
  f.drop = rate(r);
  f.duplicate = rate(r);
  f.reorder = rate(r);
  f.delay = rate(r);
  f.corrupt = rate(r);
  return f;
}

transport::EngineConfig make_engine(SeededRandom& r) {
  transport::EngineConfig e;
  e.retry_seven_is_endless = true;
  e.window_packets = 1u << r.below(9);
  e.window_bytes = r.below(2) == 0 ? 1u << 30 : 256u << r.below(10);
  e.engine_window_bytes = r.below(2) == 0 ? 1ull << 40 : 4096ull << r.below(8);
  e.read_request_bytes = 256u << r.below(10);
  e.ack_request_packets = 1 + r.below(64);
  e.ack_coalesce_packets = 1 + r.below(32);
  e.ack_delay_ns = r.below(50'000);
  e.burst_packets = 1 + r.below(64);
  return e;
}

}  // namespace

Scenario make_scenario(SeededRandom& r) {
  Scenario s;
  s.faultless = r.below(8) == 0;
  if (!s.faultless) {
    s.faults[0] = make_faults(r);
    s.faults[1] = r.below(2) == 0 ? s.faults[0] : make_faults(r);
  }
  static constexpr uint32_t kPsPerByte[] = {0, 0, 80, 800, 3200};
  s.link.ps_per_byte = kPsPerByte[r.below(std::size(kPsPerByte))];
  s.engine[0] = make_engine(r);
  s.engine[1] = r.below(2) == 0 ? s.engine[0] : make_engine(r);
  static constexpr uint16_t kMtus[] = {256, 256, 256, 512, 1024, 2048, 4096};
  s.shape.mtu = kMtus[r.below(std::size(kMtus))];
  s.connections = r.below(3) == 0 ? 2 + r.below(7) : 1;
  s.shape.max_size = s.connections == 1 && r.below(2) == 0 ? 1 << 20 : 1 << 16;
  s.shape.depth = 1 + r.below(32);
  s.shape.recv_depth = 1 + r.below(s.shape.max_size > 1 << 16 ? 4 : 16);
  s.shape.rd_atomic = 1 + r.below(8);
  // From receives that are always there to ones that come long after their messages.
  static constexpr uint32_t kRecvDelays[] = {1, 20'000, 200'000, 2'000'000, 10'000'000};
  s.shape.rq_delay_ns = 1 + r.below(kRecvDelays[r.below(std::size(kRecvDelays))]);
  s.shape.min_rnr_timer = static_cast<uint8_t>(1 + r.below(8));
  // The ACK timeout is longer than a window takes with the link's pauses; else every window would be sent
  // again and again.
  const uint64_t window =
      uint64_t{std::max(s.engine[0].window_packets, s.engine[1].window_packets)} * s.connections;
  const uint64_t pauses =
      2 * s.link.delay_ns * window * std::max(s.faults[0].delay, s.faults[1].delay) / 10'000;
  const uint64_t sending = 2 * window * (s.shape.mtu + 100u) * s.link.ps_per_byte / 1000;
  const uint64_t round_trip_ns = 50'000 + pauses + sending;
  while ((4096ull << s.shape.timeout) < 3 * round_trip_ns) ++s.shape.timeout;
  s.shape.timeout = static_cast<uint8_t>(s.shape.timeout + r.below(3));
  s.idle_in = 1 + r.below(4);
  s.ecn = rate(r);
  static constexpr uint32_t kFlags[] = {0, transport::kDeferAcks, transport::kDeferPiggybackAcks};
  s.ack_flags = kFlags[r.below(std::size(kFlags))];
  s.ack_now_in = 1 + r.below(4);
  s.ipv6 = r.below(2) == 0;
  s.shared_words = r.below(2) == 0;
  s.shared_cq = r.below(2) == 0;
  s.stamping = r.below(3) == 0;
  s.changing_windows = r.below(4) == 0;
  s.shared_receives = r.below(3) == 0;
  s.shape.windows = r.below(3) == 0;
  if (!s.faultless && r.below(4) == 0) s.path_full = 1 + r.below(500);
  return s;
}

std::string describe(const Scenario& s) {
  char text[500];
  int n = std::snprintf(text, sizeof text,
                        "%u x mtu %u, up to %u B, depth %u, windows %u/%u, timeout %u, faults %%",
                        s.connections, s.shape.mtu, s.shape.max_size, s.shape.depth,
                        s.engine[0].window_packets, s.engine[1].window_packets, s.shape.timeout);
  for (const Faults& f : s.faults) {
    n += std::snprintf(text + n, sizeof text - static_cast<size_t>(n),
                       " [drop %.1f dup %.1f reorder %.1f delay %.1f corrupt %.1f]", f.drop / 100.0,
                       f.duplicate / 100.0, f.reorder / 100.0, f.delay / 100.0, f.corrupt / 100.0);
  }
  n += std::snprintf(text + n, sizeof text - static_cast<size_t>(n), "%s%s%s",
                     s.shared_receives ? ", SRQ" : "", s.shape.windows ? ", windows" : "",
                     s.path_full != 0 ? ", paths without room" : "");
  const transport::QpPolicy& policy = s.engine[0].policy;
  static constexpr const char* kLaws[] = {"", ", DCQCN", ", Swift", ", TIMELY"};
  static constexpr const char* kRecoveries[] = {"", ", go-back-0", ", selective repeat"};
  n += std::snprintf(text + n, sizeof text - static_cast<size_t>(n), "%s", kLaws[policy.congestion.index()]);
  for (const transport::EngineConfig& e : s.engine) {
    n += std::snprintf(text + n, sizeof text - static_cast<size_t>(n), "%s",
                       kRecoveries[static_cast<size_t>(e.policy.recovery)]);
  }
  return text;
}

}  // namespace uroce::sim
