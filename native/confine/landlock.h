// Landlock: which files the program reaches.
#pragma once

#include "confine/options.h"

namespace vlconfine {

// The version that the kernel offers; 0 where it has none.
int landlock_version();

// Of this process, from now on and for good. Throws Failure.
void restrict_files(const Options& options);

// What a program needs of the system to start, as prefixes of paths. May be read.
const std::vector<std::string>& system_paths();

}  // namespace vlconfine
