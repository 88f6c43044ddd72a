/** Meanings of the counters, in a few words. */
export const MEANINGS: Readonly<Record<string, string>> = {
  sent_pkts: 'Packets sent, retransmissions included',
  rcvd_pkts: 'Packets received and accepted',
  acks_sent: 'ACK packets sent',
  rdma_sends: 'SENDs completed',
  rdma_recvs: 'RECVs completed',
  ack_deferred: 'ACKs that a later ACK made unnecessary',
  np_ecn_marked_roce_packets: 'Packets that arrived with a congestion mark (ECN)',
  np_cnp_sent: 'Congestion notifications (CNPs) sent',
  rp_cnp_handled: 'Congestion notifications (CNPs) received; a NIC would send slower',
  duplicate_request: 'Requests that had been executed before',
  out_of_sequence: 'Requests ahead of the expected PSN: on RC each of them, on UC each gap once',
  out_of_seq_request: 'Gaps in the PSNs of RC requests, each once',
  naks_sent: 'NAK packets sent, RNR NAKs included',
  packet_seq_err: 'Sequence NAKs received (name of mlx5)',
  rcvd_seq_err: 'Sequence NAKs received (name of rxe)',
  completer_retry_err: 'Times that the requester went back and sent again, except after an RNR NAK',
  retransmitted_pkts: 'Packets sent again',
  implied_nak_seq_err: 'Responses and ACKs behind a missing READ or atomic response, each',
  local_ack_timeout_err: 'ACK timers that ran out',
  retry_exceeded_err: 'Requests given up after retry_cnt retries',
  icrc_errors: 'Packets with a wrong checksum, dropped',
  send_rnr_err: 'RNR NAKs sent',
  rcvd_rnr_err: 'RNR NAKs received',
  rnr_nak_retry_err: 'RNR NAKs after which the requester tried again',
  retry_rnr_exceeded_err: 'Requests given up after rnr_retry retries',
  send_err: 'Requests that could not be sent',
  out_of_buffer: 'UC and UD messages without a RECV, dropped',
  qkey_violations: 'Datagrams with a wrong Q_Key, dropped',
  unknown_qp_pkts: 'Packets to a QP that does not exist, dropped',
  wrong_transport_pkts: 'Packets to a QP of another transport, dropped',
  wrong_state_pkts: 'Packets to a QP whose state does not take them, dropped',
};

/** Counters of drivers/infiniband/sw/rxe/rxe_hw_counters.c. */
const RXE = new Set([
  'sent_pkts',
  'rcvd_pkts',
  'duplicate_request',
  'out_of_seq_request',
  'rcvd_rnr_err',
  'send_rnr_err',
  'rcvd_seq_err',
  'ack_deferred',
  'retry_exceeded_err',
  'retry_rnr_exceeded_err',
  'completer_retry_err',
  'send_err',
  'link_downed',
  'rdma_sends',
  'rdma_recvs',
]);

/** Counters of rxe that count something else there. */
const OTHERWISE_IN_RXE = new Set(['ack_deferred', 'send_err']);

/** Counters of drivers/infiniband/hw/mlx5/counters.c. */
const MLX5 = new Set([
  'duplicate_request',
  'implied_nak_seq_err',
  'local_ack_timeout_err',
  'np_cnp_sent',
  'np_ecn_marked_roce_packets',
  'out_of_buffer',
  'out_of_sequence',
  'packet_seq_err',
  'rnr_nak_retry_err',
  'rp_cnp_handled',
]);

/** Drivers of other devices that have a counter of this name. */
export function originOf(counter: string): string {
  const rxe = OTHERWISE_IN_RXE.has(counter) ? 'rxe, for something else' : 'rxe';
  const drivers = [RXE.has(counter) ? rxe : '', MLX5.has(counter) ? 'mlx5' : ''].filter(Boolean);
  return drivers.length === 0 ? 'this device only' : drivers.join(', ');
}
