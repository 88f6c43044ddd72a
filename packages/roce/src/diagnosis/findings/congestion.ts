import { perWay } from './class.js';
import type { FindingClass } from './class.js';
import { percent, plural } from './words.js';

export const marked: FindingClass = {
  id: 'ecn',
  checks: 'ECN marks',
  find: (evidence) =>
    perWay('ecn', evidence, ({ flow, from }) => {
      const { marked: packets } = flow;
      if (packets.total === 0) return null;
      return {
        severity: 'warning',
        packets,
        text: `${plural(packets.total, 'packet')} from ${from} (${percent(packets.total / flow.packets)}) ${packets.total === 1 ? 'is' : 'are'} marked by a congested switch.`,
        why: 'Their ECN bits are 3 (congestion experienced): a queue on the way to the place of capture was longer than the threshold of its switch.',
        cure: 'Look for several senders to one port (incast). The receiver should answer with CNPs and the sender slow down; if neither is in the capture, ECN is not set up at the ends.',
      };
    }),
};

export const notified: FindingClass = {
  id: 'cnp',
  checks: 'congestion notifications (CNPs)',
  find: (evidence) =>
    perWay('cnp', evidence, ({ flow, from, to }) => {
      const { cnps: packets } = flow;
      if (packets.total === 0) return null;
      return {
        severity: 'warning',
        packets,
        text: `${from} sent ${plural(packets.total, 'CNP')} to ${to}.`,
        why: 'A receiver sends a CNP when packets of the flow arrive with an ECN mark. It asks the sender to slow down.',
        cure: 'Look for the congested port on the way to the sender of the CNPs.',
      };
    }),
};
