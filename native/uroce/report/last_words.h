// The report of a process that a signal ends. A thread started earlier writes it, since the interrupted
// thread may hold any lock, also the allocator's. For a killed process the launcher finds the draft that
// this thread has left in the folder of UROCE_REPORT_DRAFTS.
#pragma once

#include <cstdint>

namespace uroce::report::last_words {

// Starts the thread of this process, once, while the report is on. before: called ahead of a report that is
// written while the process goes on.
void prepare(void (*before)());

// Has the report of this process, which this signal ends, written. For a signal handler. then_end: the
// process goes on meanwhile, and the signal is sent once more when the report is written. False if there is
// no such thread.
bool ask(int signal, bool then_end);
// Waits for the report. False when it takes longer.
bool done_within(uint32_t timeout_ms);

}  // namespace uroce::report::last_words
