import { formatBytes, formatCount, formatNumber } from '../base/format.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

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
    numbers: { size: [MIB, 4 * MIB], every: [8, 16, 32] },
    text: ({ size, every }) =>
      `A program moves 1 GiB in WRITEs of ${formatBytes(size)} and signals one in every ${every}. How many completions does it poll?`,
    answer: ({ size, every }) => GIB / size / every,
    unit: 'completions',
    tolerance: 0,
    worked: ({ size, every }) =>
      `1 GiB / ${formatBytes(size)} = ${formatCount(GIB / size)} work requests, and ${formatCount(GIB / size)} / ${every} = ${formatCount(GIB / size / every)}. One completion stands for all ${every} requests up to it, since a QP completes them in order. The device sends ${formatCount(GIB / 1024)} packets at a path MTU of 1024 B, whatever the size of a WRITE.`,
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
