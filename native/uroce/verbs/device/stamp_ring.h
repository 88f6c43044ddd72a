// Finished life-cycle stamps, for uroce_stamps_read.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>

#include "uroce/ext/uroce.h"
#include "uroce/transport/queues/completion.h"

namespace uroce::verbs {

class StampRing {
 public:
  explicit StampRing(const uroce_stamps_attr& attr)
      : max_(attr.max_records != 0 ? attr.max_records : 65536), every_(attr.every != 0 ? attr.every : 1) {}

  void add(const transport::WrStamps& s, uint64_t polled) {
    std::lock_guard guard(mutex_);
    if (++seen_ % every_ != 0) return;
    if (records_.size() >= max_) {
      records_.pop_front();
      ++dropped_;
    }
    records_.push_back({.wr_id = s.wr_id,
                        .qpn = s.qpn,
                        .opcode = static_cast<uint32_t>(s.opcode),
                        .byte_len = s.byte_len,
                        .status = static_cast<uint32_t>(s.status),
                        .posted = s.posted,
                        .first_tx = s.first_tx,
                        .last_tx = s.last_tx,
                        .acked = s.acked,
                        .cqe = s.cqe,
                        .polled = polled});
  }

  uint32_t read(uroce_stamp* out, uint32_t n, uint64_t* dropped) {
    std::lock_guard guard(mutex_);
    uint32_t got = 0;
    for (; got < n && !records_.empty(); ++got) {
      out[got] = records_.front();
      records_.pop_front();
    }
    if (dropped != nullptr) *dropped = dropped_;
    return got;
  }

 private:
  std::mutex mutex_;
  std::deque<uroce_stamp> records_;
  const uint32_t max_;
  const uint32_t every_;
  uint64_t seen_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace uroce::verbs
