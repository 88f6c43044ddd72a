/** Meaning of the counters by the names that rxe and mlx5 use, and of those that only the embedded device has. */
const COUNTER_MEANING: Readonly<Record<string, string>> = {
  sent_pkts: 'Packets sent, retransmissions included.',
  rcvd_pkts: 'Packets received and accepted.',
  duplicate_request: 'Requests that had been executed before: the requester sent them again.',
  out_of_seq_request: 'Requests whose PSN was not the expected one.',
  rcvd_rnr_err: 'RNR NAKs received: the responder had no receive posted.',
  send_rnr_err: 'RNR NAKs sent: no receive was posted here.',
  rcvd_seq_err: 'Sequence NAKs received: the responder missed a packet.',
  ack_deferred:
    'ACKs that were not sent at once: a later ACK covered them, or they waited to leave with another packet.',
  retry_exceeded_err: 'Requests given up after all retries (status 12).',
  retry_rnr_exceeded_err: 'Requests given up after all RNR retries (status 13).',
  completer_retry_err: 'Times the requester went back and retransmitted.',
  send_err: 'Work requests that failed before anything was sent: wrong local key or range.',
  link_downed: 'Times the link went down.',
  rdma_sends: 'SEND requests completed.',
  rdma_recvs: 'Receives completed.',
  np_ecn_marked_roce_packets: 'Packets that arrived with a congestion mark.',
  np_cnp_sent: 'Congestion notifications sent.',
  rp_cnp_handled: 'Congestion notifications received and acted on.',
  out_of_sequence: 'Requests that arrived ahead of the expected PSN.',
  packet_seq_err: 'Sequence NAKs received.',
  local_ack_timeout_err: 'Acknowledgement timers that ran out.',
  rnr_nak_retry_err: 'RNR NAKs received.',
  malformed_pkts: 'Packets turned down: too short, or a bad version, length or padding.',
  unsupported_pkts: 'Packets turned down: an opcode that the device does not serve.',
  unknown_qp_pkts: 'Packets turned down: no queue pair has this number.',
  wrong_state_pkts: 'Packets turned down: the queue pair takes none in its state.',
  wrong_transport_pkts: 'Packets turned down: the queue pair is of another transport (RC, UC, UD).',
  wrong_pkey_pkts: 'Packets turned down: another partition (P_Key).',
  wrong_address_pkts: 'Packets turned down: not from the peer of the queue pair.',
  stray_response_pkts: 'Packets turned down: a response whose PSN answers nothing that was sent lately.',
  icrc_errors: 'Packets turned down: the checksum (ICRC) was wrong.',
  udp_shut_out_datagrams: 'Datagrams that the kernel dropped for the device while strangers flooded it.',
  implied_nak_seq_err: 'Losses noticed from a response that came too early.',
  qkey_violations: 'Datagrams with another Q_Key than the queue pair’s: dropped.',
  out_of_buffer: 'UC and UD messages for which no receive was posted: dropped.',
  dropped_messages: 'UC and UD messages dropped for another reason: a lost packet, length or rights.',
  mcast_pkts: 'Multicast packets handed to a queue pair, each copy.',
  retransmitted_pkts: 'Packets retransmitted.',
  acks_sent: 'ACK packets sent.',
  naks_sent: 'NAK packets sent.',
  short_pkts: 'Packets turned down: no room for BTH and ICRC.',
  foreign_port_datagrams: 'Datagrams of this host that did not come from the port of a device: dropped.',
  icrc_other_place: 'Packets whose ICRC was right for another IP identification than the expected one.',
  icrc_foreign_sender: 'Packets whose IP identification was told from the one before of the same sender.',
  icrc_16bit_only:
    'Packets of which only half the ICRC could be checked: their IP identification is not known.',
  udp_sends: 'System calls that sent.',
  udp_receives: 'System calls that received.',
  udp_datagrams_in: 'Datagrams received; one may carry several packets.',
  udp_send_busy: 'Times the kernel took no more just then.',
  udp_send_lost_pkts: 'Packets that the kernel refused for good: no route, or the interface is down.',
  udp_receive_overruns: 'Datagrams that the kernel dropped because the receive buffer was full.',
  cm_stale_connections: 'Connections ended because their peer had forgotten them.',
  cm_refused_requests: 'Connection requests rejected: no listener, or too many waiting.',
  cm_stray_messages: 'Connection messages that fit no connection.',
  posted_sends: 'Work requests posted to send queues, of every opcode.',
  posted_recvs: 'Receives posted to queue pairs.',
  posted_srq_recvs: 'Receives posted to shared receive queues.',
  retired_unsignaled: 'Unsignaled work requests that are done: a later completion freed their places.',
};

/** What a counter counts; undefined for one that only another device knows. */
export function counterMeaning(name: string): string | undefined {
  const meaning = COUNTER_MEANING[name];
  if (meaning !== undefined) return meaning;
  if (name.startsWith('posted_')) return `Work requests posted with opcode ${name.slice('posted_'.length)}.`;
  if (name.startsWith('wc_')) return `Completions polled with status ${name.slice('wc_'.length)}.`;
  return undefined;
}
