#include "uroce/transport/counters.h"

#include <numeric>

namespace uroce::transport {

const std::array<const char*, kCounterCount> kCounterNames = {
    "sent_pkts",
    "rcvd_pkts",
    "duplicate_request",
    "out_of_seq_request",
    "rcvd_rnr_err",
    "send_rnr_err",
    "rcvd_seq_err",
    "ack_deferred",
    "retry_exceeded_err",
    "retry_rnr_exceeded_err",
    "completer_retry_err",
    "send_err",
    "rdma_sends",
    "rdma_recvs",
    "np_ecn_marked_roce_packets",
    "np_cnp_sent",
    "rp_cnp_handled",
    "out_of_sequence",
    "packet_seq_err",
    "local_ack_timeout_err",
    "rnr_nak_retry_err",
    "implied_nak_seq_err",
    "malformed_pkts",
    "unsupported_pkts",
    "unknown_qp_pkts",
    "wrong_state_pkts",
    "wrong_transport_pkts",
    "wrong_pkey_pkts",
    "wrong_address_pkts",
    "stray_response_pkts",
    "qkey_violations",
    "out_of_buffer",
    "dropped_messages",
    "mcast_pkts",
    "retransmitted_pkts",
    "acks_sent",
    "naks_sent",
};

uint64_t rejected_packets(const Counters& c) {
  return std::accumulate(&c.malformed_pkts, &c.stray_response_pkts + 1, uint64_t{0});
}

uint64_t& Counters::of(Reject reason) {
  return (&malformed_pkts)[static_cast<std::size_t>(reason) - static_cast<std::size_t>(Reject::malformed)];
}

}  // namespace uroce::transport
