// Messages over the socket of UROCE_FEED, in host byte order: both ends share it. Each message is a header
// and its payload. apps/agent/src/program/messages.ts is the other end.
#pragma once

#include <cstdint>

namespace uroce::feed {

enum class MessageType : uint32_t {
  json = 1,         // a JSON object
  completions = 2,  // Detail, then CompletionRecords
  packets = 3,      // Detail, then PacketRecords, each with its bytes, on multiples of eight
  lives = 4,        // Detail, then LifeRecords
  // Control messages to the process. Each begins with an ID (uint32_t), and a JSON object of type `control`
  // answers it.
  faults = 16,  // the output of uroce/ext/faults_bytes.h: the new settings of the fault injector
};

// Version of the control messages, in the `hello` of a process that accepts them.
inline constexpr uint32_t kControlVersion = 1;

struct MessageHeader {
  uint32_t length;  // bytes of the payload
  MessageType type;
};

struct Detail {
  uint64_t dropped;  // records lost since the last message of this type
};

// Times are nanoseconds of CLOCK_MONOTONIC after the epoch that `hello` names.

struct CompletionRecord {
  uint64_t t;  // polled
  uint64_t wr_id;
  uint32_t qpn;
  uint32_t meta;  // wc opcode, status << 8, flags << 16
  uint32_t byte_len;
  uint32_t imm;      // host order
  uint32_t latency;  // ns from post to completion; UINT32_MAX: that or more; 0: not known (a receive)
  uint32_t batch;    // completions that the same call returned
};
static_assert(sizeof(CompletionRecord) == 40);

struct PacketRecord {
  uint64_t t;
  uint32_t seq;
  uint32_t orig_len;
  uint32_t cap_len;
  uint16_t direction;  // enum uroce_direction
  uint16_t flags;      // enum uroce_packet_flags
};
static_assert(sizeof(PacketRecord) == 24);

// A time of 0: the step did not happen.
struct LifeRecord {
  uint64_t wr_id;
  uint32_t qpn;
  uint32_t opcode;  // enum ibv_wr_opcode
  uint32_t byte_len;
  uint32_t status;
  uint64_t posted;
  uint64_t first_tx;
  uint64_t last_tx;
  uint64_t acked;
  uint64_t cqe;
  uint64_t polled;
};
static_assert(sizeof(LifeRecord) == 72);

}  // namespace uroce::feed
