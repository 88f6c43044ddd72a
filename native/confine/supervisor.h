// Watches the program until it ends, and stops it.
#pragma once

#include "confine/child.h"
#include "confine/verdict.h"

namespace vlconfine {

struct End {
  int status;  // as wait(2) gives it
  Verdict verdict;
};

// Throws Failure.
End supervise(const Options& options, const Child& child);

}  // namespace vlconfine
