// The misuse report of this process. UROCE_REPORT (or UROCE_FEED) switches it on when the library is
// loaded. It is written when the process ends, by a signal too (last_words.h). When it is off, only a null
// pointer is left, which is checked where objects are made and destroyed and on error paths.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "uroce/diagnostics.h"
#include "uroce/report/ledger.h"

namespace uroce::report {

// For use through on() and ledger() only.
extern Ledger* g_ledger;

inline bool on() { return kDiagnostics && g_ledger != nullptr; }
// Ledger of this process: a forked child starts over. Only while on().
Ledger& ledger();

// True if UROCE_REPORT has an unknown value.
bool misspelled();

// Sets a function that is called before the report is written, for findings of the end. signal: ends the
// process, or 0.
void set_inspector(void (*inspect)(Ledger&, int signal));

// Sets a function that gets the report as JSON at the end of the process, even if UROCE_REPORT does not ask
// for it.
void set_reader(void (*reader)(const std::string& json));

// Writes the report of a process that ends, once; does nothing if there is none. Another thread writes it,
// and the wait for that thread is bounded.
void finish();
// Writes the report on this thread, else like finish().
void finish_here();
// Writes the report of a process that this signal ends, else like finish().
void finish_by(int signal);

// The report as of now, for a process that may be killed; nothing if it has not changed since `version`.
std::optional<Report> draft(uint64_t& version);
// Writes the draft, if UROCE_REPORT asks for it, to a file in the folder with the process id as its name.
void write_draft(const std::string& folder, uint64_t& version);
// The process is about to execute another program (or, false: could not). It is not killed, so no draft
// stays.
void replace(bool begins);

// While a Quiet lives, objects that this thread makes are the library's own and not listed.
class Quiet {
 public:
  Quiet() { ++depth; }
  ~Quiet() { --depth; }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  static inline thread_local int depth = 0;
};

// While a MadeBy lives, the objects that this thread makes are those of a call of librdmacm (ledger.h). The outermost
// call decides.
class MadeBy {
 public:
  MadeBy(const char* make, const char* destroy, Kind whole) {
    static std::atomic<uint64_t> calls{0};
    if (t_maker != nullptr) return;
    maker_ = {make, destroy, whole, ++calls};
    t_maker = &maker_;
  }
  ~MadeBy() {
    if (t_maker == &maker_) t_maker = nullptr;
  }
  MadeBy(const MadeBy&) = delete;
  MadeBy& operator=(const MadeBy&) = delete;

 private:
  Maker maker_{};
};

inline void made(Kind kind, const void* handle, uint32_t number = 0) {
  if (on() && Quiet::depth == 0) [[unlikely]]
    ledger().made(kind, handle, number);
}
inline void gone(const void* handle) {
  if (on()) [[unlikely]]
    ledger().gone(handle);
}

}  // namespace uroce::report
