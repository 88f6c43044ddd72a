// Compares a diagnosis with the truth that a simulation knows about each packet of a capture.
import { MS, opcodeOf, psnOf, type Captured, type Sent } from './traffic.js';
import type { Diagnosis } from '../../src/index.js';

/**
 * Reason for sending a packet: new, or why the requester went back. `both`: for a response that a NAK shows to be
 * missing.
 */
export type Why = 'new' | 'nak' | 'timeout' | 'read' | 'both' | 'rnr';

/** A packet at the place of capture, and the reason why it was sent. */
export interface Truth extends Sent {
  why: Why;
  /** True for the first packet of a retransmission. */
  head: boolean;
  /**
   * Effect of the network before the place of capture: it made the packet, let later packets overtake it, or damaged
   * it.
   */
  odd?: 'copy' | 'late' | 'damaged';
  /** Bytes of payload. */
  payload: number;
}

/** The causes that a finding may stand for. A lost ACK ends in a timeout. */
const MEANS: Record<string, Why[]> = {
  'retransmission-nak': ['nak', 'both'],
  'retransmission-timeout': ['timeout'],
  'retransmission-read': ['read', 'both'],
  'retransmission-lost-ack': ['timeout'],
};
/** Findings that no simulation causes. */
const NEVER = [
  'qp-reused',
  'ack-not-executed',
  'mtu-mixed',
  'nak-invalid-request',
  'nak-remote-access',
  'nak-remote-operational',
  'nak-reserved',
  'uc-gap',
  'ud-gap',
  'unknown-opcode',
  'not-roce',
  'link-type',
];

const ASKED = ['retransmission-nak', 'retransmission-read'];

/** READ requests and atomics: their responses are asked for again. */
const ASKS = [0x0c, 0x13, 0x14];
const ACKNOWLEDGE = 0x11;
/** Syndrome: the byte after the BTH. */
const syndromeOf = ({ data }: Sent): number => data[40]!;
/** Returns the kind of an acknowledgment. */
function kindOf(one: Truth): 'ack' | 'rnr' | 'nak' | undefined {
  if (opcodeOf(one) !== ACKNOWLEDGE) return undefined;
  return (['ack', 'rnr', undefined, 'nak'] as const)[(syndromeOf(one) >> 5) & 3];
}
const isAnswer = (one: Truth): boolean => opcodeOf(one) >= 0x0d && opcodeOf(one) <= 0x12;

/** True for packets of the same connection and direction. */
const sameFlow = (x: Truth, y: Truth): boolean =>
  x.by === y.by && x.data[33] === y.data[33] && x.data[34] === y.data[34] && x.data[35] === y.data[35];

/** Time for which a NAK may explain a retransmission, ns. */
const EXPLAINS = 4 * MS;

/** True if a NAK names the PSN. Then the NAK looks like the reason, even if it only crossed the retransmission. */
const asked = (capture: readonly Truth[], index: number): boolean => {
  const { t, by } = capture[index]!;
  const nak = (one: Truth): boolean =>
    one.by !== by && kindOf(one) === 'nak' && psnOf(one) === psnOf(capture[index]!) && t - one.t < EXPLAINS;
  return capture.slice(0, index).some(nak);
};

/**
 * True if a later answer came shortly before. Then it looks like the reason, even if it was lost and a timeout
 * followed.
 */
const passedOver = (capture: readonly Truth[], index: number): boolean => {
  const { t, by } = capture[index]!;
  const ahead = (one: Truth): number => (psnOf(one) - psnOf(capture[index]!)) & 0xffffff;
  const later = (one: Truth): boolean =>
    one.by !== by && isAnswer(one) && ahead(one) < 1 << 16 && t - one.t < EXPLAINS;
  return capture.slice(0, index).some(later);
};

/**
 * Returns the error of a finding that names this packet; undefined if the finding may be true. `answers`: true if
 * answers are captured and matched.
 */
function wrongly(id: string, capture: readonly Truth[], index: number, answers: boolean): string | undefined {
  const truth = capture[index]!;
  const { head, why, odd } = truth;
  if (id === 'icrc' || id === 'malformed') return odd === 'damaged' ? undefined : 'not damaged';
  // The receiver drops a damaged packet, and so does the diagnosis.
  if (odd === 'damaged') return id === 'both-ends' ? undefined : 'damaged';
  if (id === 'doubtful') return odd === undefined && why === 'new' ? 'the first time, in order' : undefined;
  if (id === 'nak-sequence') return kindOf(truth) === 'nak' ? undefined : 'no NAK';
  if (id === 'rnr') return kindOf(truth) === 'rnr' ? undefined : 'no RNR NAK';
  // A retransmission looks like a copy if only one packet behind the first was captured, and so does any of one packet
  // if no answers are captured. The finding says so.
  if (id === 'duplicated')
    return odd === undefined && ((head && answers) || why === 'new') ? `no copy, but ${why}` : undefined;
  if (id === 'reordered' || id === 'read-response-late') {
    // Two equal packets cannot be told apart.
    const again = (one: Truth): boolean =>
      (one.odd === 'copy' || one.odd === 'late') && sameFlow(one, truth) && psnOf(one) === psnOf(truth);
    return odd === undefined && answers && !(head && capture.slice(index + 1).some(again))
      ? `not late, but ${why}`
      : undefined;
  }
  if (id === 'retransmission-nak' && asked(capture, index)) return undefined;
  if (id === 'retransmission-read' && why === 'timeout' && passedOver(capture, index)) return undefined;
  const means = MEANS[id];
  if (!means) return undefined;
  // A late packet or a copy looks like a retransmission if a NAK or a response asks for it (docs/diagnosis.md).
  if (odd === 'late' && ASKED.includes(id)) return undefined;
  const repeats = head || ASKS.includes(opcodeOf(truth));
  if (odd === 'copy' && repeats && ASKED.includes(id)) return undefined;
  if (odd === 'copy' || why === 'new') return odd === 'copy' ? 'a copy' : 'the first time';
  // The next packet stands for the first of a run that was lost before the capture.
  return head && !means.includes(why) ? why : undefined;
}

/** Returns the false statements of a diagnosis. */
export function falseCauses(diagnosis: Diagnosis, capture: readonly Truth[]): string[] {
  return diagnosis.findings.flatMap(({ id, packets, text, why }) => {
    const answers = !why.includes('Where no whole answers');
    if (NEVER.includes(id)) return [`${id}: ${text} ${packets.join()}`];
    return packets.flatMap((number) => {
      const truth = wrongly(id, capture, number - 1, answers);
      return truth === undefined ? [] : [`packet ${number} (in truth ${truth}): ${id}: ${text}`];
    });
  });
}

/** Bytes of payload, each PSN counted once. */
export function payload(capture: readonly Truth[]): number {
  const seen = new Set<string>();
  let sum = 0;
  for (const one of capture) {
    if (one.odd === 'damaged') continue;
    const key = `${one.by} ${isAnswer(one)} ${one.data[33]} ${one.data[34]} ${one.data[35]} ${psnOf(one)}`;
    if (!seen.has(key)) sum += one.payload;
    if (one.payload > 0) seen.add(key);
  }
  return sum;
}

/** Counts the NAKs and RNR NAKs of a capture without copies. */
export function naks(capture: readonly Truth[]): { naks: number; rnrNaks: number } {
  const right = capture.filter(({ odd }) => odd !== 'damaged').map(kindOf);
  return {
    naks: right.filter((kind) => kind === 'nak').length,
    rnrNaks: right.filter((kind) => kind === 'rnr').length,
  };
}

/** A capture to diagnose: its name, its packets, and the bytes to keep of each (`snap`). */
export type Way<T extends Truth = Truth> = [name: string, packets: (Captured & T)[], snap?: number];
