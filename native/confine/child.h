// The process that becomes the program.
#pragma once

#include <sys/types.h>

#include "confine/options.h"

namespace vlconfine {

struct Child {
  pid_t pid;
  int pidfd;
  int listener;  // at which the filter asks
  bool network;  // it has a network of its own
};

// Starts it, confined, right before it executes the program. Throws Failure.
Child start_child(const Options& options);

}  // namespace vlconfine
