import type { Gaps, Missing } from '../gaps.js';
import type { Severity } from '../types.js';
import { perWay } from './class.js';
import type { FindingClass } from './class.js';
import { plural } from './words.js';

interface Told {
  id: string;
  of: (gaps: Gaps) => Missing;
  checks: string;
  severity: Severity;
  text: (n: string, from: string, to: string) => string;
  why: string;
  cure: string;
}

const TOLD: Told[] = [
  {
    id: 'gap-lost',
    of: (gaps) => gaps.lost,
    checks: 'packets lost on the way',
    severity: 'warning',
    text: (n, from, to) => `${n} from ${from} reached neither the capture nor ${to} at first.`,
    why: 'PSNs are missing before the packet, and a NAK of the receiver asked for one of them: it did not get them either, in order. They were lost before the place of capture, or overtaken. A packet with a wrong ICRC counts as missing.',
    cure: 'Look for drops between the sender and the place of capture.',
  },
  {
    id: 'gap-resent',
    of: (gaps) => gaps.resent,
    checks: 'gaps that were sent again',
    severity: 'warning',
    text: (n, from) => `${n} from ${from} came only with a retransmission.`,
    why: 'PSNs are missing before the packet and were captured later, when the requester went back. No NAK in the capture says that the receiver missed them, so the capture alone may lack the first copies.',
    cure: 'Compare with a capture at the other end, or with the packet counters of both ends.',
  },
  {
    id: 'gap-uncaptured',
    of: (gaps) => gaps.uncaptured,
    checks: 'packets that the capture lacks',
    severity: 'note',
    text: (n, from) =>
      `${n} from ${from} ${n.startsWith('1 ') ? 'is' : 'are'} missing from the capture, but not from the connection.`,
    why: 'PSNs are missing before the packet. The receiver acknowledged them and the capture shows no retransmission: the packets arrived and the capture does not hold them.',
    cure: 'Give the capture a larger buffer (tcpdump -B 65536), a smaller snap length, or a filter: udp port 4791.',
  },
  {
    id: 'gap-open',
    of: (gaps) => gaps.open,
    checks: 'gaps whose cause the capture does not show',
    severity: 'note',
    text: (n, from) =>
      `${n} from ${from} ${n.startsWith('1 ') ? 'is' : 'are'} missing, and the capture does not show why.`,
    why: 'PSNs are missing before the packet, and neither an ACK nor a NAK nor a retransmission of them is in the capture. Lost packets and packets that were not captured look the same.',
    cure: 'Capture both directions and the end of the connection, with a larger capture buffer.',
  },
];

export const gaps: FindingClass[] = TOLD.map(({ id, of, checks, severity, text, why, cure }) => ({
  id,
  checks,
  find: (evidence) =>
    perWay(id, evidence, ({ flow, from, to }) => {
      const { psns, packets } = of(flow.requester.gaps);
      if (psns === 0) return null;
      return { severity, packets, text: text(plural(psns, 'packet'), from, to), why, cure };
    }),
}));

export const unseen: FindingClass = {
  id: 'ack-of-unseen',
  checks: 'ACKs of packets that the capture lacks',
  find: (evidence) =>
    perWay('ack-of-unseen', evidence, ({ flow, from, to }) => {
      const { unseenIn: packets, acknowledged, next } = flow.requester;
      const missing = acknowledged - next;
      if (packets.total === 0 || missing <= 0) return null;
      return {
        severity: 'note',
        packets,
        text: `${to} acknowledged ${plural(missing, 'packet')} of ${from} that the capture does not hold.`,
        why: 'The ACK names a PSN beyond the last request in the capture.',
        cure: 'Capture both directions, with a larger capture buffer.',
      };
    }),
};
