/** Counters that tell failures apart, out of all that a device has. */
import type { Counters } from './evidence.js';

const TELLING = [
  'naks_sent',
  'send_rnr_err',
  'rcvd_rnr_err',
  'retry_rnr_exceeded_err',
  'local_ack_timeout_err',
  'retransmitted_pkts',
  'retry_exceeded_err',
  'out_of_sequence',
  'packet_seq_err',
  'qkey_violations',
  'unknown_qp_pkts',
  'wrong_state_pkts',
];

/** `server: naks_sent +1`; null without counters. */
export function countersText(client: Counters | null, server: Counters | null): string | null {
  if (!client && !server) return null;
  const parts = (
    [
      ['client', client],
      ['server', server],
    ] as const
  ).flatMap(([side, grown]) =>
    TELLING.flatMap((name) => (grown?.[name] ? [`${side} ${name} +${grown[name]}`] : [])),
  );
  return parts.length === 0 ? 'none' : parts.join(', ');
}
