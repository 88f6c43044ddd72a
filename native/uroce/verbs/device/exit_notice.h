// Last actions of the device when its process ends other than by ibv_close_device.
//
// A NIC outlives the process that uses it and acknowledges the data it has received. Here the engine ends
// with the process, and an ACK that waits to be piggybacked would be lost. So the device watches the ways
// in which a process can end: _exit, its variants and exec* by functions in front of the C library's, fatal
// signals by a handler where the program has left the default. All of them ask the engine thread, which is
// in no signal handler, and wait for it for a bounded time.
#pragma once

#include <signal.h>

#include <cstdint>

namespace uroce::verbs::exit_notice {

inline constexpr uint32_t kAcks = 1;    // send pending ACKs and the posts left to be merged
inline constexpr uint32_t kLeave = 2;   // end connections, write the capture, and defer nothing from now on
inline constexpr uint32_t kReport = 4;  // the misuse report, and the last of the feed
inline constexpr uint32_t kStatistics = 8;  // counters and CPU time, as UROCE_STATS asks

// Longest time that packets wait for a ring to be accepted, ns.
inline constexpr uint64_t kOpening = 200'000'000;

// Runs these parts if this process has the device open. False if they were not done in time.
bool send(uint32_t parts);

// Watches fatal signals from now on.
void watch_signals();
// True if this is a watched signal.
bool watches(int number);
// The handler installed instead of the default action; show_default() shows it to the program as the
// default.
struct sigaction watching();
void show_default(struct sigaction& action);

}  // namespace uroce::verbs::exit_notice
