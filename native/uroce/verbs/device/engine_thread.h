// The device's own thread, and the choice of the thread that makes progress.
//
// Progress has one rule: a thread that has the CPU anyway makes it. A thread in ibv_poll_cq or
// ibv_post_send receives and sends packets itself; a thread that waits in ibv_get_cq_event polls the
// sockets itself, so a packet wakes one thread and not two. The engine thread is for the rest: targets of
// one-sided operations that sleep, retransmission, programs that spin on memory, late ACKs, and joining
// processes that ask for sockets. It is in one of three states:
//
//   poll-mode sleep   Applications make progress. The thread does not read the sockets and checks every
//                     50..200 us that they still do, every millisecond once they have done so for a while: each
//                     check takes a core from a program that polls. A sleep without progress by an application
//                     ends the state. A program that spins on memory between two polls makes no progress
//                     meanwhile, so a peer that polls and has waited for 50 us rings; the thread receives the
//                     waiting packets and sleeps on, since the program needs the core. While a thread waits in
//                     ibv_get_cq_event and nothing arrives, sleeps grow longer, and the thread that leaves the
//                     wait ends a long sleep.
//   serving           No application makes progress and there is work. After work the thread polls for some
//                     50 us before it blocks, since waking a sleeping CPU costs half of that. It does so only
//                     if polling has paid off lately and no other thread wants the core.
//   blocked           Blocked on the sockets until a packet comes or a timer is due. An idle device costs
//                     nothing.
//
// The thread asks the scheduler for a short slice, so that on waking it gets a core quickly even from a
// program that spins.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "uroce/net/host/unique_fd.h"
#include "uroce/verbs/device/bulk_policy.h"
#include "uroce/verbs/device/spin_policy.h"

namespace uroce::verbs {

class Device;

class EngineThread {
 public:
  explicit EngineThread(Device& device);
  ~EngineThread();
  EngineThread(const EngineThread&) = delete;
  EngineThread& operator=(const EngineThread&) = delete;

  // 0 or errno.
  int start();
  void stop();

  // Makes the thread check the engine by `deadline` or shortly after. Engine lock (or a waiter count just
  // changed).
  void check_by(uint64_t now, uint64_t deadline);
  // True if the thread will check the engine within about a millisecond by itself.
  bool alert(uint64_t now) const {
    return planned_wake_.load(std::memory_order_relaxed) < now + net::scaled(kAlert);
  }

  // Enters and leaves a blocking wait for events. True: this thread has to poll the sockets.
  bool enter_wait();
  void leave_wait(bool polls_sockets);
  // True if a thread waits for events and polls the sockets: it sends pending packets, and then sleeps.
  bool has_waiter() const { return has_waiter_.load(std::memory_order_relaxed); }

  // Runs these parts of the exit notice (exit_notice.h) on the engine thread and waits for them. Safe in a
  // signal handler. False if they are not done after `timeout` ns. With `cut`, false at once if a signal
  // has interrupted the calling thread while it held the engine lock.
  bool give_exit_notice(uint32_t parts, uint64_t timeout, bool cut);

  // CPU time of the thread, ns.
  uint64_t cpu_ns() const;

 private:
  static constexpr uint64_t kAlert = 1'100'000;  // ns

  static void* entry(void* self);
  bool called() const { return stop_.load(std::memory_order_relaxed) || requested_parts_.load() != 0; }
  void call() const;
  void exit_notice();
  void run();
  void run_once();
  bool application_makes_progress(uint64_t now) const;
  void poll_mode_sleep();
  void send_gathered();
  bool try_progress();
  uint64_t run_timers(uint64_t now);
  void serve();
  void block_on_sockets(uint64_t wake, bool blocked);
  // True: a peer asks for progress; it rings with `late`.
  bool wait(uint64_t deadline, bool sockets, bool writable, int late = -1);

  Device& device_;
  net::UniqueFd control_;  // eventfd
  int control_error_;      // errno if there is none
  pthread_t thread_{};
  bool running_ = false;
  std::atomic<bool> stop_{false};
  std::atomic<uint32_t> requested_parts_{0};  // parts of an exit notice
  std::atomic<uint32_t> last_ticket_{0};      // number of exit notices requested
  std::atomic<uint32_t> done_ticket_{0};      // number of the last one done
  std::atomic<uint64_t> planned_wake_{0};     // time of its next check; 0: it is awake
  std::atomic<int> waiters_{0};
  std::atomic<bool> has_waiter_{false};  // a thread waits for events and polls the sockets

  uint64_t sleep_ns_ = 0;
  uint64_t last_packets_ = 0;
  SpinPolicy spin_;
  BulkPolicy bulk_;
};

}  // namespace uroce::verbs
