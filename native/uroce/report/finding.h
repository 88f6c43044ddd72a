// Findings of the misuse report. Ids and names are part of its interface (docs/report.md): they stay.
#pragma once

#include <cstdint>
#include <optional>
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
  request_failed,
  request_refused,
  memory_gone,
  system_library_loaded,
  call_refused,
  message_dropped,
  psn_mismatch,
  waits_forever,
  completion_unpolled,
  destroy_waits,
  queue_full,
  async_event_unread,
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
  cm_channel,
  library,
};

struct KindText {
  const char* name;
  const char* make;     // the call that makes one
  const char* destroy;  // the call that destroys one
};

const char* id_of(Misuse misuse);
const KindText& text_of(Kind kind);

// Return addresses in the program. The inner one may be in an inline function of <infiniband/verbs.h>,
// which a debug build compiles as a separate function; then the outer one is the program's call.
struct Caller {
  const void* at = nullptr;     // null if there is none
  const void* outer = nullptr;  // return address of the function around it
};

// The work request of a finding. Both sides fill the common part identically.
struct Request {
  uint32_t qpn = 0;       // QP of the request
  uint32_t peer_qpn = 0;  // QP of the peer; 0: none
  const char* opcode = "";
  std::optional<uint64_t> wr_id{};  // known at the side that posted it
  const char* status = nullptr;     // status of its completion, known there too
  uint32_t length = 0;              // bytes
  uint64_t remote_addr = 0;
  uint32_t rkey = 0;              // 0: it has none
  std::optional<uint32_t> psn{};  // at the sender the first, at the responder that of the NAK
};

struct Finding {
  Misuse misuse{};
  const char* call = "";
  Kind kind{};
  uint32_t number = 0;  // QPN, lkey, rkey; other kinds: the n-th one made, from 1
  uint64_t count = 0;
  uint64_t first_ns = 0;  // CLOCK_MONOTONIC
  Caller where;
  std::string detail;  // detail of the first time
  std::string cure;    // cure of the first time; empty: the one of the misuse
  std::optional<Request> request;
  const char* counter = "";  // the device's, counts it too; empty: none
};

// Details of a finding beside the object. Without `where`, the place is where the object was made.
struct Note {
  std::string detail{};
  std::optional<Caller> where{};
  std::string cure{};
  std::optional<Request> request{};
  uint64_t kind = 0;         // different kinds of one misuse, call and object are separate findings
  const char* counter = "";  // the device's, counts it too
};

// The cure of objects that were not destroyed: to call this function.
std::string cure_by(const std::string& destroy, uint64_t count);
// The cure, as one sentence.
std::string cure_of(const Finding& finding);

struct Alive {
  Kind kind{};
  uint64_t count = 0;
};

// The way in which the process of a report ended.
enum class Ending : uint8_t {
  itself,    // it returned from main or called one of the exit functions
  signal,    // Report::signal
  not_seen,  // unknown: the report is from shortly before
};

// Completions that the program took from its completion queues.
struct Completions {
  uint64_t successful = 0, failed = 0, flushed = 0;
};

// Calls that a rule of injected faults failed.
struct Injected {
  std::string call;
  int error = 0;
  uint64_t count = 0;
};

struct Report {
  std::string program;
  int pid = 0;
  uint64_t began_ns = 0;  // CLOCK_MONOTONIC of the first open
  uint64_t ended_ns = 0;
  int64_t began_wall_ns = 0;  // began_ns since the epoch
  std::vector<Finding> findings;
  uint64_t dropped = 0;  // times that a finding found no room
  Completions completions;
  std::vector<Injected> injected;
  Ending ending = Ending::itself;
  int signal = 0;
  // Objects that the process could not destroy. If it ended by itself they are findings.
  std::vector<Alive> alive{};
};

std::string to_text(const Report& report);
// The report as one line of JSON.
std::string to_json(const Report& report);

}  // namespace uroce::report
