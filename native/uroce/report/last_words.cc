#include "uroce/report/last_words.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "uroce/clock.h"
#include "uroce/quiet_thread.h"
#include "uroce/report/report.h"

namespace uroce::report::last_words {
namespace {

constexpr uint64_t kDraftEvery = 100'000'000;  // ns
// Drafts take at most this share of a core.
constexpr uint64_t kDraftShare = 20;

struct Writer {
  pid_t pid = getpid();
  sem_t wake{};
  void (*before)() = nullptr;
  std::string folder{};  // where drafts go; empty: there are none
  std::atomic<int> signal{0};
  std::atomic<bool> then_end{false};
  std::atomic<bool> done{false};
};

std::atomic<Writer*> g_writer{nullptr};

// Waits until a signal ends the process, or for the next draft.
void wait(Writer& writer, uint64_t ns) {
  if (writer.folder.empty()) {
    sem_wait(&writer.wake);
    return;
  }
  const uint64_t at = monotonic_ns() + ns;
  const timespec deadline{static_cast<time_t>(at / 1'000'000'000u), static_cast<long>(at % 1'000'000'000u)};
  sem_clockwait(&writer.wake, CLOCK_MONOTONIC, &deadline);
}

void* run(void* argument) {
  Writer& writer = *static_cast<Writer*>(argument);
  pthread_setname_np(pthread_self(), "uroce-report");
  uint64_t version = 0, pause = kDraftEvery;
  while (writer.signal.load() == 0) {
    const uint64_t begin = monotonic_ns();
    if (!writer.folder.empty()) write_draft(writer.folder, version);
    pause = std::max(kDraftEvery, (monotonic_ns() - begin) * kDraftShare);
    wait(writer, pause);
  }
  if (writer.then_end.load()) writer.before();
  finish_by(writer.signal.load());
  writer.done.store(true);
  if (writer.then_end.load()) kill(getpid(), writer.signal.load());
  return nullptr;
}

}  // namespace

void prepare(void (*before)()) {
  static std::mutex mutex;
  if (!on()) return;
  // A forked child that opens the device in turn begins again.
  std::unique_lock guard(mutex, std::try_to_lock);
  Writer* known = g_writer.load();
  if (!guard || (known != nullptr && known->pid == getpid())) return;
  auto* writer = new Writer;
  sem_init(&writer->wake, 0, 0);
  writer->before = before;
  if (const char* folder = std::getenv("UROCE_REPORT_DRAFTS"); folder != nullptr) writer->folder = folder;
  pthread_t thread;
  // The process may have no more threads: its end by a signal is silent then.
  if (start_quiet_thread(&thread, run, writer) != 0) return;
  pthread_detach(thread);
  g_writer.store(writer);
}

bool ask(int signal, bool then_end) {
  Writer* writer = g_writer.load();
  if (writer == nullptr || writer->pid != getpid()) return false;
  writer->then_end.store(then_end);
  writer->signal.store(signal);
  sem_post(&writer->wake);
  return true;
}

bool done_within(uint32_t timeout_ms) {
  const Writer* writer = g_writer.load();
  const uint64_t begin = monotonic_ns();
  while (!writer->done.load()) {
    if (monotonic_ns() - begin > uint64_t{timeout_ms} * 1'000'000) return false;
    const timespec step{0, 100'000};
    nanosleep(&step, nullptr);
  }
  return true;
}

}  // namespace uroce::report::last_words
