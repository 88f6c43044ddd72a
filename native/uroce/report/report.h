// The misuse report of this process: switched on by UROCE_REPORT (or UROCE_FEED) when the library is loaded,
// written when the process ends by exit(), _exit() or return from main. Off, all that is left of it is a null
// pointer, looked at where objects are made and destroyed and on error paths.
#pragma once

#include <cstdint>
#include <string>

#include "uroce/diagnostics.h"
#include "uroce/report/ledger.h"

namespace uroce::report {

// Not to be touched but through on() and ledger().
extern Ledger* g_ledger;

inline bool on() { return kDiagnostics && g_ledger != nullptr; }
// Of this process: a forked child starts over. Only while on().
Ledger& ledger();

// UROCE_REPORT has a value that means nothing.
bool misspelt();

// Called before the report is written, to note what only the end shows.
void set_inspector(void (*inspect)(Ledger&));

// Gets the report as JSON at the end of the process, whether or not UROCE_REPORT asks for it.
void set_reader(void (*reader)(const std::string& json));

// Writes the report of a process that ends, once; does nothing if there is none. Another thread writes it,
// and the wait for that thread is bounded.
void finish();
// The same on this thread.
void finish_here();

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
