// A pair whose second side has memory windows, and whose first is the peer that uses them.
#pragma once

#include "pair.h"

namespace uroce::transport::test {

namespace a = access_flag;

inline Options with_windows() {
  Options o;
  o.access = a::local_write | a::mw_bind;  // remote rights come from windows alone
  return o;
}

// Side b owns the windows; side a is the peer that uses them.
class Windows : public testing::Test {
 protected:
  uint32_t alloc(MwType type) { return *p.b.engine.alloc_mw(p.b.pd, type); }
  MwBind whole(uint32_t window, uint32_t access) {
    return {window, window + 1, p.b.key, Side::va(0), Side::kMemory, access};
  }
  // The key of a window that was bound with the key of its number plus this.
  static uint32_t key_of(uint32_t window, uint32_t added = 1) {
    return (window & ~0xffu) | ((window + added) & 0xff);
  }
  // Posts a bind at b and returns its completion.
  Completion bind(const MwBind& bind, uint32_t flags = send_flag::signaled) {
    SendWr wr = p.b.wr(WrOpcode::bind_mw, nullptr, 0, 0, 0);
    wr.bind = &bind;
    wr.flags = flags;
    EXPECT_EQ(p.b.post(wr), 0);
    p.run();
    return p.b.wc();
  }
  // A window on all of b's memory with these rights, bound under the key that it was made with.
  uint32_t bound(uint32_t access, MwType type = MwType::type2) {
    const uint32_t window = alloc(type);
    MwBind b = whole(window, access);
    b.rkey = window;
    EXPECT_EQ(bind(b).status, WcStatus::success);
    return window;
  }
  Completion invalidate(uint32_t rkey) {
    SendWr wr = p.b.wr(WrOpcode::local_inv, nullptr, 0, 0, 0);
    wr.imm_data = rkey;
    EXPECT_EQ(p.b.post(wr), 0);
    p.run();
    return p.b.wc();
  }
  // Status of an operation of a with this key.
  WcStatus access(WrOpcode opcode, uint32_t rkey, uint64_t va, uint32_t len = 64) {
    const Sge s = p.a.sge(0, len);
    SendWr wr = p.a.wr(opcode, &s, 1, 0, rkey);
    wr.remote_addr = va;
    EXPECT_EQ(p.a.post(wr), 0);
    p.run();
    return p.a.wc().status;
  }
  void reconnect() {
    EXPECT_EQ(p.a.to(QpState::reset), 0);
    EXPECT_EQ(p.b.to(QpState::reset), 0);
    p.a.poll(), p.b.poll();
    p.connect();
  }

  Pair p{with_windows()};
};

}  // namespace uroce::transport::test
