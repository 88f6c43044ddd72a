// A filter in the kernel that passes to a socket only datagrams from given addresses, and management
// datagrams (queue pair 1) from anywhere.
//
// The filter judges only by addresses and ports, which all packets of a segmented datagram have in common,
// so it never drops a packet because of the one before it.
#pragma once

#include <cstddef>
#include <span>

#include "uroce/types.h"

namespace uroce::net {

inline constexpr std::size_t kMaxKnownSenders = 16;

// Addresses in `known` of the other IP version do not count. At a loopback address only the RoCE port is
// let through. Returns 0 or errno (E2BIG above kMaxKnownSenders).
int attach_sender_filter(int fd, const Gid& local, bool loopback, std::span<const Gid> known);

// Succeeds if no filter is attached.
void detach_filter(int fd);

}  // namespace uroce::net
