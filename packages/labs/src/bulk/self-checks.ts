import { formatBytes, formatCount } from '../base/format.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

export const BULK_SELF_CHECKS = [
  numberCheck({
    id: 'completions',
    numbers: { size: [MIB, 4 * MIB], every: [8, 16, 32] },
    text: ({ size, every }) =>
      `A program moves 1 GiB in WRITEs of ${formatBytes(size)} and signals one in every ${every}. How many completions does it poll?`,
    answer: ({ size, every }) => GIB / size / every,
    unit: 'completions',
    tolerance: 0,
    worked: ({ size, every }) =>
      `1 GiB / ${formatBytes(size)} = ${formatCount(GIB / size)} work requests, and ${formatCount(GIB / size)} / ${every} = ${formatCount(GIB / size / every)}. The device sends ${formatCount(GIB / 1024)} packets at a path MTU of 1024 B.`,
  }),
  choiceCheck({
    id: 'bypass',
    text: 'Which part of the CPU time does RDMA over shared memory save, compared to RDMA over UDP?',
    options: [
      { id: 'kernel', text: 'The kernel’s part' },
      { id: 'application', text: 'The application’s part' },
      { id: 'nic', text: 'All of the NIC’s work' },
    ],
    answer: 'kernel',
    worked: 'The device still builds and reads packets, but none passes through the kernel’s sockets.',
  }),
];
