#include "uroce/transport/counters.h"

#include <iterator>

namespace uroce::transport {
namespace {

#define COUNTER(name) \
  Counter { #name, &Counters::name }

// Counters of the rejects, in the order of enum Reject without none.
constexpr uint64_t Counters::* kRejected[] = {
    &Counters::malformed_pkts,     &Counters::unsupported_pkts,     &Counters::unknown_qp_pkts,
    &Counters::wrong_state_pkts,   &Counters::wrong_transport_pkts, &Counters::wrong_pkey_pkts,
    &Counters::wrong_address_pkts, &Counters::stray_response_pkts,
};
static_assert(std::size(kRejected) + 1 == static_cast<std::size_t>(Reject::end));

}  // namespace

const std::array<Counter, kCounterCount> kCounters = {
    COUNTER(sent_pkts),
    COUNTER(rcvd_pkts),
    COUNTER(duplicate_request),
    COUNTER(out_of_seq_request),
    COUNTER(rcvd_rnr_err),
    COUNTER(send_rnr_err),
    COUNTER(rcvd_seq_err),
    COUNTER(ack_deferred),
    COUNTER(retry_exceeded_err),
    COUNTER(retry_rnr_exceeded_err),
    COUNTER(completer_retry_err),
    COUNTER(send_err),
    COUNTER(rdma_sends),
    COUNTER(rdma_recvs),
    COUNTER(np_ecn_marked_roce_packets),
    COUNTER(np_cnp_sent),
    COUNTER(rp_cnp_handled),
    COUNTER(out_of_sequence),
    COUNTER(packet_seq_err),
    COUNTER(local_ack_timeout_err),
    COUNTER(rnr_nak_retry_err),
    COUNTER(implied_nak_seq_err),
    COUNTER(malformed_pkts),
    COUNTER(unsupported_pkts),
    COUNTER(unknown_qp_pkts),
    COUNTER(wrong_state_pkts),
    COUNTER(wrong_transport_pkts),
    COUNTER(wrong_pkey_pkts),
    COUNTER(wrong_address_pkts),
    COUNTER(stray_response_pkts),
    COUNTER(qkey_violations),
    COUNTER(out_of_buffer),
    COUNTER(dropped_messages),
    COUNTER(mcast_pkts),
    COUNTER(retransmitted_pkts),
    COUNTER(acks_sent),
    COUNTER(naks_sent),
};

#undef COUNTER

uint64_t rejected_packets(const Counters& c) {
  uint64_t sum = 0;
  for (const auto counter : kRejected) sum += c.*counter;
  return sum;
}

uint64_t& Counters::of(Reject reason) {
  return this->*kRejected[static_cast<std::size_t>(reason) - static_cast<std::size_t>(Reject::malformed)];
}

}  // namespace uroce::transport
