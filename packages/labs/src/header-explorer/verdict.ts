/** Fate of a packet, from the counters of the receiver, the answer, and the receiver's memory. Pure functions. */
import type { PacketSummary } from '@verbslab/protocol';
import { isNak, operationName, RC, syndromeText } from '@verbslab/roce';
import { hexByte } from '../failures/syndromes.js';

/** Counters of packets that the device dropped, with the reason for the drop. */
export const DROPS: Readonly<Record<string, string>> = {
  icrc_errors: 'the ICRC does not match the bytes',
  malformed_pkts: 'the version, the length or the pad count cannot be right',
  short_pkts: 'there is no room for a BTH and an ICRC',
  unsupported_pkts: 'the device does not know the opcode',
  unknown_qp_pkts: 'the device has no QP of this number',
  wrong_transport_pkts: 'the opcode belongs to another transport than the QP',
  wrong_pkey_pkts: 'the P_Key is not that of the partition',
  wrong_state_pkts: 'the QP takes no such packets in its state',
  wrong_address_pkts: 'it does not come from the peer of the QP',
  stray_response_pkts: 'it answers no request',
};

export type Verdict = 'dropped' | 'nak' | 'duplicate' | 'executed' | 'nothing' | 'elsewhere';

/** Changed bytes of the receiver's memory: the first, and the length to the last. */
export interface Span {
  from: number;
  length: number;
}

export interface Observed {
  verdict: Verdict;
  /** Counter that names the reason for the drop, or a duplicate. */
  counter: string | null;
  /** All counters of the receiver that moved and say something about it. */
  counters: string[];
  /** First packet that came back, if any. */
  answer: PacketSummary | null;
  memory: Span | null;
  /** Status of the client's completion; null: it has none yet. */
  status: number | null;
}

type Counters = Readonly<Record<string, number>>;

/** Every packet that arrives moves one of these. */
export const arrivals = (counters: Counters): number =>
  ['rcvd_pkts', ...Object.keys(DROPS)].reduce((sum, name) => sum + (counters[name] ?? 0), 0);

/** Packets with which the receiver answered. */
export const answersOf = (counters: Counters): number =>
  ['acks_sent', 'naks_sent', 'send_rnr_err'].reduce((sum, name) => sum + (counters[name] ?? 0), 0);

/** Counters that are shown beside the reasons for a drop. */
const TELLING = ['duplicate_request', 'out_of_sequence', 'send_rnr_err', 'naks_sent'];

export const dropCounter = (grown: Counters): string | null =>
  Object.keys(DROPS).find((name) => (grown[name] ?? 0) > 0) ?? null;

export function changedSpan(before: Uint8Array, after: Uint8Array): Span | null {
  const from = before.findIndex((byte, i) => byte !== after[i]);
  if (from < 0) return null;
  let last = before.length - 1;
  while (before[last] === after[last]) last--;
  return { from, length: last - from + 1 };
}

export const NEVER_ARRIVED: Observed = {
  verdict: 'elsewhere',
  counter: null,
  counters: [],
  answer: null,
  memory: null,
  status: null,
};

/** @param grown growth of the receiver's counters */
export function judge(
  grown: Counters,
  answer: PacketSummary | null,
  memory: Span | null,
  status: number | null,
): Observed {
  const drop = dropCounter(grown);
  const counters = [...Object.keys(DROPS), ...TELLING].filter((name) => (grown[name] ?? 0) > 0);
  const seen = { counters, answer, memory, status };
  if (drop !== null) return { verdict: 'dropped', counter: drop, ...seen };
  if (isNak(answer?.syndrome)) return { verdict: 'nak', counter: null, ...seen };
  if ((grown.duplicate_request ?? 0) > 0)
    return { verdict: 'duplicate', counter: 'duplicate_request', ...seen };
  const executed = memory !== null || answer !== null;
  return { verdict: executed ? 'executed' : 'nothing', counter: null, ...seen };
}

export const VERDICT_TEXT: Readonly<Record<Verdict, string>> = {
  dropped: 'Dropped',
  nak: 'Refused',
  duplicate: 'Duplicate',
  executed: 'Executed',
  nothing: 'Accepted, without effect',
  elsewhere: 'Never got it',
};

/** `NAK 0x62: Remote access error`, `ACK`, `none`. */
export function answerText(answer: PacketSummary | null): string {
  if (!answer) return 'none';
  const { opcode, syndrome } = answer;
  if (opcode === RC.acknowledge && syndrome !== undefined)
    return isNak(syndrome) ? `${hexByte(syndrome)} ${syndromeText(syndrome)}` : 'ACK';
  return operationName(opcode);
}

/** The device's action and its reason, as one sentence. */
export function whyText({ verdict, counter, answer }: Observed): string {
  switch (verdict) {
    case 'dropped':
      return `Dropped in silence: ${DROPS[counter!]} (${counter}).`;
    case 'nak':
      return `Refused with ${answerText(answer)}.`;
    case 'duplicate':
      return 'Taken for a packet that came before, not for a new request (duplicate_request).';
    case 'executed':
      return `Executed${answer ? `, answered with ${answerText(answer)}` : ' without an answer'}.`;
    case 'nothing':
      return 'Accepted. No answer came, and no byte changed.';
    case 'elsewhere':
      return 'The server’s device never got it: no counter moved. Packets for this QPN may go to another process or to none, or the network lost it.';
  }
}

export const sameSpan = (a: Span | null, b: Span | null): boolean =>
  a?.from === b?.from && a?.length === b?.length;

/** `64 B at offset 1024`. */
export const spanText = (span: Span | null): string =>
  span === null ? 'unchanged' : `${span.length} B at offset ${span.from}`;
