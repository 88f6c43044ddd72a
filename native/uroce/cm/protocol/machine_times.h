// How long the connection manager waits, and how often it tries.
#pragma once

#include <cstddef>
#include <cstdint>

namespace uroce::cm {

inline constexpr uint64_t kTimeUnit = 4096;              // ns; timeouts on the wire are this x 2^n
inline constexpr uint8_t kResponseTimeout = 20;          // exponent: 4.3 s, as rdma_cm tells its peers
inline constexpr uint64_t kFirstInterval = 250'000'000;  // ns until the first repetition
inline constexpr uint64_t kLongestInterval = kTimeUnit << kResponseTimeout;
inline constexpr uint32_t kTries = 15;                        // repetitions; four bits in REQ
inline constexpr uint32_t kDreqTries = 4;                     // 0.25 + 0.5 + 1 + 2 + 4 s
inline constexpr uint8_t kServiceTimeout = 24;                // exponent in MRA: 69 s, as rdma_cm
inline constexpr uint8_t kAckDelay = 15;                      // exponent: the device's local ACK delay
inline constexpr uint64_t kShortestTimewait = 1'000'000'000;  // ns

// Connections that are over and that no id has any more are remembered for their timewait, so that duplicates
// are answered the same. The oldest of more than this many is forgotten: anyone can send requests.
inline constexpr std::size_t kMostRemembered = 4096;

}  // namespace uroce::cm
