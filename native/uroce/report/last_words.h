// The end of a process by a signal. A thread that was there before writes the report, since the interrupted one may
// hold any lock, also the allocator's. Of a process that is killed the launcher finds what this thread has left in
// the folder of UROCE_REPORT_DRAFTS.
#pragma once

#include <cstdint>

namespace uroce::report::last_words {

// Starts the thread of this process, once, while the report is on. before: called ahead of a report that is written
// while the process goes on.
void prepare(void (*before)());

// In a signal handler. Has the report of this process written, which ends by this signal. then_end: the process goes
// on meanwhile, and the signal is sent once more when the report is written. False if there is no such thread.
bool ask(int signal, bool then_end);
// Waits for the report. False when it takes longer.
bool done_within(uint32_t patience_ms);

}  // namespace uroce::report::last_words
