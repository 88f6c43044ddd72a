import { PSN_MODULUS } from '@verbslab/roce';
import { choiceCheck, numberCheck } from '../form/self-checks.js';

const packetsPerSecond = (gbps: number, mtu: number): number => (gbps * 1e9) / 8 / mtu;

export const ACKNOWLEDGMENTS_SELF_CHECKS = [
  numberCheck({
    id: 'covered',
    numbers: { first: { min: 16_777_150, max: 16_777_210 }, count: { min: 70, max: 120 } },
    text: ({ first, count }) =>
      `Packets with PSN ${first} and later are unacknowledged. An ACK with PSN ${(first + count - 1) % PSN_MODULUS} comes. How many packets does it acknowledge?`,
    answer: ({ count }) => count,
    unit: 'packets',
    tolerance: 0,
    worked: ({ first, count }) =>
      `PSNs have 24 bits, so 0 follows 16,777,215: ${PSN_MODULUS - first} packets before the wrap, and ${first + count - PSN_MODULUS} from PSN 0 on. Together ${count}.`,
  }),
  numberCheck({
    id: 'wrap-time',
    numbers: { gbps: [40, 100, 160, 200, 400], mtu: [1024, 4096] },
    text: ({ gbps, mtu }) =>
      `One QP sends ${gbps} Gb/s of payload in packets of ${mtu} B. How long until it uses a PSN again?`,
    answer: ({ gbps, mtu }) => PSN_MODULUS / packetsPerSecond(gbps, mtu),
    unit: 's',
    worked: ({ gbps, mtu }) =>
      `${gbps} Gb/s / 8 / ${mtu} B = ${(packetsPerSecond(gbps, mtu) / 1e6).toPrecision(4)} million packets per second. 2^24 / ${(packetsPerSecond(gbps, mtu) / 1e6).toPrecision(4)} million = ${(PSN_MODULUS / packetsPerSecond(gbps, mtu)).toPrecision(3)} s.`,
  }),
  numberCheck({
    id: 'msn',
    numbers: {
      sends: { min: 3, max: 9 },
      writes: { min: 3, max: 9 },
      reads: { min: 2, max: 6 },
      packets: [4, 16],
    },
    text: ({ sends, writes, reads, packets }) =>
      `On a new connection the responder executed ${sends} SENDs, ${writes} WRITEs and ${reads} READs, each of ${packets} packets. Which MSN does it report?`,
    answer: ({ sends, writes, reads }) => sends + writes + reads,
    tolerance: 0,
    worked: ({ sends, writes, reads }) =>
      `The MSN counts messages, not packets, and a READ is one too: ${sends} + ${writes} + ${reads} = ${sends + writes + reads}.`,
  }),
  choiceCheck({
    id: 'cumulative',
    text: 'A requester waits for ACKs 10, 11 and 12. Only the ACK with PSN 12 comes. What does it do?',
    options: [
      { id: 'done', text: 'It completes all three: an ACK covers all packets up to its PSN' },
      { id: 'ask', text: 'It sends packets 10 and 11 again' },
      { id: 'wait', text: 'It waits for the other two until its timeout' },
    ],
    answer: 'done',
    worked:
      'RC acknowledges cumulatively. So the responder may answer several packets at once, and a lost ACK does no harm if a later one arrives in time.',
  }),
];
