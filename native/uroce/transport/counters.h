// Counters under rxe's names (rxe_hw_counters.c), then mlx5's for congestion, then our own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "uroce/transport/validate.h"

namespace uroce::transport {

struct Counters {
  uint64_t sent_pkts = 0;
  uint64_t rcvd_pkts = 0;  // with a right ICRC, and not rejected for one of the reasons below
  uint64_t duplicate_request = 0;
  uint64_t out_of_seq_request = 0;
  uint64_t rcvd_rnr_err = 0;
  uint64_t send_rnr_err = 0;
  uint64_t rcvd_seq_err = 0;
  uint64_t ack_deferred = 0;  // ACKs that a later one covered
  uint64_t retry_exceeded_err = 0;
  uint64_t retry_rnr_exceeded_err = 0;
  uint64_t completer_retry_err = 0;  // go-backs: NAK, implied NAK or timeout
  uint64_t send_err = 0;             // WRs that failed before they left (local protection)
  uint64_t rdma_sends = 0;           // SEND messages completed
  uint64_t rdma_recvs = 0;           // receive completions
  uint64_t np_ecn_marked_roce_packets = 0;
  uint64_t np_cnp_sent = 0;
  uint64_t rp_cnp_handled = 0;
  uint64_t out_of_sequence = 0;  // requests ahead of the expected PSN: RC each one, UC once for each gap
  uint64_t packet_seq_err = 0;   // sequence NAKs received
  uint64_t local_ack_timeout_err = 0;
  uint64_t rnr_nak_retry_err = 0;
  uint64_t implied_nak_seq_err = 0;  // responses that came with a gap
  uint64_t malformed_pkts = 0;       // from here to stray_response_pkts: see enum Reject
  uint64_t unsupported_pkts = 0;
  uint64_t unknown_qp_pkts = 0;
  uint64_t wrong_state_pkts = 0;
  uint64_t wrong_transport_pkts = 0;
  uint64_t wrong_pkey_pkts = 0;
  uint64_t wrong_address_pkts = 0;
  uint64_t stray_response_pkts = 0;
  uint64_t qkey_violations = 0;   // UD packets with a Q_Key that is not the QP's
  uint64_t out_of_buffer = 0;     // UC and UD messages for which no receive was posted
  uint64_t dropped_messages = 0;  // UC and UD messages dropped for another reason: gap, length, rights
  uint64_t mcast_pkts = 0;        // multicast packets handed to a QP, each copy
  uint64_t retransmitted_pkts = 0;
  uint64_t acks_sent = 0;
  uint64_t naks_sent = 0;

  // Packets rejected for this reason.
  uint64_t& of(Reject reason);
};

inline constexpr std::size_t kCounterCount = sizeof(Counters) / sizeof(uint64_t);
struct Counter {
  const char* name;
  uint64_t Counters::* value;
};
// All of them, in the order in which they are shown.
extern const std::array<Counter, kCounterCount> kCounters;
// Packets rejected, for any reason.
uint64_t rejected_packets(const Counters& c);

}  // namespace uroce::transport
