import type { Gaps, Missing } from '../gaps.js';
import type { Severity } from '../types.js';
import { DESCRIBED, finding, perWay } from './class.js';
import type { FindingClass } from './class.js';
import { end, plural } from './words.js';

interface Told {
  id: string;
  of: (gaps: Gaps) => Missing;
  checks: string;
  severity: Severity;
  /** True if the text counts PSNs, because one READ that is not captured takes many. */
  psns?: true;
  text: (n: string, from: string, to: string, gaps: number) => string;
  why: string;
  cure: string;
}

const TOLD: Told[] = [
  {
    id: 'gap-lost',
    of: (gaps) => gaps.lost,
    checks: 'packets lost on the way',
    severity: 'warning',
    text: (n, from, to, gaps) =>
      `${n} from ${from} ${n.startsWith('1 ') ? 'is' : 'are'} missing from the capture at first, and ${to} sent ${gaps === 1 ? 'a NAK for this gap' : 'NAKs for these gaps'}.`,
    why: 'PSNs are missing before the packet, and a NAK of the receiver asked for one of them: it did not get that one in order either. It was lost before the place of capture, or overtaken. The others of its gap may be missing from the capture only.',
    cure: 'Look for drops between the sender and the place of capture.',
  },
  {
    id: 'gap-icrc',
    of: (gaps) => gaps.wrong,
    checks: 'packets lost because of their ICRC',
    severity: 'warning',
    text: (n, from) =>
      `${n} from ${from} ${n.startsWith('1 ') ? 'is' : 'are'} in the capture only with a wrong ICRC at first.`,
    why: 'The PSNs before this packet are those of packets with a wrong ICRC. A receiver drops these silently: they are the loss.',
    cure: 'Look for a faulty cable, port or memory between the sender and the place of capture.',
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
    psns: true,
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
    psns: true,
    checks: 'gaps whose cause the capture does not show',
    severity: 'note',
    text: (n, from) =>
      `${n} from ${from} ${n.startsWith('1 ') ? 'is' : 'are'} missing, and the capture does not show why.`,
    why: 'PSNs are missing before the packet, and neither an ACK nor a NAK nor a retransmission of them is in the capture. Lost packets and packets that were not captured look the same.',
    cure: 'Capture both directions and the end of the connection, with a larger capture buffer.',
  },
];

export const gaps: FindingClass[] = TOLD.map(
  ({ id, of, checks, severity, psns: byPsn, text, why, cure }) => ({
    id,
    checks,
    find: (evidence) =>
      perWay(id, evidence, ({ flow, from, to }) => {
        const { psns, requests, packets } = of(flow.requester.gaps);
        if (psns === 0 || (id === 'gap-open' && flow.transport === 'UC')) return null;
        const n = byPsn ? plural(psns, 'PSN') : plural(requests, 'packet');
        return { severity, packets, text: text(n, from, to, packets.total), why, cure };
      }),
  }),
);

export const unreliable: FindingClass = {
  id: 'uc-gap',
  checks: 'messages that UC lost',
  find: (evidence) =>
    perWay('uc-gap', evidence, ({ flow, from, to }) => {
      const { psns, packets } = flow.requester.gaps.open;
      if (psns === 0 || flow.transport !== 'UC') return null;
      return {
        severity: 'warning',
        packets,
        text: `${plural(psns, 'packet')} from ${from} ${psns === 1 ? 'is' : 'are'} missing. UC does not repeat: if ${to} missed ${psns === 1 ? 'it' : 'them'} too, ${psns === 1 ? 'its message is' : 'their messages are'} lost.`,
        why: 'PSNs are missing before the packet. UC has neither ACKs nor retransmissions: a receiver that missed them drops the rest of their messages, and neither end is told. The capture alone may lack them.',
        cure: 'Look for drops on the way, or use RC if every message counts. Compare with a capture at the receiver.',
      };
    }),
};

export const datagrams: FindingClass = {
  id: 'ud-gap',
  checks: 'datagrams that are missing',
  find: ({ datagrams: { lossy }, addresses: { texts } }) =>
    lossy
      .sort((a, b) => b.missing - a.missing)
      .slice(0, DESCRIBED)
      .map(({ src, qp, missing, packets, several, behind }) =>
        finding('ud-gap', {
          severity: several ? 'note' : 'warning',
          packets: behind,
          text: `${plural(missing, 'PSN')} of the datagrams from ${end({ ip: texts[src]!, qpn: qp })} ${missing === 1 ? 'is' : 'are'} missing; ${plural(packets, 'packet')} ${packets === 1 ? 'is' : 'are'} there.`,
          why: `A datagram QP counts all that it sends, whoever it goes to. ${several ? 'This one sends to several QPs, so the missing ones may have gone another way.' : 'All that were captured went to one QP, so the missing ones were lost before the place of capture, were not captured, or went elsewhere.'} Datagrams are not sent again.`,
          cure: 'Compare with what the receiving program got, or with a capture at the receiver.',
        }),
      ),
};

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
        text: `${to} acknowledged ${plural(missing, 'PSN')} of ${from} beyond the last request that the capture holds.`,
        why: 'The ACK names a PSN beyond the last request in the capture.',
        cure: 'Capture both directions, with a larger capture buffer.',
      };
    }),
};
