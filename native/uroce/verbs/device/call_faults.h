// Calls that fail on purpose: rules of UROCE_CALL_FAULTS say which call, with which errno, and when (docs/faults.md). A call
// that a rule fails is refused with the cause `injected`, so that it shows on stderr, in the run and in the report as what
// it is, and is no misuse.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace uroce::verbs::call_faults {

// The word of UROCE_CALL_FAULTS that is wrong; empty if there is none.
const std::string& mistake();

// For injected() only: set before main().
extern bool g_any;
int asked(const char* call, uint64_t bytes);

// errno with which a rule fails this call of the program, recorded as the refusal of the thread; 0 if none does.
// bytes: what a registration asks for.
inline int injected(const char* call, uint64_t bytes = 0) { return g_any ? asked(call, bytes) : 0; }
// True if a rule is about this call.
bool concerns(std::string_view call);

}  // namespace uroce::verbs::call_faults
