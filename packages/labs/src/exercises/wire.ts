import { RNR_TIMER_US } from '@verbslab/roce';
import { formatBytes, formatCount, plural } from '../base/format.js';
import { leastAckMs, leastRnrMs, timeoutMs } from '../formulas/retry-timers.js';
import { packetsOf } from '../wire/segments.js';
import { exercise } from './exercise.js';

const PSNS = 2 ** 24;
const MTUS = [256, 512, 1024, 2048, 4096];
/** Ethernet, IPv4, UDP, BTH, ICRC and FCS. */
const AROUND = 14 + 20 + 8 + 12 + 4 + 4;
/** Bytes that IP carries beside the payload at most: IPv4, UDP, BTH, RETH, ICRC. */
const INSIDE = 20 + 8 + 12 + 16 + 4;
const psn = (value: number): string => `0x${value.toString(16).padStart(6, '0')}`;
const pathMtu = (ethernet: number): number => Math.max(...MTUS.filter((mtu) => mtu + INSIDE <= ethernet));
const mpps = (gbps: number, bytes: number): number => (gbps * 1000) / 8 / bytes;

export const WIRE = [
  exercise({
    id: 'segments',
    title: 'How a message is split',
    numbers: { bytes: [1, 1000, 1024, 1500, 2048, 4096, 5000, 10_000], mtu: [256, 512, 1024, 2048] },
    text: ({ bytes, mtu }) =>
      `A READ of ${formatCount(bytes)} B is answered at a path MTU of ${formatCount(mtu)} B. How many response packets are there, how many of them are Middles, and how many bytes of data does the last one carry?`,
    fields: [
      { kind: 'number', id: 'packets', label: 'Packets', answer: ({ bytes, mtu }) => packetsOf(bytes, mtu) },
      {
        kind: 'number',
        id: 'middle',
        label: 'Middle',
        answer: ({ bytes, mtu }) => Math.max(0, packetsOf(bytes, mtu) - 2),
      },
      {
        kind: 'number',
        id: 'last',
        label: 'Data in the last',
        unit: 'B',
        answer: ({ bytes, mtu }) => bytes - (packetsOf(bytes, mtu) - 1) * mtu,
      },
    ],
    worked: ({ bytes, mtu }) => {
      const packets = packetsOf(bytes, mtu);
      const names =
        packets === 1
          ? 'one, called Only'
          : packets === 2
            ? 'First and Last'
            : `First, ${packets - 2} × Middle, Last`;
      return [
        `${formatCount(bytes)} / ${formatCount(mtu)}, rounded up, is ${packets}: ${names}.`,
        packets === 1
          ? `It carries all ${formatCount(bytes)} B.`
          : `All but the last carry ${formatCount(mtu)} B each, so ${formatCount(bytes - (packets - 1) * mtu)} B are left for the last one.`,
      ];
    },
    measure: { lab: 'write-read', text: 'Count the packets of a READ.' },
  }),
  exercise({
    id: 'path-mtu',
    title: 'Which path MTU fits?',
    numbers: { ethernet: [1000, 1280, 1500, 2200, 4200, 9000] },
    text: ({ ethernet }) =>
      `The MTU of an Ethernet interface is ${formatCount(ethernet)} B. It counts IPv4 (20 B), UDP (8 B), BTH (12 B), RETH (16 B), the payload and ICRC (4 B). RoCE has path MTUs of 256, 512, 1,024, 2,048 and 4,096 B, which count the payload only. What is the largest that fits?`,
    fields: [
      {
        kind: 'number',
        id: 'mtu',
        label: 'Path MTU',
        unit: 'B',
        answer: ({ ethernet }) => pathMtu(ethernet),
      },
    ],
    worked: ({ ethernet }) => [
      `20 + 8 + 12 + 16 + 4 = ${INSIDE} B are not payload, so ${formatCount(ethernet - INSIDE)} B are left.`,
      `The largest path MTU that fits into this is ${formatCount(pathMtu(ethernet))} B.`,
    ],
    measure: { lab: 'device-facts', text: 'See the MTUs of this device’s port.' },
  }),
  exercise({
    id: 'header-share',
    title: 'What headers cost',
    numbers: { mtu: MTUS },
    text: ({ mtu }) =>
      `A WRITE Middle with ${formatCount(mtu)} B of data has Ethernet (14 B), IPv4 (20 B), UDP (8 B), BTH (12 B), ICRC (4 B) and FCS (4 B) around it. How large is the frame, and what share of it is data?`,
    fields: [
      { kind: 'number', id: 'frame', label: 'Frame', unit: 'B', answer: ({ mtu }) => mtu + AROUND },
      {
        kind: 'number',
        id: 'share',
        label: 'Data',
        unit: '%',
        tolerance: 0.002,
        answer: ({ mtu }) => (100 * mtu) / (mtu + AROUND),
      },
    ],
    worked: ({ mtu }) => [
      `14 + 20 + 8 + 12 + 4 + 4 = ${AROUND} B around the data: ${formatCount(mtu + AROUND)} B.`,
      `${formatCount(mtu)} / ${formatCount(mtu + AROUND)} = ${((100 * mtu) / (mtu + AROUND)).toFixed(1)} %. Preamble and gap between frames are not counted.`,
    ],
  }),
  exercise({
    id: 'psn-wrap',
    title: 'When do PSNs repeat?',
    numbers: { gbps: [10, 25, 40, 100, 160, 200, 400], bytes: [256, 512, 1024, 4096] },
    text: ({ gbps, bytes }) =>
      `One queue pair sends ${gbps} Gb/s of payload in packets of ${formatCount(bytes)} B. A PSN has 24 bits. How many million packets per second is that, and how long until it uses a PSN again?`,
    fields: [
      {
        kind: 'number',
        id: 'rate',
        label: 'Packets',
        unit: 'M/s',
        tolerance: 0.005,
        answer: ({ gbps, bytes }) => mpps(gbps, bytes),
      },
      {
        kind: 'number',
        id: 'time',
        label: 'Time',
        unit: 's',
        tolerance: 0.005,
        answer: ({ gbps, bytes }) => PSNS / 1e6 / mpps(gbps, bytes),
      },
    ],
    worked: ({ gbps, bytes }) => [
      `${gbps} Gb/s / 8 / ${formatCount(bytes)} B = ${mpps(gbps, bytes).toPrecision(4)} million packets per second.`,
      `2^24 = ${formatCount(PSNS)} PSNs / ${mpps(gbps, bytes).toPrecision(4)} M/s = ${(PSNS / 1e6 / mpps(gbps, bytes)).toPrecision(3)} s.`,
    ],
  }),
  exercise({
    id: 'next-psn',
    title: 'The next PSN',
    numbers: { first: { min: 0xfffff0, max: 0xffffff }, kib: [4, 8, 16, 64], mtu: [1024, 2048, 4096] },
    text: ({ first, kib, mtu }) =>
      `A READ request has PSN ${psn(first)} and asks for ${kib} KiB at a path MTU of ${formatCount(mtu)} B. What is the PSN of the last response, and what is that of the next request on this queue pair?`,
    fields: [
      {
        kind: 'number',
        id: 'last',
        label: 'Last response',
        hex: true,
        answer: ({ first, kib, mtu }) => (first + packetsOf(kib * 1024, mtu) - 1) % PSNS,
      },
      {
        kind: 'number',
        id: 'next',
        label: 'Next request',
        hex: true,
        answer: ({ first, kib, mtu }) => (first + packetsOf(kib * 1024, mtu)) % PSNS,
      },
    ],
    worked: ({ first, kib, mtu }) => {
      const packets = packetsOf(kib * 1024, mtu);
      return [
        `The responses take ${kib} KiB / ${formatCount(mtu)} B = ${plural(packets, 'PSN')}, starting with that of the request.`,
        `The last one: ${psn(first)} + ${packets} − 1 = ${psn((first + packets - 1) % PSNS)}; the next request: ${psn((first + packets) % PSNS)}. After 0xffffff comes 0x000000.`,
      ];
    },
    measure: { lab: 'write-read', text: 'Read the PSNs of a READ in its packets.' },
  }),
  exercise({
    id: 'ack-timeout',
    title: 'How long until a dead peer is noticed?',
    numbers: { timeout: { min: 8, max: 18 }, retries: { min: 0, max: 7 } },
    text: ({ timeout, retries }) =>
      `A queue pair has timeout = ${timeout} and retry_cnt = ${retries}. The peer no longer answers. How long is one timeout, and how long does it take at least until the request fails with IBV_WC_RETRY_EXC_ERR?`,
    fields: [
      {
        kind: 'number',
        id: 'timeout',
        label: 'One timeout',
        unit: 's',
        tolerance: 0.01,
        answer: ({ timeout }) => timeoutMs(timeout) / 1000,
      },
      {
        kind: 'number',
        id: 'error',
        label: 'Until the error',
        unit: 's',
        tolerance: 0.01,
        answer: ({ timeout, retries }) => leastAckMs(timeout, retries) / 1000,
      },
    ],
    worked: ({ timeout, retries }) => [
      `4.096 µs × 2^${timeout} = ${timeoutMs(timeout).toPrecision(4)} ms.`,
      `The first transmission and ${plural(retries, 'retry', 'retries')} wait one timeout each: ${retries + 1} × ${timeoutMs(timeout).toPrecision(4)} = ${leastAckMs(timeout, retries).toPrecision(4)} ms. The specification lets a device wait up to four times as long.`,
    ],
    measure: { lab: 'retry-timers', text: 'Measure both timers.' },
  }),
  exercise({
    id: 'rnr-wait',
    title: 'Waiting for a receiver that is not ready',
    numbers: { timer: [0, 1, 5, 10, 12, 14, 20], retries: { min: 1, max: 6 } },
    text: ({ timer, retries }) =>
      `The responder has min_rnr_timer = ${timer}, which stands for ${formatCount(RNR_TIMER_US[timer]!)} µs. The requester has rnr_retry = ${retries}. No RECV is ever posted. How long does it take at least until the SEND fails, and with which status?`,
    fields: [
      {
        kind: 'number',
        id: 'time',
        label: 'Until the error',
        unit: 's',
        tolerance: 0.01,
        answer: ({ timer, retries }) => leastRnrMs(timer, retries) / 1000,
      },
      { kind: 'number', id: 'status', label: 'Status, as a number', answer: () => 13 },
    ],
    worked: ({ timer, retries }) => [
      `The requester waits before each retry: ${retries} × ${formatCount(RNR_TIMER_US[timer]!)} µs = ${leastRnrMs(timer, retries).toPrecision(4)} ms.`,
      `Then it gives up: IBV_WC_RNR_RETRY_EXC_ERR, status 13. rnr_retry = 7 would mean forever${timer === 0 ? ', and min_rnr_timer = 0 is the longest wait of all, not the shortest' : ''}.`,
    ],
    measure: { lab: 'retry-timers', text: 'Measure the waits of a receiver that is not ready.' },
  }),
  exercise({
    id: 'go-back-n',
    title: 'One lost packet',
    numbers: { window: [16, 32, 64, 128, 256], lost: { min: 2, max: 12 } },
    text: ({ window, lost }) =>
      `${window} packets are sent back to back, and number ${lost} is lost. The NAK arrives after the last one was sent. How many packets does go-back-N send again, and how many would selective repeat send?`,
    fields: [
      { kind: 'number', id: 'all', label: 'Go-back-N', answer: ({ window, lost }) => window - lost + 1 },
      { kind: 'number', id: 'one', label: 'Selective repeat', answer: () => 1 },
    ],
    worked: ({ window, lost }) => [
      `The responder dropped everything after the gap, so go-back-N sends from number ${lost} on: ${window} − ${lost} + 1 = ${window - lost + 1}.`,
      'Selective repeat keeps what arrived and asks for one packet.',
    ],
    measure: { lab: 'loss-amplification', text: 'Count what one loss costs.' },
  }),
  exercise({
    id: 'bandwidth-delay',
    title: 'A window for a long path',
    numbers: { gbps: [10, 25, 100], ms: [0.1, 1, 10, 40], kib: [4, 16, 64] },
    text: ({ gbps, ms, kib }) =>
      `A path carries ${gbps} Gb/s, and its round trip takes ${ms} ms. How many bytes must be in flight to fill it, and how many WRITEs of ${kib} KiB at least?`,
    fields: [
      {
        kind: 'number',
        id: 'bytes',
        label: 'In flight',
        unit: 'B',
        tolerance: 0.01,
        answer: ({ gbps, ms }) => (gbps * 1e9 * (ms / 1000)) / 8,
      },
      {
        kind: 'number',
        id: 'requests',
        label: 'WRITEs',
        answer: ({ gbps, ms, kib }) => Math.ceil((gbps * 1e6 * ms) / 8 / (kib * 1024)),
      },
    ],
    worked: ({ gbps, ms, kib }) => {
      const bytes = (gbps * 1e6 * ms) / 8;
      return [
        `${gbps} Gb/s × ${ms} ms / 8 = ${formatCount(bytes)} B (about ${formatBytes(bytes)}).`,
        `${formatCount(bytes)} B / ${formatCount(kib * 1024)} B, rounded up: ${formatCount(Math.ceil(bytes / (kib * 1024)))}.`,
      ];
    },
    measure: { lab: 'delay-and-window', text: 'Delay packets, and find the window.' },
  }),
];
