// Shows packets to the feed: the first ones whole, then a stretch of them every tick with the headers and a
// little of the payload. The others are counted.
#pragma once

#include "uroce/feed/message.h"
#include "uroce/feed/record_buffer.h"
#include "uroce/net/tap/capture.h"

namespace uroce::feed {

class Tap final : public net::PacketConsumer {
 public:
  // epoch: of the records' times (Feed::epoch).
  Tap(RecordBuffer& records, uint64_t epoch) : records_(records), epoch_(epoch) {}

  bool wants() const override { return records_.open(); }
  void passed(uint32_t packets) override;
  void on_packet(const net::CapturedPacket& packet) override;

 private:
  static constexpr uint32_t kWhole = 1000;  // packets
  static constexpr uint32_t kSnap = 192;    // bytes

  RecordBuffer& records_;
  const uint64_t epoch_;
  uint32_t seen_ = 0;
};

}  // namespace uroce::feed
