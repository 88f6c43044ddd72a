// <infiniband/verbs.h> with its functions exported from this library: everything else is hidden. The symbols
// carry no version, which satisfies a program's versioned references when the library is preloaded.
#pragma once

#pragma GCC visibility push(default)
#include <infiniband/verbs.h>
#pragma GCC visibility pop
