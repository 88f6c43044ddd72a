#include "uroce/verbs/device/engine_thread.h"

#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <new>

#include "uroce/clock.h"
#include "uroce/net/host/clock.h"
#include "uroce/quiet_thread.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/device/poll_set.h"

namespace uroce::verbs {
namespace {

constexpr uint64_t kMinSleep = 50'000;        // ns
constexpr uint64_t kMaxSleep = 200'000;       // ns, while an application polls
constexpr uint64_t kSteadySleep = 1'000'000;  // ns, while one has polled at each of the last kSteady checks
constexpr uint32_t kSteady = 16;
constexpr uint64_t kMaxSleepBesideWaiter =
    400'000;                                  // ns, while an application waits for events and packets arrive
constexpr uint64_t kIdleSleep = 200'000'000;  // ns, while one waits and nothing arrives
constexpr uint64_t kRecentProgress = 50'000;  // ns: progress by an application this recent counts as current
constexpr int kWithoutMemory = 10;            // ms until the next try where the process has no memory left

// struct sched_attr of the kernel; older libc headers lack it.
struct SchedAttr {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime;
  uint64_t deadline;
  uint64_t period;
};

// From Linux 6.12 on the "runtime" of an ordinary thread is the slice it asks for: a shorter one is
// scheduled sooner after waking. Elsewhere this fails or has no effect, and everything works as before.
void ask_for_short_slice() {
  SchedAttr attr{};
  attr.size = sizeof attr;
  attr.policy = SCHED_OTHER;
  attr.runtime = 100'000;
  syscall(SYS_sched_setattr, 0, &attr, 0);
}

}  // namespace

EngineThread::EngineThread(Device& device)
    : device_(device),
      control_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      control_error_(control_ ? 0 : errno) {}

EngineThread::~EngineThread() { stop(); }

int EngineThread::start() {
  if (!control_) return control_error_;
  const int error = start_quiet_thread(&thread_, &EngineThread::entry, this);
  running_ = error == 0;
  return error;
}

void EngineThread::stop() {
  if (!running_) return;
  stop_.store(true);
  call();
  pthread_join(thread_, nullptr);
  running_ = false;
}

uint64_t EngineThread::cpu_ns() const {
  clockid_t clock;
  timespec ts{};
  if (!running_ || pthread_getcpuclockid(thread_, &clock) != 0 || clock_gettime(clock, &ts) != 0) return 0;
  return static_cast<uint64_t>(ts.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(ts.tv_nsec);
}

void EngineThread::check_by(uint64_t now, uint64_t deadline) {
  const uint64_t planned = planned_wake_.load();
  if (planned <= now + net::scaled(kAlert) || planned <= deadline) return;
  // A few milliseconds do not matter for a retransmission timer, and this saves a wake-up with every
  // request.
  const uint64_t slack = deadline > now ? (deadline - now) / 8 : 0;
  if (deadline != kNever && planned <= deadline + slack) return;
  planned_wake_.store(0);
  call();
}

void EngineThread::call() const {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(control_.get(), &one, sizeof one);
}

bool EngineThread::give_exit_notice(uint32_t parts, uint64_t timeout, bool cut) {
  if (!running_ || pthread_equal(pthread_self(), thread_) != 0) return false;
  requested_parts_.fetch_or(parts);
  const uint32_t ticket = last_ticket_.fetch_add(1) + 1;
  call();
  if (cut && device_.lock().held_here()) return false;
  const uint64_t begin = monotonic_ns();
  while (monotonic_ns() - begin < timeout) {
    if (static_cast<int32_t>(done_ticket_.load() - ticket) >= 0) return true;
    const timespec step{0, 20'000};
    nanosleep(&step, nullptr);
  }
  return false;
}

void EngineThread::exit_notice() {
  const uint32_t ticket = last_ticket_.load();
  device_.exit_notice(requested_parts_.exchange(0));
  done_ticket_.store(ticket);
}

bool EngineThread::enter_wait() {
  waiters_.fetch_add(1);
  return !has_waiter_.exchange(true);
}

void EngineThread::leave_wait(bool polls_sockets) {
  if (polls_sockets) has_waiter_.store(false);
  waiters_.fetch_sub(1);
  const uint64_t now = net::now_ns();
  check_by(now, now);
}

void* EngineThread::entry(void* self) {
  pthread_setname_np(pthread_self(), "uroce");
  prctl(PR_SET_TIMERSLACK, 1000);
  ask_for_short_slice();
  static_cast<EngineThread*>(self)->run();
  return nullptr;
}

void EngineThread::run() {
  while (!stop_.load(std::memory_order_relaxed)) {
    try {
      run_once();
    } catch (const std::bad_alloc&) {
      // The program may free some memory. Until then arriving packets are dropped, as by a NIC without a
      // buffer.
      planned_wake_.store(0);
      poll(nullptr, 0, kWithoutMemory);
    }
  }
}

void EngineThread::run_once() {
  if (requested_parts_.load() != 0) {
    exit_notice();
  } else if (application_makes_progress(net::now_ns())) {
    poll_mode_sleep();
  } else {
    serve();
  }
}

bool EngineThread::application_makes_progress(uint64_t now) const {
  return has_waiter_.load() || now < device_.last_app_progress() + net::scaled(kRecentProgress);
}

void EngineThread::poll_mode_sleep() {
  sleep_ns_ = net::scaled(kMinSleep);
  uint32_t steady = 0;
  for (;;) {
    const uint64_t begin = net::now_ns();
    // A thread that leaves a wait reads planned_wake_ afterwards, so this reads the waiter after setting
    // it.
    planned_wake_.store(begin + sleep_ns_);
    const bool has_waiter = has_waiter_.load();
    const uint64_t longest_polling = net::scaled(steady < kSteady ? kMaxSleep : kSteadySleep);
    bool late = false;
    if (has_waiter) {
      wait(run_timers(begin), false, false);
    } else {
      sleep_ns_ = std::min(sleep_ns_, longest_polling);
      device_.begin_poll_sleep();
      late = wait(begin + sleep_ns_, false, false, device_.poll_sleep_fd());
      device_.end_poll_sleep();
    }
    planned_wake_.store(0);
    if (called()) return;
    // The sleep goes on after that: a thread that spins on memory has seen its data, and needs the core.
    if (late && try_progress()) continue;
    send_gathered();
    const uint64_t last_progress = device_.last_app_progress();
    const bool progressed = last_progress >= begin;
    if (!progressed && !has_waiter_.load()) return;
    steady = net::now_ns() < last_progress + net::scaled(kRecentProgress) ? steady + 1 : 0;
    const uint64_t packets = device_.packets_seen();
    const bool quiet = packets == last_packets_;
    last_packets_ = packets;
    const uint64_t longest = progressed && !has_waiter ? longest_polling
                             : quiet                   ? kIdleSleep
                                                       : net::scaled(kMaxSleepBesideWaiter);
    sleep_ns_ = std::min(sleep_ns_ * 2, longest);
  }
}

// Sends the merged posts of a program that neither posts nor polls any more.
void EngineThread::send_gathered() {
  if (!device_.posts_waited_long()) return;
  std::unique_lock guard(device_.lock(), std::try_to_lock);  // a thread that holds the lock sends them
  if (guard && device_.posts_deferred()) device_.progress(true);
}

// Makes progress for a peer that waits for its packets to be received, while the application thread does
// something else.
bool EngineThread::try_progress() {
  std::unique_lock guard(device_.lock(), std::try_to_lock);  // a thread that holds the lock polls
  return guard && device_.progress(true);
}

// A thread that waits for events sleeps until the timers that it knew about. This thread serves the timers
// that other threads set meanwhile, and posts of other threads that wait to be merged. Returns the end of
// the sleep.
uint64_t EngineThread::run_timers(uint64_t now) {
  std::lock_guard guard(device_.lock());
  if (device_.next_wake() <= now || device_.posts_deferred()) device_.progress(true);
  const uint64_t due = std::max(device_.next_wake(), now + net::scaled(kMinSleep));
  const uint64_t end = std::min(now + sleep_ns_, due);
  planned_wake_.store(end);  // under the lock: a thread that posts after this sees it
  return end;
}

void EngineThread::serve() {
  bool spinning = false;
  for (;;) {
    if (called()) break;
    uint64_t wake = 0;
    bool blocked = false;
    bool worked;
    {
      std::unique_lock guard(device_.lock(), std::try_to_lock);
      if (!guard) {
        // An application thread has the lock, so it makes progress.
        if (application_makes_progress(net::now_ns())) break;
        // Bounded: in a process that ends, a thread that no longer runs may hold the lock.
        if (!device_.lock().lock_within(EngineLock::kAtTheEnd)) break;
        guard = std::unique_lock(device_.lock(), std::adopt_lock);
      }
      worked = device_.progress(true);
      const uint64_t now = device_.now();
      if (worked) {
        if (spinning) spin_.found(device_.progress_began());
        spinning = false;
        if (application_makes_progress(now)) break;
        continue;
      }
      if (bulk_.sleep(now, device_.bytes_in())) {
        guard.unlock();
        if (spinning) spin_.found(now);
        spinning = false;
        wait(now + bulk_.length(), false, false);
        if (application_makes_progress(net::now_ns())) break;
        continue;
      }
      if (!spinning) spinning = !device_.has_one_core() && spin_.begin(now);
      if (spinning && spin_.go_on(now)) {
        guard.unlock();
        if (application_makes_progress(now)) break;
        cpu_relax();
        continue;
      }
      if (spinning) spin_.gave_up(now);
      spinning = false;
      wake = std::min(device_.next_wake(), device_.flush_old_capture(now));
      blocked = device_.port_blocked();
      if (!device_.sleep()) continue;
      planned_wake_.store(wake);  // under the lock: a thread that posts after this sees it
    }
    block_on_sockets(wake, blocked);
    planned_wake_.store(0);
    if (application_makes_progress(net::now_ns())) break;
  }
}

void EngineThread::block_on_sockets(uint64_t wake, bool blocked) {
  if (blocked) wake = std::min(wake, net::now_ns() + kBlockedRetry);
  wait(wake, true, blocked);
}

bool EngineThread::wait(uint64_t deadline, bool sockets, bool writable, int late) {
  PollSet set;
  for (int fd : {control_.get(), device_.share().fd(), device_.link_fd(), device_.management().fd(), late})
    set.add(fd);
  if (sockets) {
    for (int fd : device_.sockets()) set.add(fd, writable ? POLLIN | POLLOUT : POLLIN);
  }
  // A thread that waits for events may have started before the first group was joined. Then this thread
  // receives the multicast packets.
  if (sockets || has_waiter_.load()) set.add(device_.multicast_fd());
  if (sockets) set.add(device_.bell());
  const bool found = set.wait(deadline) > 0;
  if (sockets) device_.end_sleep();
  if (!found) return false;
  if (set.ready(0)) {
    uint64_t count;
    [[maybe_unused]] const ssize_t got = read(control_.get(), &count, sizeof count);
  }
  if (set.ready(1)) {
    // Senders read the memory figures of other sockets (ReceiverRoom), and this may add sockets.
    std::unique_lock lock(device_.lock());
    device_.share().serve();
    if (device_.rings() != nullptr) device_.rings()->accept_rings(lock);
    if (device_.port_waiting()) device_.push(device_.now(), 0);
  }
  if (set.ready(2)) device_.links_changed();
  if (set.ready(3)) device_.management().serve();
  return set.ready(4);
}

}  // namespace uroce::verbs
