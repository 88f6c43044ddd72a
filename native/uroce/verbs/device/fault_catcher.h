// Lets the device go on when registered memory is gone (guarded.h). A NIC has such pages pinned; this device finds them
// missing, by a SIGSEGV or SIGBUS in the middle of a copy.
//
// The program's own handling of the two signals stays as it is: it sets and reads its actions through the functions of
// abi_signal.cc, which keep them here, and every other fault goes on to them.
#pragma once

#include <signal.h>

namespace uroce::verbs::fault_catcher {

// Begins to catch. Once a process, when it opens the device.
void install();
// Is the action for this signal kept here?
bool keeps(int number);
// As sigaction(2), for a signal that is kept here.
int action(int number, const struct sigaction* set, struct sigaction* old);
// As pthread_sigmask(3).
int mask(int how, const sigset_t* set, sigset_t* old);

}  // namespace uroce::verbs::fault_catcher
