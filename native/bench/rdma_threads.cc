// Bandwidth with several threads: each has its own QP and CQ, or all share one of each under a lock. The
// loop's own thread only starts them, counts, and ends them.
#include <sched.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "bench/rdma_base.h"
#include "bench/section_lock.h"

namespace vlbench {
namespace {

// Intervals at which the loop's thread counts, and at which a thread publishes its CPU time.
constexpr auto kCountEvery = std::chrono::milliseconds(1);
constexpr uint64_t kUsageEveryNs = 500'000;

uint32_t usable_cpus() noexcept {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<uint32_t>(CPU_COUNT(&set)) : 0;
}

constexpr auto kRelaxed = std::memory_order_relaxed;

// Time and number of one kind of call.
struct Calls {
  uint64_t count = 0;
  uint64_t ns = 0;
};

class alignas(64) Member {
 public:
  // Used by the member's thread only, until it has ended.
  Calls posts;
  Calls polls;
  Calls waits;
  uint64_t foreign = 0;
  uint64_t completions = 0;
  std::thread thread;

  // Counts requests of this member, polled by any member: written by the thread that holds the queues.
  void done(uint64_t messages) noexcept { messages_.store(messages_.load(kRelaxed) + messages, kRelaxed); }
  uint64_t messages() const noexcept { return messages_.load(kRelaxed); }

  void tell_usage(uint64_t now) noexcept {
    if (now < next_usage_ns_) return;
    next_usage_ns_ = now + kUsageEveryNs;
    const ThreadUsage usage = this_thread_usage();
    user_ns_.store(usage.user_ns, kRelaxed);
    system_ns_.store(usage.system_ns, kRelaxed);
    voluntary_.store(usage.voluntary, kRelaxed);
    involuntary_.store(usage.involuntary, kRelaxed);
  }
  void add_usage(ThreadUsage& sum) const noexcept {
    sum.user_ns += user_ns_.load(kRelaxed);
    sum.system_ns += system_ns_.load(kRelaxed);
    sum.voluntary += voluntary_.load(kRelaxed);
    sum.involuntary += involuntary_.load(kRelaxed);
  }

 private:
  uint64_t next_usage_ns_ = 0;
  std::atomic<uint64_t> messages_{0};
  std::atomic<uint64_t> user_ns_{0};
  std::atomic<uint64_t> system_ns_{0};
  std::atomic<uint64_t> voluntary_{0};
  std::atomic<uint64_t> involuntary_{0};
};

// A time during which a thread has the queues for itself; all of it is one kind of call.
class Section {
 public:
  Section(SectionLock& lock, Member& member) : lock_(lock), begin_ns_(monotonic_ns()) {
    if (lock_.try_lock()) return;
    lock_.lock();
    const uint64_t now = monotonic_ns();
    ++member.waits.count;
    member.waits.ns += now - begin_ns_;
    begin_ns_ = now;
  }
  ~Section() { lock_.unlock(); }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  // Counts the section as one of `calls`. Returns the time.
  uint64_t was(Calls& calls) const noexcept {
    const uint64_t now = monotonic_ns();
    ++calls.count;
    calls.ns += now - begin_ns_;
    return now;
  }

 private:
  SectionLock& lock_;
  uint64_t begin_ns_;
};

class ThreadsInitiator final : public RdmaLoop {
 public:
  ThreadsInitiator(const RdmaOptions& options, Callbacks callbacks, std::unique_ptr<Probe> probe)
      : RdmaLoop(options, std::move(callbacks), std::move(probe)),
        lock_(options.lock),
        members_(options.threads) {
    for (size_t i = 0; i < options.threads; ++i)
      lanes_.emplace_back(i, options, lane_goal(options, i), lane_memory(options, i, -1));
  }
  ~ThreadsInitiator() override { join(); }

 private:
  LatencyKind latency_kind() const noexcept override { return LatencyKind::kNone; }
  // The threads yield, and sleep on the lock.
  bool makes_calls() const noexcept override { return true; }

  ThreadUsage usage() noexcept override {
    ThreadUsage sum = this_thread_usage();
    for (const Member& member : members_) member.add_usage(sum);
    return sum;
  }

  void catch_up() noexcept override {
    uint64_t messages = 0;
    for (const Member& member : members_) messages += member.messages();
    count(messages - counted_, (messages - counted_) * rdma_.size);
    counted_ = messages;
  }

  Whole whole() const noexcept override {
    Whole out;
    ThreadFigures figures;
    uint64_t signaled = 0;
    uint64_t completions = completions_;
    figures.elapsed_ns = elapsed_ns_;
    figures.cpus = usable_cpus();
    for (size_t i = 0; i < members_.size(); ++i) {
      const Member& member = members_[i];
      signaled += lanes_[i].signaled();
      completions += member.completions;
      figures.messages.push_back(member.messages());
      figures.posts += member.posts.count;
      figures.post_ns += member.posts.ns;
      figures.polls += member.polls.count;
      figures.poll_ns += member.polls.ns;
      figures.contended += member.waits.count;
      figures.wait_ns += member.waits.ns;
      figures.foreign += member.foreign;
    }
    out.signaled = signaled;
    out.completions = completions;
    out.threads = std::move(figures);
    return out;
  }

  EndReason run() override {
    ready(0);
    EndReason reason;
    {
      const Crew crew(*this);
      reason = supervise();
      finish();
    }
    const std::lock_guard guard(mutex_);
    if (failure_) throw *failure_;
    if (reason != EndReason::kIterations) drain(lanes_);
    return reason;
  }

  // Starts the threads, and ends them in any case.
  class Crew {
   public:
    explicit Crew(ThreadsInitiator& loop) : loop_(loop) {
      try {
        for (size_t i = 0; i < loop_.members_.size(); ++i)
          loop_.members_[i].thread = std::thread([&loop, i] { loop.work(i); });
      } catch (const std::system_error& error) {
        end();
        throw Failure(error.code().value(), "pthread_create", "thread of a loop");
      }
    }
    ~Crew() { end(); }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

   private:
    void end() noexcept {
      loop_.stopping_.store(true, kRelaxed);
      loop_.open_gate();
      for (Member& member : loop_.members_) {
        if (member.thread.joinable()) member.thread.join();
      }
      if (loop_.begun()) loop_.elapsed_ns_ = monotonic_ns() - loop_.started_ns_;
    }
    ThreadsInitiator& loop_;
  };

  EndReason supervise() {
    begin();
    started_ns_ = monotonic_ns();
    open_gate();
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, kCountEvery, [this] { return ended_ == members_.size() || failure_; });
        if (ended_ == members_.size() || failure_) return EndReason::kIterations;
      }
      catch_up();
      if (tick(monotonic_ns())) return end_reason();
    }
  }

  void open_gate() noexcept {
    const std::lock_guard guard(mutex_);
    open_ = true;
    gate_.notify_all();
  }

  void work(size_t index) noexcept {
    pthread_setname_np(pthread_self(), ("vl-loop-" + std::to_string(index + 1)).c_str());
    Member& member = members_[index];
    {
      std::unique_lock lock(mutex_);
      gate_.wait(lock, [this] { return open_; });
    }
    std::optional<Failure> failure;
    try {
      drive(index);
    } catch (const Failure& error) {
      failure = error;
      stopping_.store(true, kRelaxed);
    }
    member.tell_usage(UINT64_MAX);
    const std::lock_guard guard(mutex_);
    if (failure && !failure_) failure_ = failure;
    ++ended_;
    changed_.notify_all();
  }

  // Posts while the window has room, and polls otherwise. A poll that finds nothing yields the CPU.
  void drive(size_t index) {
    Member& member = members_[index];
    SendLane& lane = lanes_[index];
    const uint64_t goal = lane_goal(rdma_, index);
    ibv_cq* const cq = lane.target().qp->send_cq;
    ibv_wc wcs[kBatch];
    while (!stopping_.load(kRelaxed)) {
      uint64_t now;
      int got = 0;
      bool posted = false;
      {
        const Section section(lock_, member);
        if (lane.completed() >= goal) return;
        if (const uint32_t n = lane.postable(); n != 0) {
          lane.post(n);
          posted = true;
          now = section.was(member.posts);
        } else {
          got = ibv_poll_cq(cq, kBatch, wcs);
          if (got < 0) throw Failure(EIO, "ibv_poll_cq");
          for (int i = 0; i < got; ++i) account(index, wcs[i]);
          now = section.was(member.polls);
        }
      }
      member.tell_usage(now);
      if (!posted && got == 0) sched_yield();
    }
  }

  void account(size_t index, const ibv_wc& wc) {
    check(wc);
    const size_t owner = lane_of(wc.wr_id);
    uint64_t latency = 0;
    members_[owner].done(lanes_[owner].complete(seq_of(wc.wr_id), 0, latency));
    ++members_[index].completions;
    if (owner != index) ++members_[index].foreign;
  }

  SectionLock lock_;
  std::vector<Member> members_;
  std::vector<SendLane> lanes_;
  std::atomic<bool> stopping_{false};
  uint64_t counted_ = 0;
  uint64_t started_ns_ = 0;
  uint64_t elapsed_ns_ = 0;

  std::mutex mutex_;
  std::condition_variable gate_;
  std::condition_variable changed_;
  // Under the mutex:
  bool open_ = false;
  size_t ended_ = 0;
  std::optional<Failure> failure_;
};

}  // namespace

std::unique_ptr<Loop> make_threads_initiator(const RdmaOptions& options, Callbacks callbacks,
                                             std::unique_ptr<Probe> probe) {
  return std::make_unique<ThreadsInitiator>(options, std::move(callbacks), std::move(probe));
}

}  // namespace vlbench
