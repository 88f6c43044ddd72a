// Captured packets in a pcapng file (draft-ietf-opsawg-pcapng): one section, one interface of link type RAW
// (101), one enhanced packet block per RoCE packet, ns of CLOCK_REALTIME, direction in epb_flags.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "uroce/net/host/unique_fd.h"
#include "uroce/net/tap/capture.h"

namespace uroce::net {

class PcapngWriter final : public PacketConsumer {
 public:
  // Creates or truncates the file; `%p` in the path becomes the process id. The error is errno.
  static std::expected<std::unique_ptr<PcapngWriter>, int> open(const std::string& path);
  ~PcapngWriter() override;

  // Packets that the fault injector dropped never reached the wire and are left out.
  void on_packet(const CapturedPacket& packet) override;
  // Writes out the buffer. 0, or the errno of the first write that failed.
  int flush();
  // Like flush(), if a packet has been waiting for a fifth of a second: a killed program should leave a
  // useful file.
  void flush_if_old(uint64_t now);

 private:
  explicit PcapngWriter(UniqueFd fd);
  void put(const void* data, std::size_t length);
  void put32(uint32_t value) { put(&value, sizeof value); }
  void write_file_header();

  UniqueFd fd_;
  std::vector<uint8_t> buffer_;
  uint64_t to_realtime_ = 0;  // CLOCK_REALTIME - CLOCK_MONOTONIC
  uint64_t oldest_ = 0;       // time of the first packet in the buffer
  int error_ = 0;
};

}  // namespace uroce::net
