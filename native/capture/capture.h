// A libpcap handle on one interface, for RoCEv2.
#pragma once

#include <pcap/pcap.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "capture/record.h"
#include "uroce/error.h"

namespace vlcapture {

// Thrown with one of these codes: EINVAL (usage), EPERM (CAP_NET_RAW is missing), ENODEV (no interface of
// that name, or it is down), EIO (anything else).
using uroce::Error;

struct Options {
  std::string interface;
  int snap = 0;                   // bytes kept of an IP packet; 0: what the MTU allows
  int buffer = 32 * 1024 * 1024;  // bytes of the kernel's ring
};

// Throws Error (EPERM) when this process may not open a packet socket (packet(7)).
void check_permission();

class Capture {
 public:
  // `time_ns` CLOCK_MONOTONIC; `packet` from the IP header on; `original` its bytes on the wire.
  using Sink = std::function<void(uint64_t time_ns, std::span<const uint8_t> packet, size_t original)>;

  // Packets are caught from here on. Throws Error.
  explicit Capture(const Options& options);

  // Readable (poll(2)) when packets wait.
  int fd() const;
  // Hands over what waits, up to what came before the call. Throws Error.
  void drain(const Sink& sink);
  Counts counts() const;

 private:
  struct Close {
    void operator()(pcap_t* handle) const noexcept { pcap_close(handle); }
  };
  static void on_packet(unsigned char* self, const pcap_pkthdr* header, const unsigned char* bytes) noexcept;

  std::unique_ptr<pcap_t, Close> handle_;
  int link_ = 0;
  size_t snap_ = 0;  // bytes kept, from the IP header on
  const Sink* sink_ = nullptr;
  int64_t real_to_monotonic_ns_ = 0;
  uint64_t last_ns_ = 0;
};

}  // namespace vlcapture
