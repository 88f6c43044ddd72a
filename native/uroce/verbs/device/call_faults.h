// Calls that fail on purpose: rules of UROCE_CALL_FAULTS say which call, with which errno, and when (docs/faults.md). A call
// that a rule fails is refused with the cause `injected`, so that it shows on stderr, in the run and in the report as what
// it is, and is no misuse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace uroce::verbs::call_faults {

struct Rule {
  std::string call;
  int error = 0;
  uint64_t nth = 0;    // fails only that one, from 1; 0: all
  uint64_t times = 0;  // fails so many at most; 0: no limit
  uint64_t over = 0;   // fails only calls that ask for more bytes
  double probability = 1;
  uint64_t seed = 0;

  uint64_t matched = 0, failed = 0;
};

// Rules from their words: `fail:call=ibv_reg_mr,errno=ENOMEM,nth=2`, with semicolons between them. Nothing if they are wrong;
// `mistake` then names the word.
std::optional<std::vector<Rule>> parse(std::string_view words, std::string* mistake);

// Calls that a rule can name. A call stands for its extended forms, too.
bool is_known(std::string_view call);

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
