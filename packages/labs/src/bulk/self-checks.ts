import { formatBytes, formatCount, formatNumber } from '../format.js';
import { choiceCheck, numberCheck } from '../self-checks.js';

const gbps = (size: number, rate: number): number => (size * 8 * rate) / 1e9;

export const BULK_SELF_CHECKS = [
  numberCheck({
    id: 'goodput',
    numbers: { size: [4096, 16_384, 65_536], rate: { min: 10_000, max: 60_000, step: 5000 } },
    text: ({ size, rate }) =>
      `A client completes ${formatCount(rate)} messages of ${formatBytes(size)} per second. What is the goodput?`,
    answer: ({ size, rate }) => gbps(size, rate),
    unit: 'Gb/s',
    worked: ({ size, rate }) =>
      `${formatCount(rate)} × ${formatCount(size)} B × 8 bits = ${formatNumber(gbps(size, rate))} × 10⁹ bits per second.`,
  }),
  numberCheck({
    id: 'completions',
    numbers: { requests: { min: 1024, max: 8192, step: 512 }, every: [8, 16, 32] },
    text: ({ requests, every }) =>
      `A program posts ${formatCount(requests)} work requests and signals one in every ${every}. How many completions does it poll?`,
    answer: ({ requests, every }) => Math.floor(requests / every),
    unit: 'completions',
    tolerance: 0,
    worked: ({ requests, every }) =>
      `${formatCount(requests)} / ${every} = ${formatCount(Math.floor(requests / every))}. One completion stands for all ${every} requests up to it, since a QP completes them in order.`,
  }),
  choiceCheck({
    id: 'bypass',
    text: 'Which part of the CPU time does RDMA over shared memory save, compared to RDMA over UDP?',
    options: [
      { id: 'kernel', text: 'The kernel’s part: no packet passes through its sockets' },
      { id: 'application', text: 'The application’s part: it posts fewer work requests' },
      { id: 'nic', text: 'All of the NIC’s work: messages are not split into packets' },
    ],
    answer: 'kernel',
    worked:
      'The application posts and polls as before, and the device still builds and reads packets. Only the path of the packets changes.',
  }),
];
