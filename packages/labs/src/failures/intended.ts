/** Intended effects of the broken version of a case, which are no problems of the run. */
import type { Intended } from '@verbslab/protocol';
import type { FailureCase } from './case.js';

/** Counters of a device that sends again after RNR NAKs, or without ACKs; a slow machine adds some to the fixed version. */
export const RETRY_COUNTERS = [
  'rcvd_rnr_err',
  'local_ack_timeout_err',
  'completer_retry_err',
  'retransmitted_pkts',
] as const;

export function intendedOf({ expected, also = [] }: FailureCase): Intended[] {
  const { status, refused, clientEvent, serverEvent, counters = [] } = expected;
  const calls = refused ? [{ call: refused.call, errno: refused.errno }] : [];
  return [
    ...(status ? [{ role: 'client', most: 1, statuses: [status] }] : []),
    ...(clientEvent === undefined ? [] : [{ role: 'client', most: 1, events: [clientEvent] }]),
    ...(serverEvent === undefined ? [] : [{ role: 'server', most: 1, events: [serverEvent] }]),
    // A program that posts until the queue has room is refused often.
    ...(refused ? [{ role: 'client', calls, ...(refused.often ? {} : { most: 1 }) }] : []),
    ...counters.map(({ side, name }) => ({ role: side, counters: [name] })),
    ...also,
  ];
}
