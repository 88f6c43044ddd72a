#include "uroce/report/ledger.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "uroce/clock.h"
#include "uroce/report/place.h"

namespace uroce::report {
Ledger::Ledger() = default;

void Ledger::begin(uint64_t now) {
  if (used_) return;
  used_ = true;
  began_ns_ = now;
  began_wall_ns_ = static_cast<int64_t>(clock_ns(CLOCK_REALTIME));
}

void Ledger::made(Kind kind, const void* handle, uint32_t number) {
  const Caller where = caller();
  const uint64_t now = monotonic_ns();
  {
    std::lock_guard guard(mutex_);
    begin(now);
    const uint32_t ordinal = ++ordinals_[kind];
    if (number == 0) number = ordinal;
    live_[handle] = {kind, number, where, now, t_maker != nullptr ? std::optional(*t_maker) : std::nullopt};
    version_.fetch_add(1, std::memory_order_relaxed);
  }
  if (const Observer* observer = observer_.load()) observer->made({handle, kind, number});
}

void Ledger::gone(const void* handle) {
  if (const Observer* observer = observer_.load()) {
    if (const auto object = find(handle)) observer->gone(*object);
  }
  std::lock_guard guard(mutex_);
  const auto it = live_.find(handle);
  if (it == live_.end()) return;
  const Entry entry = it->second;
  live_.erase(it);
  version_.fetch_add(1, std::memory_order_relaxed);
  if (entry.kind != Kind::mr) return;
  const uint64_t now = monotonic_ns();
  deregistered_[deregistrations_++ % deregistered_.size()] = {entry.number, now};
  const uint32_t pairs =
      churn_.deregistered(now, now - entry.born_ns, posts_.load(std::memory_order_relaxed));
  if (pairs == 0) return;
  Entry all = entry;
  all.number = 0;  // a finding for all regions
  add(Misuse::registration_churn, "ibv_reg_mr", all,
      {.detail = std::to_string(Churn::kMany) +
                 " MRs were deregistered within one second, each within a second of its registration, "
                 "with posts in between"},
      pairs);
}

void Ledger::note(Misuse misuse, const char* call, const void* handle, std::string detail, bool here,
                  uint64_t count) {
  const Caller where = here ? caller() : Caller{};
  std::lock_guard guard(mutex_);
  const auto it = live_.find(handle);
  if (it == live_.end()) return;
  Note note{.detail = std::move(detail)};
  if (here) note.where = where;
  add(misuse, call, it->second, std::move(note), count);
}

void Ledger::note(Misuse misuse, const char* call, const void* handle, Note note, uint64_t count) {
  std::lock_guard guard(mutex_);
  const auto it = live_.find(handle);
  add(misuse, call, it != live_.end() ? it->second : Entry{}, std::move(note), count);
}

void Ledger::loaded_library(const std::string& path) {
  std::lock_guard guard(mutex_);
  begin(monotonic_ns());
  add(Misuse::system_library_loaded, "dlopen", {Kind::library, 0, {}, 0},
      {.detail = "dlopen loaded the system’s " + path +
                 ", which does not know the device: its functions cannot use it"},
      1);
}

void Ledger::rnr(const void* handle, bool sent) {
  std::lock_guard guard(mutex_);
  const auto it = live_.find(handle);
  if (it == live_.end()) return;
  uint32_t& count = sent ? it->second.rnr_sent : it->second.rnr_received;
  if (++count < kRnrStorm) return;
  add(sent ? Misuse::rnr_storm_sent : Misuse::rnr_storm_received, sent ? "ibv_post_recv" : "ibv_post_send",
      it->second,
      {.detail = sent ? "the peer sent before a receive was posted"
                      : "the peer had no receive posted for the message"},
      count == kRnrStorm ? kRnrStorm : 1);
}

void Ledger::add(Misuse misuse, const char* call, const Entry& entry, Note note, uint64_t count) {
  const Key key{misuse, call, entry.kind, entry.number, note.kind};
  auto it = findings_.find(key);
  if (it == findings_.end()) {
    if (findings_.size() >= kMaxFindings) {
      dropped_ += count;
      return;
    }
    it = findings_
             .emplace(key, Finding{misuse, call, entry.kind, entry.number, 0, monotonic_ns(),
                                   note.where.value_or(entry.where), std::move(note.detail),
                                   std::move(note.cure), note.request, note.counter})
             .first;
  }
  it->second.count += count;
  version_.fetch_add(1, std::memory_order_relaxed);
}

std::optional<Live> Ledger::find(const void* handle) const {
  std::lock_guard guard(mutex_);
  const auto it = live_.find(handle);
  if (it == live_.end()) return std::nullopt;
  return Live{handle, it->second.kind, it->second.number};
}

std::optional<Live> Ledger::find(Kind kind, uint32_t number) const {
  std::lock_guard guard(mutex_);
  for (const auto& [handle, entry] : live_) {
    if (entry.kind == kind && entry.number == number) return Live{handle, kind, number};
  }
  return std::nullopt;
}

std::optional<uint64_t> Ledger::deregistered(uint32_t key) const {
  std::lock_guard guard(mutex_);
  for (std::size_t i = 0; key != 0 && i < deregistered_.size(); ++i) {
    if (deregistered_[i].key == key) return monotonic_ns() - deregistered_[i].when;
  }
  return std::nullopt;
}

bool Ledger::unused() const {
  std::lock_guard guard(mutex_);
  return !used_;
}

std::vector<Live> Ledger::live() const {
  std::lock_guard guard(mutex_);
  std::vector<Live> all;
  for (const auto& [handle, entry] : live_) all.push_back({handle, entry.kind, entry.number});
  return all;
}

Ledger::RnrNaks Ledger::rnr_naks(const void* handle) const {
  std::lock_guard guard(mutex_);
  const auto it = live_.find(handle);
  return it == live_.end() ? RnrNaks{} : RnrNaks{it->second.rnr_received, it->second.rnr_sent};
}

void Ledger::injected(const char* call, int error, uint64_t count) {
  std::lock_guard guard(mutex_);
  begin(monotonic_ns());
  injected_[{call, error}] += count;
  ++version_;
}

void Ledger::polled(const Completions& some) {
  const auto add = [this](std::atomic<uint64_t>& all, uint64_t n) {
    if (n != 0 && all.fetch_add(n, std::memory_order_relaxed) == 0) ++version_;
  };
  add(successful_, some.successful);
  add(failed_, some.failed);
  add(flushed_, some.flushed);
}

Report Ledger::finish(Ending ending, int signal) const {
  std::lock_guard guard(mutex_);
  Report report;
  report.program = program_invocation_short_name;
  report.pid = getpid();
  report.began_ns = began_ns_;
  report.began_wall_ns = began_wall_ns_;
  report.ended_ns = monotonic_ns();
  report.dropped = dropped_;
  for (const auto& [of, count] : injected_) report.injected.push_back({of.first, of.second, count});
  report.completions = {successful_.load(), failed_.load(), flushed_.load()};
  report.ending = ending;
  report.signal = signal;
  // Objects of one kind from one place are one finding, which names the first made.
  std::map<std::pair<Kind, const void*>, Finding> leaks;
  std::map<Kind, uint64_t> alive;
  std::set<uint64_t> wholes;
  for (const auto& [handle, entry] : live_)
    if (entry.maker && !entry.part()) wholes.insert(entry.maker->call);
  for (const auto& [handle, entry] : live_) {
    if (ending != Ending::itself) {
      ++alive[entry.kind];
      continue;
    }
    if (entry.part() && wholes.contains(entry.maker->call)) continue;
    const bool whole = entry.maker && !entry.part();
    Finding& leak = leaks[{entry.kind, entry.where.at}];
    ++leak.count;
    if (leak.count > 1 && leak.first_ns <= entry.born_ns) continue;
    leak = {Misuse::object_leaked,
            whole ? entry.maker->make : text_of(entry.kind).make,
            entry.kind,
            entry.number,
            leak.count,
            entry.born_ns,
            entry.where,
            {},
            whole ? entry.maker->destroy : "",
            {},
            ""};
  }
  for (const auto& [kind, count] : alive) report.alive.push_back({kind, count});
  for (auto& [key, leak] : leaks) {
    leak.detail = leak.count == 1 ? "was never destroyed"
                                  : "and " + std::to_string(leak.count - 1) +
                                        " more made at the same place were never destroyed";
    if (!leak.cure.empty()) leak.cure = cure_by(leak.cure, leak.count);
    report.findings.push_back(std::move(leak));
  }
  for (const auto& [key, finding] : findings_) report.findings.push_back(finding);
  // Misuse comes before leaked objects.
  std::sort(report.findings.begin(), report.findings.end(), [](const Finding& a, const Finding& b) {
    const bool a_leaked = a.misuse == Misuse::object_leaked, b_leaked = b.misuse == Misuse::object_leaked;
    return std::tie(a_leaked, a.first_ns, a.misuse, a.number) <
           std::tie(b_leaked, b.first_ns, b.misuse, b.number);
  });
  return report;
}

}  // namespace uroce::report
