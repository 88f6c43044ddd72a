// Measurements over sockets, for figures that compare with those over verbs: TCP streams of chunks, streams
// of UDP datagrams, TCP and UDP ping-pongs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "bench/loop.h"

namespace vlbench {

enum class Direction { kOut, kIn, kBoth };  // way of a stream's bytes, seen from the initiator

struct TcpOptions : LoopOptions {
  std::string host = "127.0.0.1";
  uint16_t port = 0;
  Direction direction = Direction::kOut;
  uint32_t connections = 1;
  uint32_t socket_buffer = 0;  // SO_SNDBUF and SO_RCVBUF; 0: the kernel's own tuning
  bool no_delay = false;
  // Look at the unacknowledged bytes (SIOCOUTQ) after every so many chunks: gives chunks a latency from write
  // to the acknowledgment of the peer's TCP. 0: never.
  uint32_t ack_every = 1;
  // Bytes of memory that a stream walks through, chunk by chunk. 0: one chunk.
  uint64_t memory = 0;
};

struct UdpOptions : LoopOptions {
  std::string host = "127.0.0.1";
  uint16_t port = 0;
  bool connected = false;
  // A stream's: datagrams per send, by UDP_SEGMENT, and datagrams on their way.
  uint32_t segments = 1;
  uint32_t window = 128;
};

// Throw Failure(EINVAL) on options that cannot be. What fails later comes with the end of the loop.
std::unique_ptr<Loop> make_tcp_loop(const TcpOptions& options, Callbacks callbacks);
std::unique_ptr<Loop> make_udp_pingpong(const UdpOptions& options, Callbacks callbacks);
std::unique_ptr<Loop> make_udp_stream(const UdpOptions& options, Callbacks callbacks);

}  // namespace vlbench
