// An end of a connection under test: it posts random work requests, keeps a model of its own and the peer's
// memory, and checks each completion against the posts.
//
// The contents of the memory are always determined: WRITEs, atomics and READs of one QP are executed in
// order, and a request that changes the source of a READ still in flight is fenced behind it.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "memory.h"
#include "uroce/transport/engine.h"
#include "wire_check.h"

namespace uroce::sim {

struct Shape {
  uint16_t mtu = 1024;
  uint32_t max_size = 1 << 16;  // bytes of the largest message
  uint32_t depth = 16;          // send WRs outstanding
  uint32_t recv_depth = 4;
  uint32_t rd_atomic = 4;
  uint32_t rq_delay_ns = 20'000;  // longest time until a consumed receive is posted again: RNR
  uint8_t timeout = 1;            // 8 us
  uint8_t min_rnr_timer = 2;      // 20 us
  bool windows = false;           // memory windows are bound, used and invalidated
};

class SharedReceives;

class Endpoint {
 public:
  // shared: words that every connection adds to (remote atomics); may be empty. receives: the node's shared
  // receive queue, or nullptr for a queue of its own.
  Endpoint(transport::Engine& engine, uint32_t pd, transport::Cq* cq, const Shape& shape, uint64_t seed,
           std::vector<uint64_t>* shared, SharedReceives* receives);

  void connect(Endpoint& peer, const Gid& own, const Gid& other, uint32_t own_psn, uint32_t peer_psn,
               uint32_t window_packets);

  // Posts up to n random WRs (fewer when the queue is full); posts receives whose time has come.
  void post_sends(uint64_t now, uint32_t n);
  void post_recvs(uint64_t now);
  uint64_t next_recv_time() const { return recv_times_.empty() ? kNever : recv_times_.front(); }
  // Checks a completion of this QP; true if it raises a solicited event.
  bool completed(uint64_t now, const transport::Completion& wc, const transport::WrStamps* stamps);
  // After polling: notes unsignaled WRs that have gone.
  void settle();
  bool idle() const { return qp_->send_idle(); }
  // With everything idle: all memory must equal the model.
  void check_memory();
  void destroy();

  // Sum of what this end has added to the shared words.
  uint64_t added() const { return added_; }
  uint64_t posted() const { return next_id_; }
  uint64_t unsignaled() const { return unsignaled_; }
  uint64_t messages() const { return sends_; }
  uint64_t received() const { return done_recv_; }
  uint64_t bytes() const { return bytes_; }
  transport::Qp& qp() const { return *qp_; }
  WireCheck& wire() { return wire_; }
  static constexpr uint16_t kPort = 0xc123;
  static void check_order(const transport::WrStamps& stamps);

 private:
  static constexpr uint32_t kWords = 16, kResults = 1024, kChain = 1 << 14, kMaxInline = 256, kMaxPieces = 8,
                            kWindows = 4;
  struct Region {
    uint32_t at = 0;  // offset in the memory
    uint32_t size = 0;
    uint32_t key = 0;
  };
  struct Posted {
    uint64_t id;
    bool signaled;
    WrOpcode opcode;
    uint32_t len;
    std::vector<transport::Sge> landing;  // where a READ lands that must be whole when it completes
    int window = -1;                      // window that a local request binds or invalidates
  };
  struct Message {  // expected contents of the next receive
    bool write;
    bool imm;
    bool solicited;
    bool inv;
    uint32_t imm_data;  // immediate data, or the key that it takes away
    uint32_t len;
    std::vector<uint8_t> bytes;
  };

  struct Window {
    bool type2 = false;
    enum { free, binding, own, lent, leaving } state = free;
    uint32_t key = 0;
    uint32_t at = 0;    // offset in the memory
    uint64_t base = 0;  // address of that byte for the peer
    uint32_t length = 0;
  };
  struct Borrowed {
    uint32_t index;     // at its owner
    Window window;      // its state when it was lent
    uint64_t last_use;  // WR that last named it
  };

  Region reserve(uint32_t size) { return {memory_.reserve(size), size, 0}; }
  void register_region(Region& region, uint32_t access);
  uint32_t random_size();
  // SGEs over `len` bytes in a row at `offset`, or taken from anywhere in a region.
  std::vector<transport::Sge> split(uint32_t offset, uint32_t len, uint32_t key);
  std::vector<transport::Sge> pieces_of_source(uint32_t len);
  void post_one(uint64_t now);
  void build_atomic(transport::SendWr& wr, std::vector<transport::Sge>& list);
  void build_read(transport::SendWr& wr, std::vector<transport::Sge>& list, uint32_t len, Posted& posted);
  void build_data(transport::SendWr& wr, std::vector<transport::Sge>& list, uint32_t len);
  bool chain(transport::SendWr& wr, std::vector<transport::Sge>& list, uint32_t* len);
  bool check_recv(uint64_t now, const transport::Completion& wc);
  void own_received(uint64_t now, const transport::Completion& wc, const Message& message);
  void finish(const Posted& posted);
  // Defined in endpoint_windows.cc.
  void make_windows();
  bool build_local(transport::SendWr& wr, transport::MwBind& bind, Posted& posted);
  void local_done(const Posted& posted);
  Borrowed* borrowed(uint32_t len);
  uint32_t aim(transport::SendWr& wr, uint32_t len);
  void give_back(transport::SendWr& wr);
  void invalidated(uint32_t rkey);
  void return_unused();
  void free_windows();
  static void check_stamps(uint64_t now, const transport::Completion& wc, const transport::WrStamps& stamps);

  transport::Engine& engine_;
  Shape shape_;
  SeededRandom random_;
  uint32_t pd_;
  transport::Cq* cq_;
  transport::Qp* qp_;
  Endpoint* peer_ = nullptr;
  std::vector<uint64_t>* shared_;
  uint32_t shared_key_ = 0;
  SharedReceives* receives_;
  WireCheck wire_;

  Memory memory_;
  Region source_;   // never changes; the peer reads it too
  Region window_;   // the peer writes it, and may read it back
  Region read_;     // our READs land here
  Region chain_;    // a READ lands here and a fenced request sends it on
  Region words_;    // the peer's atomics
  Region results_;  // originals returned to us
  Region recv_;
  std::vector<bool> unknown_results_ = std::vector<bool>(kResults);
  std::vector<uint8_t> scratch_;
  uint8_t inline_bytes_[kMaxInline];

  std::vector<Window> windows_;
  std::vector<Borrowed> borrowed_;  // from the peer
  std::deque<Posted> outstanding_;
  std::deque<Message> messages_;  // sent by the peer, not yet received here
  std::deque<std::vector<transport::Sge>> posted_recvs_;
  std::deque<uint64_t> recv_times_;
  bool window_read_ = false;  // a READ of the window is in flight: requests that change it must be fenced
  uint64_t chain_until_ = 0;  // the chain region is in use until this WR is done
  uint32_t chain_len_ = 0;    // bytes of the READ into it that the next WR may send on
  uint64_t next_id_ = 1, next_recv_ = 0, done_recv_ = 0, added_ = 0, bytes_ = 0, sends_ = 0, unsignaled_ = 0;
};

}  // namespace uroce::sim
