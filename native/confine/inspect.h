// Whether this kernel lets the launcher look into its own program: it reads the names that calls give, and takes
// descriptors. Yama forbids both with kernel.yama.ptrace_scope 3, and with 2 where a user may have no namespaces.
#pragma once

namespace vlconfine {

bool can_inspect();

}  // namespace vlconfine
