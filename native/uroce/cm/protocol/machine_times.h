// Timeouts and retry counts of the connection manager.
#pragma once

#include <cstddef>
#include <cstdint>

namespace uroce::cm {

inline constexpr uint64_t kTimeUnit = 4096;              // ns; timeouts on the wire are this x 2^n
inline constexpr uint8_t kResponseTimeout = 20;          // exponent: 4.3 s, as rdma_cm tells its peers
inline constexpr uint64_t kFirstInterval = 250'000'000;  // ns until the first repetition
inline constexpr uint64_t kLongestInterval = kTimeUnit << kResponseTimeout;
inline constexpr uint32_t kTries = 15;                        // repetitions; REQ has four bits for them
inline constexpr uint32_t kDreqTries = 4;                     // 0.25 + 0.5 + 1 + 2 + 4 s
inline constexpr uint8_t kServiceTimeout = 24;                // exponent in MRA: 69 s, as rdma_cm
inline constexpr uint8_t kAckDelay = 15;                      // exponent: the device's local ACK delay
inline constexpr uint64_t kShortestTimewait = 1'000'000'000;  // ns

// Connections that are over and have no ID any more are remembered for their timewait, so that duplicates
// get the same answer. Anyone can send requests, so beyond this number the oldest one is forgotten.
inline constexpr std::size_t kMostRemembered = 4096;

}  // namespace uroce::cm
