// seccomp: which system calls pass, which fail, and that the launcher decides on all others.
#pragma once

namespace vlconfine {

// Puts the filter on this process, for good, and gives the descriptor at which the launcher hears of calls. No new
// privileges must be set. `compiler`: as in Options. Throws Failure.
int install_filter(bool compiler);

// Whether the kernel has all that the filter needs.
bool filter_works();

}  // namespace vlconfine
