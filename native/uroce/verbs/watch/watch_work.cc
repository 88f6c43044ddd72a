// Counts work requests and completions, and shows those for which the feed has room.
#include "uroce/verbs/watch/watch_work.h"

#include <arpa/inet.h>

#include <algorithm>

#include "uroce/verbs/watch/watch_feed.h"

namespace uroce::verbs::watch {
namespace {

void show_life(const transport::WrStamps& s, uint64_t polled) {
  feed::Feed& f = feed::feed();
  if (!f.lives.open()) return f.lives.drop(1);
  const feed::LifeRecord record{.wr_id = s.wr_id,
                                .qpn = s.qpn,
                                .opcode = static_cast<uint32_t>(s.opcode),
                                .byte_len = s.byte_len,
                                .status = static_cast<uint32_t>(s.status),
                                .posted = f.after_epoch(s.posted),
                                .first_tx = f.after_epoch(s.first_tx),
                                .last_tx = f.after_epoch(s.last_tx),
                                .acked = f.after_epoch(s.acked),
                                .cqe = f.after_epoch(s.cqe),
                                .polled = f.after_epoch(polled)};
  f.lives.put(&record, sizeof record);
}

// The first failure of each kind on a QP is an event of its own; a flush is not: it follows from another.
void show_failure(const ibv_wc& wc) {
  if (wc.status == IBV_WC_WR_FLUSH_ERR) return;
  const std::string key = std::to_string(wc.qp_num) + " " + std::to_string(wc.status);
  {
    std::lock_guard guard(work().mutex);
    auto& failures = work().failures;
    if (failures.contains(key) || failures.size() >= kFailuresOfAll) return;
    failures.emplace(key, 1);
  }
  feed::Object out("wc");
  out.text("wrId", std::to_string(wc.wr_id)).number("qpn", wc.qp_num).number("status", wc.status);
  queue(out.number("vendorErr", wc.vendor_err));
}

// A send, with the moments at which it was posted and completed.
void follow_send(Work& w, const transport::WrStamps& s) {
  uint64_t first = get(w.first_posted);
  while ((first == 0 || s.posted < first) &&
         !w.first_posted.compare_exchange_weak(first, s.posted, std::memory_order_relaxed)) {
  }
  if (s.posted < get(w.last_cqe)) w.overlapped.store(true, std::memory_order_relaxed);
  // An unsignaled one has no CQE: its peer has acknowledged it.
  if (const uint64_t done = std::max(s.cqe, s.acked); done != 0)
    w.last_cqe.store(done, std::memory_order_relaxed);
}

}  // namespace

void posted(const ibv_send_wr* wr, const ibv_send_wr* end) {
  for (; wr != end; wr = wr->next) {
    if (raw(wr->opcode) < kOpcodeCount) add(work().sends[raw(wr->opcode)], 1);
  }
}

void posted(const ibv_recv_wr* wr, const ibv_recv_wr* end, bool shared) {
  uint64_t n = 0;
  for (; wr != end; wr = wr->next) ++n;
  add(shared ? work().shared_receives : work().receives, n);
}

void polled(const ibv_wc* wc, const transport::WrStamps* stamps, uint32_t n) {
  Work& w = work();
  feed::Feed& f = feed::feed();
  const uint64_t now = net::now_ns();
  uint64_t none = 0;
  const bool first = get(w.first_polled) == 0 &&
                     w.first_polled.compare_exchange_strong(none, now, std::memory_order_relaxed);
  w.last_polled.store(now, std::memory_order_relaxed);
  uint64_t bytes[kMoveCount]{}, good = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const bool received = wc[i].status == IBV_WC_SUCCESS && (wc[i].opcode & IBV_WC_RECV) != 0;
    if (wc[i].status == IBV_WC_SUCCESS) {
      ++good;
      bytes[move_of(wc[i].opcode)] += received ? wc[i].byte_len : stamps[i].valid ? stamps[i].byte_len : 0;
    } else {
      if (wc[i].status < kStatusCount) add(w.statuses[wc[i].status], 1);
      show_failure(wc[i]);
    }
    // Another thread wrote the completion, and its clock may be ahead of this one's by a little.
    const uint64_t at = std::max({now, stamps[i].posted, stamps[i].cqe});
    if (stamps[i].valid) {
      follow_send(w, stamps[i]);
      show_life(stamps[i], at);
    }
    if (!f.completions.open()) {
      f.completions.drop(1);
      continue;
    }
    const uint64_t cqe = stamps[i].cqe != 0 ? stamps[i].cqe : at;
    const uint64_t latency = stamps[i].valid ? cqe - stamps[i].posted : 0;
    const feed::CompletionRecord record{
        .t = f.after_epoch(at),
        .wr_id = wc[i].wr_id,
        .qpn = wc[i].qp_num,
        .meta = (raw(wc[i].opcode) & 0xff) | (wc[i].status & 0xffu) << 8 | (wc[i].wc_flags & 0xffffu) << 16,
        .byte_len = received || !stamps[i].valid ? wc[i].byte_len : stamps[i].byte_len,
        .imm = ntohl(wc[i].imm_data),
        .latency = static_cast<uint32_t>(std::min<uint64_t>(latency, UINT32_MAX)),
        .batch = n};
    f.completions.put(&record, sizeof record);
  }
  add(w.statuses[IBV_WC_SUCCESS], good);
  for (uint32_t i = 0; i < kMoveCount; ++i) {
    if (bytes[i] != 0) add(w.bytes[i], bytes[i]);
  }
  if (first) w.bytes_at_first.store(bytes_of(w), std::memory_order_relaxed);
  add(w.messages, good);
}

void retired(const transport::WrStamps& stamps) {
  add(work().unsignaled, 1);
  add(work().messages, 1);
  add(work().bytes[move_of(stamps.opcode)], stamps.byte_len);
  follow_send(work(), stamps);
  show_life(stamps, 0);
}

}  // namespace uroce::verbs::watch
