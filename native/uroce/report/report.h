// The misuse report of this process: switched on by UROCE_REPORT (or UROCE_FEED) when the library is loaded,
// written when the process ends, by a signal too (last_words.h). Off, all that is left of it is a null
// pointer, looked at where objects are made and destroyed and on error paths.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "uroce/diagnostics.h"
#include "uroce/report/ledger.h"

namespace uroce::report {

// Not to be touched but through on() and ledger().
extern Ledger* g_ledger;

inline bool on() { return kDiagnostics && g_ledger != nullptr; }
// Ledger of this process: a forked child starts over. Only while on().
Ledger& ledger();

// UROCE_REPORT has a value that means nothing.
bool misspelt();

// Called before the report is written, to note what only the end shows. signal: what ends the process, or 0.
void set_inspector(void (*inspect)(Ledger&, int signal));

// Gets the report as JSON at the end of the process, whether or not UROCE_REPORT asks for it.
void set_reader(void (*reader)(const std::string& json));

// Writes the report of a process that ends, once; does nothing if there is none. Another thread writes it,
// and the wait for that thread is bounded.
void finish();
// As finish(), on this thread.
void finish_here();
// As finish(), for a process that this signal ends.
void finish_by(int signal);

// What the report would say if the process were killed now, if that has changed since `version`.
std::optional<Report> draft(uint64_t& version);
// Keeps the draft, as UROCE_REPORT asks for it, in a file of the folder that has the process id as its name.
void write_draft(const std::string& folder, uint64_t& version);
// The process is about to become another program (or, false: it could not). It is not killed, so no draft stays.
void replace(bool begins);

// While one lives, objects that this thread makes are the library's own and not listed.
class Quiet {
 public:
  Quiet() { ++depth; }
  ~Quiet() { --depth; }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  static inline thread_local int depth = 0;
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
