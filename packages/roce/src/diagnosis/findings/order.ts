import { NO_CURE } from '../types.js';
import type { Requester } from '../requester.js';
import { SHORTEST_TIMEOUT_NS } from '../runs.js';
import { perWay } from './class.js';
import type { FindingClass } from './class.js';
import { count, percent, plural, time } from './words.js';

/** Share of duplicates from which on the capture made them: a network does not duplicate most packets. */
const TWICE = 0.8;

/** Sentence on the limits of the verdict where answers are missing. */
const blindly = ({ blind }: Requester): string =>
  blind
    ? ' Where no whole answers were captured or matched yet, one packet that was sent again looks the same.'
    : '';

export const reordered: FindingClass = {
  id: 'reordered',
  checks: 'reordering',
  find: (evidence) =>
    perWay('reordered', evidence, ({ flow, from }) => {
      const { reordered: packets, longestOvertaken } = flow.requester.runs;
      if (packets.total === 0) return null;
      return {
        severity: 'warning',
        packets,
        text: `${plural(packets.total, 'packet')} from ${from} came after a later one, up to ${time(longestOvertaken)} late.`,
        why: `They fill gaps within ${time(SHORTEST_TIMEOUT_NS)}, and the requester did not go back for them. The capture itself can reorder packets when it merges several queues; a NAK for one of these PSNs shows that the receiver saw them out of order too.${blindly(flow.requester)}`,
        cure: 'Look for links that balance packet by packet instead of flow by flow: RC takes a packet that was overtaken for a lost one.',
      };
    }),
};

export const duplicated: FindingClass = {
  id: 'duplicated',
  checks: 'duplicates',
  find: (evidence) =>
    perWay('duplicated', evidence, ({ flow, from }) => {
      const { duplicated: packets } = flow.requester.runs;
      if (packets.total === 0) return null;
      const share = packets.total / (flow.packets - packets.total);
      const twice = share > TWICE;
      return {
        severity: twice ? 'note' : 'warning',
        packets,
        text: `${plural(packets.total, 'packet')} from ${from} ${packets.total === 1 ? 'is' : 'are'} in the capture twice (${percent(share)} of its packets).`,
        why: `The same PSN came again within ${time(SHORTEST_TIMEOUT_NS)}, no NAK asked for it, and the requester then went on where it was. ${
          twice
            ? 'As most packets are there twice, the capture was probably taken at two places at once, such as all interfaces of a host.'
            : 'A copy of the network, a copy of the capture and a retransmission whose other packets were lost before the place of capture look the same here.'
        }${blindly(flow.requester)}`,
        cure: twice
          ? 'Capture on one interface, or take out the copies: editcap -d in.pcapng out.pcapng.'
          : 'If the receiver counts duplicate requests too, look for a loop or a mirror port on the way.',
      };
    }),
};

export const doubtful: FindingClass = {
  id: 'doubtful',
  checks: 'packets that came again or late for a reason that cannot be told',
  find: (evidence) =>
    perWay('doubtful', evidence, ({ flow, from }) => {
      const { doubtful: packets } = flow.requester.runs;
      if (packets.total === 0) return null;
      return {
        severity: 'warning',
        packets,
        text: `${plural(packets.total, 'packet')} from ${from} came again or late, and the capture does not tell why.`,
        why: 'Several causes fit, such as a copy on the way or of the capture, a packet that was overtaken, and a retransmission after a NAK, a missing response or a timeout, some of whose packets may have been lost before the place of capture.',
        cure: 'Capture both directions close to the requester: what it sends comes there in order, and twice only if it sends it twice.',
      };
    }),
};

export const arrivals: FindingClass = {
  id: 'both-ends',
  checks: 'packets captured at both ends',
  find: ({ totals }) =>
    totals.arrivals === 0
      ? []
      : [
          {
            id: 'both-ends',
            severity: 'note',
            packets: [],
            total: totals.arrivals,
            text: `${plural(totals.arrivals, 'packet')} of ${count(totals.packets)} ${totals.arrivals === 1 ? 'is' : 'are'} in the capture twice, from two places: as they left and as they arrived, or from two interfaces.`,
            why: 'The same packet came from another interface or in the other direction within 500 ms. The second of the two is left out of everything else.',
            cure: NO_CURE,
          },
        ],
};

export const reused: FindingClass = {
  id: 'qp-reused',
  checks: 'QP numbers that were used again',
  find: (evidence) =>
    perWay('qp-reused', evidence, ({ flow, from, to }) => {
      const { reused: packets } = flow.requester;
      if (packets.total === 0) return null;
      return {
        severity: 'note',
        packets,
        text: `${plural(packets.total, 'new connection')} from ${from} to ${to} used the same QP number again.`,
        why: 'The PSN jumps, and the responder counts messages from the start again (the MSN of its answers falls), which it does for a new connection only. What is counted is the sum of both.',
        cure: NO_CURE,
      };
    }),
};
