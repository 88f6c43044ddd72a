import type { Cause, Resent } from '../runs.js';
import type { Severity } from '../types.js';
import { perWay } from './class.js';
import type { FindingClass, Way } from './class.js';
import { count, plural, time, was } from './words.js';

/** Texts of a finding class for one cause. */
interface Told {
  id: string;
  checks: string;
  severity: Severity;
  text: (resent: Resent, way: Way) => string;
  why: (resent: Resent, way: Way) => string;
  cure: string | ((resent: Resent) => string);
}

const times = (n: number): string => (n === 1 ? 'once' : n === 2 ? 'twice' : `${count(n)} times`);

/** Clause on the packets that were sent again after the one that was asked for. */
function tail({ packets, runs, seen, headsSeen, reads }: Resent): string {
  const behind = packets - runs;
  const what = reads === packets ? 'request for responses' : 'packet';
  const many = reads === packets ? 'requests for responses' : 'packets';
  if (behind === 0) return `${plural(packets, what, many)} ${was(packets)} sent again`;
  const known = seen - headsSeen;
  return `${count(packets)} packets were sent again, ${count(behind)} of them only because they follow the first (go-back-N)${known > 0 ? `; the capture held ${count(known)} of these already` : ''}`;
}

/** Sentence on the place of the loss. `held`: the conclusion if the capture holds the first transmission. */
function place({ runs, headsSeen, reads, wrong }: Resent, held: string): string {
  if (reads > 0) return '';
  const broken = wrong.total > 0 ? ', came with a wrong ICRC' : '';
  const missing = `it was lost before the place of capture${broken}, or the capture missed it`;
  if (headsSeen === runs) return `The capture holds the packet from before: ${held}.`;
  if (wrong.total === runs)
    return `The capture holds the packet from before with a wrong ICRC (${wrong.total === 1 ? `packet ${wrong.first[0]!}` : 'see there'}): its receiver dropped it, and that is the loss.`;
  if (headsSeen === 0)
    return `The capture does not hold the packet from before${wrong.total > 0 ? ' intact' : ''}: ${missing} too.`;
  return `In ${count(headsSeen)} of ${count(runs)} cases the capture holds the packet from before: ${held}. In the others ${missing} too.`;
}

const ASKED_FOR = 'it was lost, overtaken or dropped after the place of capture';
const WAITED_FOR =
  'it was lost after the place of capture, or an ACK or NAK for it was lost before that place';

/** Sentence on responses that were asked for again. */
function reads({ reads: n, runs, readsHeld, readsPassed, readsAnswered }: Resent): string {
  if (n === 0) return '';
  const missing = `${readsAnswered === n ? 'it was lost before the place of capture' : 'the request was lost after the place of capture, or the response before it'}, or the capture missed it too`;
  const which =
    readsHeld === n
      ? 'The capture holds the first response that it asks for: that was lost after the place of capture, or came too late'
      : readsHeld === 0
        ? `The capture does not hold the first response that it asks for: ${missing}`
        : `In ${count(readsHeld)} of ${count(n)} cases the capture holds the first response that it asks for: that was lost after the place of capture or came too late. In the others ${missing}`;
  const passed = readsPassed > 0 && readsPassed === n ? ', while a later response came' : '';
  return `${n === runs ? '' : `In ${count(n)} of ${count(runs)} cases, `}${n === runs ? 'A' : 'a'} READ or an atomic was asked for again. ${which}${passed}.`;
}

/** Sentence on the NAK that had asked for the packet, or on its absence. */
function asked({ runs, asked: n, followed, fewest, reads }: Resent): string {
  if (n === 0 && reads === runs) return '';
  if (n === 0 && followed === runs)
    return `No NAK in the capture asked for it, though ${fewest === 1 ? 'a later packet was' : `${count(fewest)} later packets were`} captured, so a NAK was due if they arrived: they or the NAK were lost, or the responder did not answer.`;
  if (n === 0)
    return followed > 0
      ? 'No NAK in the capture asked for it.'
      : 'No NAK in the capture asked for it: a packet that no later one follows can be lost without a NAK.';
  const all = n === runs ? '' : ` in ${count(n)} of ${count(runs)} cases`;
  return `A NAK in the capture had asked for it${all}, but it was lost after the place of capture or the requester did not act on it.`;
}

/** `134 ms in all, 67.1 ms at most`; a wait that began before the capture was longer. */
const waits = ({ totalWait, longestWait, waitedLonger }: Resent): string =>
  waitedLonger
    ? `${time(totalWait)} or more in all`
    : `${time(totalWait)} in all, ${time(longestWait)} at most`;

/** ACK timeouts of RDMA programs are usually shorter than this. */
const LONGEST_USUAL_NS = 1e9;

const TOLD: Record<Exclude<Cause, 'rnr'>, Told> = {
  nak: {
    id: 'retransmission-nak',
    checks: 'retransmissions after a NAK',
    severity: 'warning',
    text: (r, { from }) => `${from} went back ${times(r.runs)} because of a sequence NAK: ${tail(r)}.`,
    why: (r) =>
      `A NAK with a PSN sequence error names the first PSN that was sent again. ${place(r, ASKED_FOR)}`,
    cure: ({ runs, wrong }) =>
      wrong.total === runs
        ? 'Look for a faulty cable, port or memory: it changes packets on the way.'
        : 'Find where packets are dropped: counters of switch ports and cards, and flow control (PFC) or ECN that is off on one hop.',
  },
  timeout: {
    id: 'retransmission-timeout',
    checks: 'timeouts',
    severity: 'warning',
    text: (r, { from }) => `${from} ran into a timeout ${times(r.runs)} and waited ${waits(r)}: ${tail(r)}.`,
    why: (r) =>
      [
        `The requester sent the PSN again after the wait${r.reads === 0 ? ', and no ACK of it is in the capture' : ''}.`,
        asked(r),
        reads(r),
        place(r, WAITED_FOR),
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
    cure: 'Find where packets are dropped. A shorter local ACK timeout of the QP shortens the wait, at the risk of retransmissions that are not needed.',
  },
  read: {
    id: 'retransmission-read',
    checks: 'READs and atomics that were asked for again',
    severity: 'warning',
    text: (r, { from }) =>
      `${from} asked again ${times(r.runs)} for responses to a READ or an atomic: ${tail(r)}.`,
    why: (r) => `No NAK is needed for this: a response that is missing tells the requester. ${reads(r)}`,
    cure: 'Find where responses are dropped or overtake each other on the way to the requester.',
  },
  'lost-ack': {
    id: 'retransmission-lost-ack',
    checks: 'lost ACKs',
    severity: 'warning',
    text: (r, { from }) =>
      `${from} sent again ${times(r.runs)} what had been acknowledged, after ${r.waitedLonger ? `${time(r.longestWait)} or more` : `at most ${time(r.longestWait)}`}: ${tail(r)}.`,
    why: ({ longestWait }) =>
      `The capture holds an ACK of this PSN from before. So that ACK was lost after the place of capture, or came after the timeout.${longestWait >= LONGEST_USUAL_NS ? ' After so long, it can also be another connection with the same QP number and the same PSNs.' : ''}`,
    cure: 'If ACKs are lost, look at the path back to the requester. If they are late, raise the local ACK timeout of the QP.',
  },
  before: {
    id: 'retransmission-before',
    checks: 'retransmissions of what was sent before the capture',
    severity: 'warning',
    text: (r, { from }) =>
      `${from} went back ${times(r.runs)} to before the first packet of the capture: ${tail(r)}.`,
    why: () =>
      'The first of these PSNs comes before all that the capture had seen of this connection, so what asked for it may have come before the capture began.',
    cure: 'Start the capture earlier to see the cause.',
  },
  cut: {
    id: 'retransmission-cut',
    checks: 'retransmissions whose cause is cut off',
    severity: 'warning',
    text: (r, { from }) => `${from} went back ${times(r.runs)}; why was cut off: ${tail(r)}.`,
    why: () =>
      'Answers are in the capture, but cut before the syndrome, which tells an ACK from a NAK. So nothing can be said about the cause.',
    cure: 'Capture at least 80 bytes of each packet (tcpdump -s 80), more with tags or IPv6.',
  },
  'one-way': {
    id: 'retransmission-one-way',
    checks: 'retransmissions without captured answers',
    severity: 'warning',
    text: (r, { from }) => `${from} went back ${times(r.runs)}, for an unknown reason: ${tail(r)}.`,
    why: () =>
      'No answers to these requests are in the capture, or none could be matched to them, so it cannot tell a NAK from a timeout or a lost ACK.',
    cure: 'Capture both directions of the connection.',
  },
  unexplained: {
    id: 'retransmission-unexplained',
    checks: 'retransmissions without a cause in the capture',
    severity: 'warning',
    text: (r, { from }) => `${from} went back ${times(r.runs)} without a cause in the capture: ${tail(r)}.`,
    why: (r) =>
      `${r.reads > 0 ? `${reads(r)} ` : ''}No NAK that was not answered yet names the PSN, and the wait before it (${time(r.longestWait)} at most) does not show a timeout. The NAK may be missing from the capture.`,
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
          cure: typeof cure === 'string' ? cure : cure(resent),
        };
      }),
  };
});
