// A program that calls verbs at random, correctly and wrongly, and knows the answer to each call: objects
// that must stay while others use them, refused arguments and their errno. Where the answer depends on
// packets in flight (is a queue full? has a window been bound yet?), either one is accepted.
#pragma once

#include <infiniband/verbs.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace uroce::verbs::test {

class Abuser {
 public:
  explicit Abuser(uint64_t seed);
  // Makes n random calls; the text of the first wrong answer, or "".
  std::string run(int n);
  // Destroys everything in order.
  void finish();
  // Counts of the run, so that a test can check that it tested something.
  struct Figures {
    uint64_t refused = 0, posted = 0, succeeded = 0, failed = 0, flushed = 0, events = 0;
  };
  const Figures& figures() const { return figures_; }

 private:
  struct Pd {
    ibv_pd* pd;
    int users = 0;
  };
  struct Mr {
    ibv_mr* mr;
    Pd* pd;
    unsigned access;
  };
  struct Mw {
    ibv_mw* mw;
    Pd* pd;
  };
  struct Channel {
    ibv_comp_channel* channel;
    int users = 0;
  };
  struct Cq {
    ibv_cq* cq;
    Channel* channel;
    int users = 0;
  };
  struct Srq {
    ibv_srq* srq;
    Pd* pd;
    uint32_t max_wr, max_sge;
    int users = 0;
  };
  struct Qp {
    ibv_qp* qp;
    Pd* pd;
    Cq *send, *recv;
    Srq* srq;
    ibv_qp_cap cap;
  };
  template <class T>
  using Pool = std::vector<T*>;

  uint32_t below(uint32_t n) { return n == 0 ? 0 : static_cast<uint32_t>(random_() % n); }
  bool one_in(uint32_t n) { return below(n) == 0; }
  // A number that is mostly small, sometimes at a limit, sometimes absurd.
  uint32_t number(uint32_t limit);
  template <class T>
  T* any(const Pool<T>& pool) {
    return pool.empty() ? nullptr : pool[below(static_cast<uint32_t>(pool.size()))];
  }
  template <class T>
  static void drop(Pool<T>& pool, T* item) {
    std::erase(pool, item);
    delete item;
  }
  ibv_sge sge();
  uint32_t key(bool remote);
  // Notes a wrong answer; errors that are allowed are given as a list.
  void expect(const char* call, int got, std::initializer_list<int> allowed);

  void call();
  void make_pd();
  void free_pd();
  void make_mr();
  void change_mr();
  void free_mr();
  void make_mw();
  void free_mw();
  void bind_mw();
  void make_channel();
  void free_channel();
  void make_cq();
  void resize_cq();
  void use_cq();
  void free_cq();
  void make_srq();
  void change_srq();
  void post_srq();
  void free_srq();
  void make_qp();
  void connect_qps();
  void change_qp();
  void post_send();
  void post_recv();
  void free_qp();
  void ask();
  void take_events();

  std::mt19937_64 random_;
  ibv_context* context_ = nullptr;
  ibv_device_attr limits_{};
  std::string wrong_;
  Figures figures_;
  alignas(4096) std::array<uint8_t, 1 << 16> arena_{};
  Pool<Pd> pds_;
  Pool<Mr> mrs_;
  Pool<Mw> mws_;
  Pool<Channel> channels_;
  Pool<Cq> cqs_;
  Pool<Srq> srqs_;
  Pool<Qp> qps_;
};

}  // namespace uroce::verbs::test
