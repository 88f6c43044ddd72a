import type { Cause, Resent } from '../runs.js';
import type { Severity } from '../types.js';
import { perWay } from './class.js';
import type { FindingClass, Way } from './class.js';
import { count, plural, time, was } from './words.js';

/** What a class says about its cause. */
interface Told {
  id: string;
  checks: string;
  severity: Severity;
  text: (resent: Resent, way: Way) => string;
  why: (resent: Resent, way: Way) => string;
  cure: string;
}

const times = (n: number): string => (n === 1 ? 'once' : n === 2 ? 'twice' : `${count(n)} times`);

/** What was sent again behind the packet that was asked for. */
function tail({ packets, runs, seen, headsSeen }: Resent): string {
  const behind = packets - runs;
  if (behind === 0) return `${plural(packets, 'packet')} ${was(packets)} sent again`;
  const known = seen - headsSeen;
  return `${count(packets)} packets were sent again, ${count(behind)} of them only because they follow the first (go-back-N)${known > 0 ? `; the capture held ${count(known)} of these already` : ''}`;
}

/** What the capture tells about the place of the loss. `held`: what it means that the capture has the packet from before. */
function place({ runs, headsSeen }: Resent, held: string): string {
  const missing = 'it was lost before the place of capture, or the capture missed it';
  if (headsSeen === runs) return `The capture holds the packet from before: ${held}.`;
  if (headsSeen === 0) return `The capture does not hold the packet from before: ${missing} too.`;
  return `In ${count(headsSeen)} of ${count(runs)} cases the capture holds the packet from before: ${held}. In the others ${missing} too.`;
}

const ASKED_FOR = 'it was lost, overtaken or dropped after the place of capture';
const WAITED_FOR =
  'it was lost after the place of capture, or an ACK or NAK for it was lost before that place';

/** Whether a NAK had asked. */
function asked({ runs, asked: n }: Resent): string {
  const none =
    'No NAK in the capture asked for it: a packet that no later one follows can be lost without a NAK.';
  if (n === 0) return none;
  const all = n === runs ? '' : ` in ${count(n)} of ${count(runs)} cases`;
  return `A NAK in the capture had asked for it${all}, but it was lost after the place of capture or the requester did not act on it.`;
}

const TOLD: Record<Exclude<Cause, 'rnr'>, Told> = {
  nak: {
    id: 'retransmission-nak',
    checks: 'retransmissions after a NAK',
    severity: 'warning',
    text: (r, { from }) => `${from} went back ${times(r.runs)} because of a sequence NAK: ${tail(r)}.`,
    why: (r) =>
      `A NAK with a PSN sequence error names the first PSN that was sent again. ${place(r, ASKED_FOR)}`,
    cure: 'Find where packets are dropped: counters of switch ports and cards, and flow control (PFC) or ECN that is off on one hop.',
  },
  timeout: {
    id: 'retransmission-timeout',
    checks: 'timeouts',
    severity: 'warning',
    text: (r, { from }) =>
      `${from} ran into a timeout ${times(r.runs)} and waited ${time(r.totalWait)} in all, ${time(r.longestWait)} at most: ${tail(r)}.`,
    why: (r) =>
      `The requester sent the PSN again after the wait, and no ACK of it is in the capture. ${asked(r)} ${place(r, WAITED_FOR)}`,
    cure: 'Find where packets are dropped. A shorter local ACK timeout of the QP shortens the wait, at the risk of retransmissions that are not needed.',
  },
  'lost-ack': {
    id: 'retransmission-lost-ack',
    checks: 'lost ACKs',
    severity: 'warning',
    text: (r, { from }) =>
      `${from} sent again ${times(r.runs)} what had been acknowledged, after at most ${time(r.longestWait)}: ${tail(r)}.`,
    why: () =>
      'The capture holds an ACK of this PSN from before. So that ACK was lost after the place of capture, or came after the timeout.',
    cure: 'If ACKs are lost, look at the path back to the requester. If they are late, raise the local ACK timeout of the QP.',
  },
  'one-way': {
    id: 'retransmission-one-way',
    checks: 'retransmissions without captured answers',
    severity: 'warning',
    text: (r, { from }) => `${from} went back ${times(r.runs)}, for an unknown reason: ${tail(r)}.`,
    why: () =>
      'The capture holds no answers to these requests, so it cannot tell a NAK from a timeout or a lost ACK.',
    cure: 'Capture both directions of the connection.',
  },
  unexplained: {
    id: 'retransmission-unexplained',
    checks: 'retransmissions without a cause in the capture',
    severity: 'warning',
    text: (r, { from }) => `${from} went back ${times(r.runs)} without a cause in the capture: ${tail(r)}.`,
    why: (r) =>
      `No NAK names the PSN, and at most ${time(r.longestWait)} had passed since it was sent or answered, which is too short for a timeout. The NAK may be missing from the capture.`,
    cure: 'Capture again close to the requester, with a larger capture buffer.',
  },
};

export const retransmissions: FindingClass[] = (Object.keys(TOLD) as (keyof typeof TOLD)[]).map((cause) => {
  const { id, checks, severity, text, why, cure } = TOLD[cause];
  return {
    id,
    checks,
    find: (evidence) =>
      perWay(id, evidence, (way) => {
        const resent = way.flow.requester.runs.causes[cause];
        if (resent.runs === 0) return null;
        return {
          severity,
          packets: resent.heads,
          text: text(resent, way),
          why: why(resent, way),
          cure,
        };
      }),
  };
});
