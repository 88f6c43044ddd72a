// A switch: its settings, its buffer and the way to each host. What it does is in switching.cc and pause.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/core/random.h"
#include "sim/fabric/buffer.h"

namespace vlsim {

// Marks ECN-capable packets by the length of their queue (RED): none below low, all from high on, between them a share
// that grows up to `share`.
struct EcnSettings {
  bool on = false;
  bool at_enqueue = false;    // else when a packet leaves its queue
  uint64_t low = 400'000;     // bytes
  uint64_t high = 1'600'000;  // bytes
  uint32_t share_ppm = 200'000;
  // Weight of a packet that arrives, in the average length of its queue that marks follow, in units of 2^-16; kInstantaneous: the
  // length itself.
  uint32_t weight = kInstantaneous;

  static constexpr uint32_t kInstantaneous = 1 << 16;
};

// ecmp: by a hash of the flow. spray: at random for each packet. fixed: connections of a host take the paths in turn.
enum class Spread : uint8_t { ecmp, spray, fixed };

struct WatchdogSettings {
  Time detect = 0;  // a queue paused this long without a break; 0: no watchdog
  Time restore = 200 * kMs;
  bool drops = true;  // else it sends in spite of the PAUSE
};

struct SwitchSettings {
  BufferSettings buffer;
  EcnSettings ecn;
  WatchdogSettings watchdog;
  Time latency = 0;  // time in the pipeline
  bool cut_through = false;
  Spread spread = Spread::ecmp;
  uint16_t pause_quanta = 65535;
  uint32_t strict = 1u << 6;  // bit per class that goes ahead of all others
  std::array<uint32_t, kClasses> weights{1, 1, 1, 1, 1, 1, 1, 1};  // for DWRR, packets of the largest size
};

struct Switch {
  Switch(uint32_t number, const SwitchSettings& settings, uint64_t seed)
      : index(number), set(settings), buffer(settings.buffer, 0), hash_seed(seed), random(mix(seed)) {}

  uint32_t index;
  SwitchSettings set;
  SharedBuffer buffer;
  std::vector<uint32_t> ports;  // the fabric's
  // For each host the number of its group: ports of the switch that lead there.
  std::vector<uint16_t> routes;
  std::vector<std::vector<uint32_t>> groups;
  std::vector<uint16_t> first_routes;  // those at the start, once one was changed
  uint64_t hash_seed;
  uint32_t stride =
      1;  // Spread::fixed: connections in a row that share a path here, since the tier below parts them
  SeededRandom random;
  std::vector<std::pair<uint32_t, uint32_t>> stopped;  // port of the switch and class whose peer is paused
  uint64_t watchdog_actions = 0;
};

}  // namespace vlsim
