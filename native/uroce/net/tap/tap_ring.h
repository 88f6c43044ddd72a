// Captured packets in memory, for uroce_tap_read: a ring of records in one buffer allocated at the start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "uroce/ext/uroce.h"
#include "uroce/net/tap/capture.h"

namespace uroce::net {

class TapRing final : public PacketConsumer {
 public:
  // Throws std::bad_alloc when max_bytes cannot be had.
  explicit TapRing(const uroce_tap_attr& attr);

  void on_packet(const CapturedPacket& packet) override;

  // See uroce_tap_read: 0 or ENOSPC.
  int read(void* buffer, std::size_t length, std::size_t* used);
  uint64_t dropped() const { return dropped_; }

 private:
  // Records lie in the buffer in the layout of uroce_tap_read, one behind another; one that does not fit
  // before the end starts at the front.
  struct Place {
    std::size_t offset;
    std::size_t size;
  };
  bool make_room(std::size_t size);

  std::size_t capacity_;
  uint32_t max_packets_;
  uint32_t snap_length_;
  bool keep_old_;
  std::unique_ptr<uint64_t[]> buffer_;
  std::deque<Place> places_;
  std::size_t write_ = 0;
  uint32_t seen_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace uroce::net
