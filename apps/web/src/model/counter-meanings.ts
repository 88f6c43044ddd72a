/** Meaning of the counters, by the names of rxe and mlx5, and of counters that only the embedded device has. */
const COUNTER_MEANING: Readonly<Record<string, string>> = {
  sent_pkts: 'Packets sent, retransmissions included.',
  rcvd_pkts: 'Packets received and accepted.',
  duplicate_request: 'Duplicate requests: already executed, and received again.',
  out_of_seq_request:
    'Gaps in the requests of RC: a PSN was ahead of the expected one. Counted once for each gap.',
  rcvd_rnr_err: 'RNR NAKs received: the responder had no receive posted.',
  send_rnr_err: 'RNR NAKs sent: no receive was posted here.',
  rcvd_seq_err: 'Sequence NAKs received: the responder missed a packet.',
  ack_deferred:
    'ACKs that were due and not sent: a later ACK covered them. On rxe: responses that the requester left to a task; since Linux 6.10 all responses.',
  retry_exceeded_err: 'Requests given up after all retries (status 12).',
  retry_rnr_exceeded_err: 'Requests given up after all RNR retries (status 13).',
  completer_retry_err: 'Times the requester went back and retransmitted, except after an RNR NAK.',
  send_err:
    'Work requests that could not be sent: wrong local key or range, an operation that the QP does not have, a datagram longer than the MTU, or a failed bind. On rxe: packets that the kernel’s network layer did not take.',
  link_downed: 'Times the link went down.',
  rdma_sends: 'SEND requests completed.',
  rdma_recvs: 'Receives completed.',
  np_ecn_marked_roce_packets: 'Packets that arrived with a congestion mark.',
  np_cnp_sent:
    'Congestion notifications (CNPs) sent. The embedded device sends at most one per QP every 50 µs.',
  rp_cnp_handled:
    'Congestion notifications (CNPs) received. The embedded device only counts them; a NIC lowers its rate.',
  out_of_sequence:
    'Requests that arrived with a PSN ahead of the expected one: each one on RC, once for each gap on UC.',
  packet_seq_err: 'Sequence NAKs received.',
  local_ack_timeout_err:
    'Acknowledgment timers that ran out: no answer came, or the ring to the peer stayed full.',
  rnr_nak_retry_err: 'RNR NAKs received after which the requester tried again.',
  malformed_pkts: 'Packets dropped: a wrong version, length or padding, or a response of the wrong kind.',
  unsupported_pkts: 'Packets dropped: the device does not support the opcode.',
  unknown_qp_pkts: 'Packets dropped: no queue pair has this number, or none is in this multicast group.',
  wrong_state_pkts: 'Packets dropped: the queue pair was not in a state that receives them.',
  wrong_transport_pkts: 'Packets dropped: the queue pair has another transport (RC, UC, UD).',
  wrong_pkey_pkts: 'Packets dropped: another partition (P_Key).',
  wrong_address_pkts:
    'Packets dropped: not from the peer of the queue pair to its address, or multicast to its own number.',
  stray_response_pkts: 'Packets dropped: a response with a PSN that matches no recent request.',
  icrc_errors: 'Packets dropped: the checksum (ICRC) was wrong.',
  udp_shut_out_datagrams:
    'Datagrams that the kernel dropped during a flood: from unknown senders, or without room.',
  implied_nak_seq_err:
    'Responses and ACKs that arrived behind a missing READ or atomic response, each of them.',
  qkey_violations: 'Datagrams dropped: their Q_Key is not that of the queue pair.',
  out_of_buffer:
    'UC and UD messages dropped: no receive was posted. On mlx5: packets dropped for that reason.',
  dropped_messages:
    'UC and UD messages dropped for another reason, such as a lost packet other than the first, rights, or a receive that is too small (a UD receive needs 40 bytes more for the GRH).',
  mcast_pkts: 'Multicast packets passed to queue pairs, each copy counted, also if the queue pair drops it.',
  retransmitted_pkts: 'Packets retransmitted.',
  acks_sent: 'ACK packets sent.',
  naks_sent: 'NAK packets sent.',
  short_pkts: 'Packets dropped: too short for BTH and ICRC.',
  foreign_port_datagrams: 'Datagrams of this host dropped: not sent from the port of a device.',
  icrc_other_place:
    'Packets with an ICRC that is correct for an IP identification other than the expected one.',
  icrc_foreign_sender: 'Packets with an IP identification that was derived from the sender’s previous one.',
  icrc_16bit_only:
    'Packets with an unknown IP identification, so that only half of the ICRC could be checked.',
  udp_sends: 'System calls that sent.',
  udp_receives: 'System calls that received.',
  udp_datagrams_in: 'Datagrams received; packets that the kernel passes on together (UDP GRO) count once.',
  udp_bytes_out: 'Bytes sent through sockets, from the BTH to the ICRC.',
  udp_bytes_in: 'Bytes received through sockets, from the BTH to the ICRC.',
  udp_send_busy: 'Times the kernel could not take more packets at that moment.',
  udp_send_lost_pkts:
    'Packets that the kernel rejected, for example without a route or if the interface is down.',
  udp_receive_overruns:
    'Datagrams that the kernel dropped because the receive buffer was full, except during a flood.',
  shm_packets_out:
    'Packets sent through shared memory. A system call is needed only to wake a sleeping receiver.',
  shm_bytes_out: 'Their bytes, from the BTH to the ICRC.',
  shm_packets_in: 'Packets received through shared memory.',
  shm_bytes_in: 'Their bytes, from the BTH to the ICRC.',
  shm_ring_full: 'Times a sender was held back because the ring to the receiver was full.',
  shm_ring_broken: 'Rings given up because the other process wrote into them what no device writes.',
  shm_dropped_pkts:
    'UC and UD packets dropped because the receiving process is stopped and its ring is full.',
  shm_unreachable_pkts:
    'Packets dropped because they cannot go through shared memory and UROCE_LINK=shm allows nothing else.',
  shm_ring_refused:
    'Times a ring could not be opened: packets go through the sockets, and are dropped with UROCE_LINK=shm.',
  peer_connections_refused:
    'Connections of other processes closed at once: one process had too many, or no descriptor was left.',
  cm_stale_connections: 'Connections closed because the peer no longer knew them.',
  cm_refused_requests:
    'Connection requests that the device rejected: no listener, too many waiting, a QP that is still connected, or a wrong transport.',
  cm_stray_messages: 'Connection messages that fit no connection, or not its state.',
  posted_sends: 'Work requests posted to send queues, of every opcode.',
  posted_recvs: 'Receives posted to queue pairs.',
  posted_srq_recvs: 'Receives posted to shared receive queues.',
  retired_unsignaled:
    'Work requests that are done without a completion that the program polled: unsignaled ones, and those whose CQE was still in the CQ when their QP was destroyed.',
};

/** Counters with a meaning in the table above. */
export const COUNTER_NAMES: readonly string[] = Object.keys(COUNTER_MEANING);

/** Meaning of a counter; undefined for an unknown counter. */
export function counterMeaning(name: string): string | undefined {
  const meaning = COUNTER_MEANING[name];
  if (meaning !== undefined) return meaning;
  if (name.startsWith('posted_')) return `Work requests posted with opcode ${name.slice('posted_'.length)}.`;
  if (name.startsWith('wc_')) return `Completions polled with status ${name.slice('wc_'.length)}.`;
  return undefined;
}
