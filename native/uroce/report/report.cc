#include "uroce/report/report.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "uroce/bounded.h"
#include "uroce/report/settings.h"

extern "C" int __cxa_atexit(void (*)(void*), void*, void*) noexcept;

namespace uroce::report {

Ledger* g_ledger = nullptr;

namespace {

constexpr uint32_t kWriteTimeoutMs = 3000;  // at the end of the process

std::mutex g_mutex;  // for a forked child that begins its own ledger
pid_t g_pid = 0;
const char* g_setting = "";  // as it was when the library was loaded
bool g_misspelled = false;
std::atomic<void (*)(Ledger&, int)> g_inspect{nullptr};
std::atomic<void (*)(const std::string&)> g_reader{nullptr};

void write_all(int fd, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // there is no reader left
    done += static_cast<std::size_t>(n);
  }
}

void deliver(const Settings& settings, const std::string& text) {
  if (settings.path.empty()) return write_all(STDERR_FILENO, text);
  const int fd = open(settings.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) {
    const std::string reason = std::strerror(errno);
    write_all(STDERR_FILENO, "uroce: UROCE_REPORT: cannot write " + settings.path + ": " + reason + ".\n");
    return write_all(STDERR_FILENO, text);
  }
  write_all(fd, text);
  close(fd);
}

std::atomic_flag g_finished;
std::mutex g_draft_mutex;
std::atomic<bool> g_replaced{false};
// The draft went for a program that could not be started.
std::atomic<bool> g_draft_gone{false};

std::string in_format(const Settings& settings, const Report& report) {
  return settings.format == Format::json ? to_json(report) : to_text(report);
}

std::string draft_path(const std::string& folder) { return folder + "/" + std::to_string(getpid()); }

void write_report_of(Ending ending, int signal) {
  if (g_finished.test_and_set()) return;
  const auto settings = parse_settings(g_setting, getpid());
  const auto reader = g_reader.load();
  if (!settings && reader == nullptr) return;
  if (auto inspect = g_inspect.load()) inspect(*g_ledger, signal);
  const Report report = g_ledger->finish(ending, signal);
  if (reader != nullptr) reader(to_json(report));
  if (!settings) return;
  deliver(*settings, in_format(*settings, report));
  // The launcher would print it in place of this one.
  std::lock_guard guard(g_draft_mutex);
  if (const char* folder = std::getenv("UROCE_REPORT_DRAFTS")) unlink(draft_path(folder).c_str());
}

void write_report() { write_report_of(Ending::itself, 0); }

void at_exit(void*) { finish(); }

// Without a handle of a shared object it runs after all other handlers: registered while libraries are
// loaded, it comes before the handler that ends libraries. So objects that another library destroys in its
// destructors are destroyed by then. This library must not be unloaded before that.
void call_at_the_very_end() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&set_inspector), &info) != 0 && info.dli_fname != nullptr)
    dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  __cxa_atexit(at_exit, nullptr, nullptr);
}

__attribute__((constructor)) void begin() {
  const auto setting = [](const char* name) -> const char* {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : nullptr;
  };
  const char* value = setting("UROCE_REPORT");
  if (value != nullptr && !parse_settings(value, getpid())) {
    g_misspelled = true;
    return;
  }
  // The feed carries the report too (uroce/feed).
  if (value == nullptr && setting("UROCE_FEED") == nullptr) return;
  if (value != nullptr) g_setting = strdup(value);
  pthread_atfork(nullptr, nullptr, [] {
    new (&g_mutex) std::mutex;
    new (&g_draft_mutex) std::mutex;
  });
  g_pid = getpid();
  g_ledger = new Ledger;
  call_at_the_very_end();
}

}  // namespace

void finish() {
  // A child of fork() that used no device has its parent's ledger and must not report it.
  if (g_ledger == nullptr || g_pid != getpid() || g_ledger->unused()) return;
  // A signal handler may have called exit() at any point, so a lock may be held forever.
  run_bounded(write_report, kWriteTimeoutMs);
}

void finish_here() {
  if (g_ledger != nullptr && g_pid == getpid() && !g_ledger->unused()) write_report();
}

void finish_by(int signal) {
  if (g_ledger != nullptr && g_pid == getpid() && !g_ledger->unused())
    write_report_of(Ending::signal, signal);
}

std::optional<Report> draft(uint64_t& version) {
  const uint64_t now = g_ledger->version();
  if (g_pid != getpid() || now == version || g_ledger->unused()) return std::nullopt;
  version = now;
  return g_ledger->finish(Ending::not_seen);
}

void write_draft(const std::string& folder, uint64_t& version) {
  if (g_replaced.load()) return;
  if (g_draft_gone.exchange(false)) version = 0;
  const auto settings = parse_settings(g_setting, getpid());
  if (!settings) return;
  const auto report = draft(version);
  if (!report) return;
  std::lock_guard guard(g_draft_mutex);
  if (g_finished.test() || g_replaced.load()) return;
  const std::string path = draft_path(folder), unfinished = path + ".new";
  const int fd = open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return;  // the launcher is gone, and its folder with it
  write_all(fd, in_format(*settings, *report));
  close(fd);
  rename(unfinished.c_str(), path.c_str());
}

void replace(bool begins) {
  const char* folder = std::getenv("UROCE_REPORT_DRAFTS");
  if (g_ledger == nullptr || g_pid != getpid() || folder == nullptr) return;
  g_replaced.store(begins);
  if (!begins) {
    g_draft_gone.store(true);
    return;
  }
  std::lock_guard guard(g_draft_mutex);
  unlink(draft_path(folder).c_str());
}

Ledger& ledger() {
  if (g_pid != getpid()) {
    std::lock_guard guard(g_mutex);
    if (g_pid != getpid()) {
      g_ledger = new Ledger;  // the parent's may be locked by a thread that does not exist here
      g_pid = getpid();
      g_finished.clear();
    }
  }
  return *g_ledger;
}

bool misspelled() { return g_misspelled; }

void set_inspector(void (*inspect)(Ledger&, int)) { g_inspect.store(inspect); }

void set_reader(void (*reader)(const std::string&)) { g_reader.store(reader); }

}  // namespace uroce::report
