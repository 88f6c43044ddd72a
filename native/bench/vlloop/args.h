// Command line of vlloop.
#pragma once

#include <cstdint>
#include <string>

namespace vlloop {

enum class Transport { kRdma, kTcp, kUdp };

struct Args {
  Transport transport = Transport::kRdma;
  std::string host;  // empty: this is the server
  uint16_t port = 18600;
  // Options of this side.
  std::string library = "system";
  std::string device;
  int gid_index = -1;
  bool series = false;
  bool show_qps = false;
  // Options of the client, which the server learns from it.
  std::string op = "write";
  bool latency = false;
  uint64_t size = 65536;
  uint64_t iterations = 0;
  double seconds = 0;
  double omit = 0;
  uint32_t tx_depth = 128;
  uint32_t rx_depth = 512;
  uint32_t post_list = 1;
  uint32_t cq_mod = 0;  // 0: 100, or 1 for latency
  uint32_t qps = 1;
  uint32_t places = 1;
  uint32_t inline_size = 0;
  uint32_t mtu = 0;  // 0: the smaller active MTU
  double rate = 0;
  bool event = false;
  bool busy = false;
  bool connected = false;
  uint32_t segments = 1;
  std::string direction = "out";
  uint32_t ack_every = 1;
};

// Prints help or a complaint and ends the process when there is nothing to run.
Args parse(int argc, char** argv);

}  // namespace vlloop
