// Exhausted retries: the right status at the right time, everything behind it flushed, and memory that
// holds only a beginning of the requested data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <vector>

#include "duo.h"
#include "options.h"
#include "uroce/wire/ext_headers.h"

namespace uroce::sim {
namespace {

constexpr uint64_t kTimeoutNs = 4096ull << 8;

transport::SendWr write_of(const Duo::End& peer, const transport::Sge& source, uint64_t id,
                           bool signaled = true) {
  transport::SendWr wr;
  wr.wr_id = id;
  wr.opcode = WrOpcode::rdma_write;
  wr.flags = signaled ? send_flag::signaled : 0;
  wr.sg_list = &source;
  wr.num_sge = 1;
  wr.remote_addr = Duo::kIova;
  wr.rkey = peer.key;
  return wr;
}

TEST(Exhaust, SilentPeerGivesRetryExceededAfterEveryTry) {
  for (uint8_t retries = 0; retries <= 7; ++retries) {
    DuoSetup s;
    s.faults[0].drop = 10'000;
    s.retry_cnt = retries;
    Duo duo(s);
    Duo::End& a = duo.end(0);
    const transport::Sge source = a.sge(0, 3000);
    const uint64_t start = duo.now();
    // The WR behind it is unsignaled, but a flushed WR completes in any case.
    ASSERT_EQ(a.engine.post_send(*a.qp, write_of(duo.end(1), source, 1), start), 0);
    ASSERT_EQ(a.engine.post_send(*a.qp, write_of(duo.end(1), source, 2, false), start), 0);
    duo.run();
    ASSERT_EQ(a.done.size(), 2u);
    EXPECT_EQ(a.done[0].wr_id, 1u);
    EXPECT_EQ(a.done[0].status, WcStatus::retry_exc_err);
    EXPECT_EQ(a.done[1].wr_id, 2u);
    EXPECT_EQ(a.done[1].status, WcStatus::wr_flush_err);
    EXPECT_EQ(duo.now() - start, (retries == 0 ? 1u : 4u * retries - 1) * kTimeoutNs);  // 1, 2, 4, 4 …
    EXPECT_EQ(a.qp->state(), QpState::err);
    // Twice all six; then, of a window of 128 packets, an eighth of an eighth, and one.
    constexpr uint32_t kSent[] = {6, 12, 14, 15, 16, 17, 18, 19};
    EXPECT_EQ(a.engine.counters().sent_pkts, kSent[retries]);
    EXPECT_EQ(a.engine.counters().retry_exceeded_err, 1u);
    EXPECT_EQ(duo.end(1).done.size(), 0u);
  }
}

TEST(Exhaust, MissingReceiveGivesRnrRetryExceededAfterEveryTry) {
  for (uint8_t retries = 0; retries <= 6; ++retries) {
    DuoSetup s;
    s.rnr_retry = retries;
    s.min_rnr_timer = 7;  // 120 us
    Duo duo(s);
    Duo::End &a = duo.end(0), &b = duo.end(1);
    const transport::Sge source = a.sge(0, 100);
    transport::SendWr wr = write_of(b, source, 1);
    wr.opcode = WrOpcode::send;
    const uint64_t start = duo.now();
    ASSERT_EQ(a.engine.post_send(*a.qp, wr, start), 0);
    duo.run();
    ASSERT_EQ(a.done.size(), 1u);
    EXPECT_EQ(a.done[0].status, WcStatus::rnr_retry_exc_err);
    EXPECT_EQ(a.engine.counters().rcvd_rnr_err, retries + 1u);
    EXPECT_EQ(duo.now() - start,
              retries * wire::aeth::kRnrTimerUs[7] * 1000 + (retries + 1) * 2 * s.link.delay_ns);
    EXPECT_EQ(a.qp->state(), QpState::err);
    EXPECT_EQ(b.qp->state(), QpState::rts);
  }
}

TEST(Exhaust, RnrRetrySevenWaitsForEver) {
  DuoSetup s;
  s.min_rnr_timer = 7;
  Duo duo(s);
  Duo::End &a = duo.end(0), &b = duo.end(1);
  const transport::Sge source = a.sge(0, 100);
  transport::SendWr wr = write_of(b, source, 1);
  wr.opcode = WrOpcode::send;
  ASSERT_EQ(a.engine.post_send(*a.qp, wr, duo.now()), 0);
  while (a.engine.counters().rcvd_rnr_err < 1000) ASSERT_TRUE(duo.step());
  EXPECT_TRUE(a.done.empty());
  const transport::Sge buffer = b.sge(0, 100);
  ASSERT_EQ(b.engine.post_recv(*b.qp, {9, &buffer, 1}), 0);
  duo.run();
  ASSERT_EQ(a.done.size(), 1u);
  EXPECT_EQ(a.done[0].status, WcStatus::success);
  ASSERT_EQ(b.done.size(), 1u);
  EXPECT_EQ(b.done[0].byte_len, 100u);
}

// Random work over a network that loses a lot, with few retries. Each WR has a separate place in memory and
// changes its every byte, so that the memory shows which of its packets were executed.
class Doomed {
 public:
  explicit Doomed(uint64_t seed) : random_(seed), duo_(make(seed)) {}

  // Status of the failure; success if there was none.
  WcStatus run() {
    for (uint32_t i = 0; i < kWork; ++i) plan(i);
    Duo::End& b = duo_.end(1);
    const uint32_t receives = random_.below(kWork + 1);
    for (uint32_t i = 0; i < receives; ++i) {
      const transport::Sge buffer = b.sge(kRecvs + i * kSlot, kSlot);
      require(b.engine.post_recv(*b.qp, {i, &buffer, 1}) == 0, "post_recv failed");
    }
    a_was_ = duo_.end(0).memory;
    b_was_ = b.memory;
    duo_.run();
    const WcStatus end = check_completions();
    check_receives(receives);
    check_memory();
    return end;
  }

 private:
  static constexpr uint32_t kWork = 24, kSlot = 4096, kRecvs = kWork * kSlot;
  static constexpr uint16_t kMtu = 512;
  enum class Landed { none, part, whole };
  struct Work {
    WrOpcode opcode;
    uint32_t length;
    bool signaled;
    bool succeeded = false;
    uint64_t add = 0;
  };

  DuoSetup make(uint64_t seed) {
    DuoSetup s;
    s.seed = seed;
    s.mtu = kMtu;
    s.memory = kSlot * kWork * 2;
    for (Faults& f : s.faults) {
      f.drop = random_.below(2001);
      f.duplicate = random_.below(2001);
      f.reorder = random_.below(2001);
      f.corrupt = random_.below(2001);
    }
    s.engine.window_packets = 1u << random_.below(7);
    s.engine.read_request_bytes = kMtu << random_.below(4);
    s.retry_cnt = static_cast<uint8_t>(random_.below(8));
    s.rnr_retry = static_cast<uint8_t>(random_.below(7));
    return s;
  }

  void plan(uint32_t i) {
    Duo::End &a = duo_.end(0), &b = duo_.end(1);
    static constexpr WrOpcode kMix[] = {WrOpcode::rdma_write, WrOpcode::rdma_write, WrOpcode::send,
                                        WrOpcode::rdma_read, WrOpcode::atomic_fetch_and_add};
    Work w{kMix[random_.below(std::size(kMix))], 1 + random_.below(kSlot), random_.below(3) != 0};
    const bool atomic = w.opcode == WrOpcode::atomic_fetch_and_add;
    if (atomic) {
      w.length = 8;
      w.add = random_.next() | 1;
    }
    // No byte of the source equals the byte that it overwrites.
    const uint64_t at = uint64_t{i} * kSlot;
    const uint64_t place = w.opcode == WrOpcode::send ? kRecvs + messages_ * kSlot : at;
    if (!atomic) {
      for (uint32_t k = 0; k < w.length; ++k) {
        if (a.memory[at + k] == b.memory[place + k]) ++a.memory[at + k];
      }
    }
    const transport::Sge local = a.sge(at, w.length);
    transport::SendWr wr = write_of(b, local, i, w.signaled);
    wr.opcode = w.opcode;
    wr.remote_addr = Duo::kIova + at;
    wr.compare_add = w.add;
    require(a.engine.post_send(*a.qp, wr, duo_.now()) == 0, "post_send failed");
    if (w.opcode == WrOpcode::send) ++messages_;
    work_.push_back(w);
  }

  // Successes, then one failure, then everything flushed: in order, each once.
  WcStatus check_completions() {
    Duo::End& a = duo_.end(0);
    WcStatus end = WcStatus::success;
    size_t next = 0;
    for (const transport::Completion& wc : a.done) {
      require(wc.wr_id >= next && wc.wr_id < work_.size(), "a completion out of order, or twice");
      if (end != WcStatus::success) {
        require(wc.status == WcStatus::wr_flush_err && wc.wr_id == next,
                "behind a failure all must be flushed");
      }
      // WRs without a completion were unsignaled and succeeded.
      for (; next < wc.wr_id; ++next) {
        require(!work_[next].signaled, "a completion left out");
        work_[next].succeeded = true;
      }
      ++next;
      if (wc.status == WcStatus::success) {
        require(work_[wc.wr_id].signaled, "an unsignaled success that completes");
        work_[wc.wr_id].succeeded = true;
      } else if (end == WcStatus::success) {
        end = wc.status;
        require(end == WcStatus::retry_exc_err || end == WcStatus::rnr_retry_exc_err,
                "a failure of another kind");
      }
    }
    for (; next < work_.size(); ++next) {
      require(end == WcStatus::success && !work_[next].signaled, "a completion that never came");
      work_[next].succeeded = true;
    }
    require(a.qp->state() == (end == WcStatus::success ? QpState::rts : QpState::err), "the wrong state");
    require(a.qp->send_queued() == 0 && a.events == 0, "an engine that is not done");
    return end;
  }

  void check_receives(uint32_t posted) {
    Duo::End& b = duo_.end(1);
    size_t next = 0, message = 0;
    for (const transport::Completion& wc : b.done) {
      require(wc.status == WcStatus::success && wc.wr_id == next, "receives out of order");
      ++next;
    }
    for (size_t i = 0; i < work_.size(); ++i) {
      if (work_[i].opcode != WrOpcode::send) continue;
      if (message < b.done.size())
        require(b.done[message].byte_len == work_[i].length, "a receive of the wrong length");
      require(!work_[i].succeeded || message < b.done.size(), "a SEND done that was not received");
      ++message;
    }
    require(b.qp->recv_queued() == posted - next && b.events == 0, "receives gone astray");
  }

  // Written part of a place: packets of `now` from the front on, and all of `before` behind them.
  static Landed landed(const uint8_t* at, const uint8_t* before, const uint8_t* now, uint32_t length) {
    uint32_t done = 0;
    while (done < length) {
      const uint32_t n = std::min<uint32_t>(kMtu, length - done);
      if (std::memcmp(at + done, now + done, n) != 0) break;
      done += n;
    }
    require(std::memcmp(at + done, before + done, length - done) == 0, "bytes that were not written");
    return done == 0 ? Landed::none : done == length ? Landed::whole : Landed::part;
  }

  void check_memory() {
    Duo::End &a = duo_.end(0), &b = duo_.end(1);
    bool over = false;  // requests are executed in order: behind one that was not, none was
    uint32_t message = 0;
    for (size_t i = 0; i < work_.size(); ++i) {
      const Work& w = work_[i];
      const size_t at = i * kSlot;
      if (w.opcode == WrOpcode::rdma_read) {
        const Landed here = landed(&a.memory[at], &a_was_[at], &b_was_[at], w.length);
        require(here == Landed::whole || !w.succeeded, "a READ done and not there");
        std::memcpy(&a_was_[at], &a.memory[at], w.length);
      } else if (w.opcode == WrOpcode::atomic_fetch_and_add) {
        uint64_t was, is, result;
        std::memcpy(&was, &b_was_[at], 8);
        std::memcpy(&is, &b.memory[at], 8);
        std::memcpy(&result, &a.memory[at], 8);
        require(is == was || is == was + w.add, "an atomic executed twice, or half");
        require(!w.succeeded || (is == was + w.add && result == was), "an atomic done and not executed");
        require(!over || is == was, "executed out of order");
        over |= is == was;
        std::memcpy(&b_was_[at], &is, 8);
        if (w.succeeded) std::memcpy(&a_was_[at], &was, 8);
      } else {
        const size_t place = w.opcode == WrOpcode::send ? kRecvs + message++ * kSlot : at;
        const Landed there = landed(&b.memory[place], &b_was_[place], &a_was_[at], w.length);
        require(there == Landed::whole || !w.succeeded, "done and not executed");
        require(!over || there == Landed::none, "executed out of order");
        over |= there != Landed::whole;
        std::memcpy(&b_was_[place], &b.memory[place], w.length);
      }
    }
    require(a.memory == a_was_ && b.memory == b_was_, "bytes changed unasked");
  }

  SeededRandom random_;
  Duo duo_;
  std::vector<Work> work_;
  std::vector<uint8_t> a_was_, b_was_;  // before anything was sent; then as far as explained
  uint32_t messages_ = 0;
};

TEST(Exhaust, FewRetriesEndInOneFailureAndAFlush) {
  constexpr uint64_t kSeeds = 1000;
  uint64_t ends[32] = {};
  const uint64_t first = options().seed.value_or(options().base_seed);
  const uint64_t count = options().seed ? 1 : kSeeds;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    try {
      ++ends[static_cast<size_t>(Doomed(seed).run())];
    } catch (const Violation& v) {
      FAIL() << "seed " << seed << ": " << v.what() << "\n  again with: sim_tests --seed " << seed;
    }
  }
  const auto of = [&](WcStatus s) { return ends[static_cast<size_t>(s)]; };
  std::printf("seeds %" PRIu64 " to %" PRIu64 ": %" PRIu64 " whole, %" PRIu64 " out of retries, %" PRIu64
              " out of RNR retries\n",
              first, first + count - 1, of(WcStatus::success), of(WcStatus::retry_exc_err),
              of(WcStatus::rnr_retry_exc_err));
  if (count == 1) return;
  for (WcStatus s : {WcStatus::success, WcStatus::retry_exc_err, WcStatus::rnr_retry_exc_err})
    EXPECT_GT(of(s), 20u);
}

}  // namespace
}  // namespace uroce::sim
