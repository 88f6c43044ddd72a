#include "uroce/transport/counters.h"

namespace uroce {

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
    "out_of_sequence",
    "packet_seq_err",
    "local_ack_timeout_err",
    "rnr_nak_retry_err",
    "implied_nak_seq_err",
    "malformed_pkts",
    "unsupported_pkts",
    "unknown_qp_pkts",
    "wrong_address_pkts",
    "wrong_transport_pkts",
    "qkey_violations",
    "out_of_buffer",
    "dropped_messages",
    "mcast_pkts",
    "retransmitted_pkts",
    "acks_sent",
    "naks_sent",
};

}  // namespace uroce
