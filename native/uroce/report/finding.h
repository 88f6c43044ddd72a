// What the misuse report can say. Ids and names are part of its interface (docs/report.md): they stay.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace uroce::report {

enum class Misuse : uint8_t {
  object_leaked,
  post_wrong_state,
  post_invalid,
  sge_outside_mr,
  send_queue_unsignaled,
  cq_overrun,
  rnr_storm_sent,
  rnr_storm_received,
  registration_churn,
  completion_error_unpolled,
  event_unacknowledged,
};

enum class Kind : uint8_t {
  context,
  pd,
  mr,
  mw,
  cq,
  qp,
  srq,
  ah,
  channel,
  td,
  parent_domain,
  cm_id,
  cm_channel
};

struct KindText {
  const char* name;
  const char* make;     // the call that makes one
  const char* destroy;  // the call that takes it away
};

const char* id_of(Misuse misuse);
const KindText& text_of(Kind kind);

// Return addresses in the program. The inner one may be in an inline function of <infiniband/verbs.h>, which a
// debug build compiles as a function of its own; then the outer one is the program's call.
struct Caller {
  const void* at = nullptr;     // null if there is none
  const void* outer = nullptr;  // of the function around it
};

struct Finding {
  Misuse misuse{};
  const char* call = "";
  Kind kind{};
  uint32_t number = 0;  // QPN, lkey, rkey; of other kinds the n-th one made, from 1
  uint64_t count = 0;
  uint64_t first_ns = 0;  // CLOCK_MONOTONIC
  Caller where;
  std::string detail;  // of the first time
};

// One sentence.
std::string cure_of(const Finding& finding);

struct Report {
  std::string program;
  int pid = 0;
  uint64_t began_ns = 0;  // CLOCK_MONOTONIC of the first open
  uint64_t ended_ns = 0;
  int64_t began_wall_ns = 0;  // the same moment since the epoch
  std::vector<Finding> findings;
  uint64_t dropped = 0;  // times that found no room among the findings
};

std::string to_text(const Report& report);
// One line.
std::string to_json(const Report& report);

}  // namespace uroce::report
