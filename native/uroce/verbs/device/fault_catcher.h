// Lets the device continue when registered memory is gone (guarded.h). A NIC pins such pages; this device
// finds them missing, by a SIGSEGV or SIGBUS in the middle of a copy.
//
// The program's own handling of the two signals is unchanged: it sets and reads its actions through the
// functions of abi_signal.cc, which keep them here, and every other fault is passed on to them.
#pragma once

#include <signal.h>

namespace uroce::verbs::fault_catcher {

// Starts catching. Once per process, when it opens the device.
void install();
// True if the action for this signal is kept here.
bool keeps(int number);
// sigaction(2), for a signal that is kept here.
int action(int number, const struct sigaction* set, struct sigaction* old);
// pthread_sigmask(3), which keeps the caught signals unblocked.
int mask(int how, const sigset_t* set, sigset_t* old);

}  // namespace uroce::verbs::fault_catcher
