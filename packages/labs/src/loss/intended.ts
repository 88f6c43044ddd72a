/** Counters that lost data packets move at both ends, so that they are no problem of the run. */
import type { Intended } from '@verbslab/protocol';

export const LOSS_COUNTERS: Intended[] = [
  {
    role: 'client',
    counters: ['local_ack_timeout_err', 'completer_retry_err', 'retransmitted_pkts', 'packet_seq_err'],
  },
  { role: 'server', counters: ['out_of_sequence'] },
];
