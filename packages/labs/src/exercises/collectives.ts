import { formatBytes, formatCount } from '../base/format.js';
import { exercise } from './exercise.js';

const MIB = 1024 * 1024;
const bruckBlocks = (hosts: number): number => (hosts / 2) * Math.log2(hosts);

export const COLLECTIVES = [
  exercise({
    id: 'all-to-all',
    title: 'All-to-all: pairwise or Bruck?',
    numbers: { hosts: [4, 8, 16, 32, 64] },
    text: ({ hosts }) =>
      `Each of ${hosts} hosts has a block for every other host. In pairwise exchange, it sends each block in a message of its own. With Bruck’s algorithm, it sends P / 2 blocks in each of log2 P rounds, in one message per round. How many messages does one host send in pairwise exchange, how many with Bruck, and how many blocks with Bruck?`,
    fields: [
      { kind: 'number', id: 'pairwise', label: 'Messages, pairwise', answer: ({ hosts }) => hosts - 1 },
      { kind: 'number', id: 'rounds', label: 'Messages, Bruck', answer: ({ hosts }) => Math.log2(hosts) },
      { kind: 'number', id: 'blocks', label: 'Blocks, Bruck', answer: ({ hosts }) => bruckBlocks(hosts) },
    ],
    worked: ({ hosts }) => [
      `Pairwise: P − 1 = ${hosts - 1} messages of one block.`,
      `Bruck: log2 ${hosts} = ${Math.log2(hosts)} messages of ${hosts / 2} blocks, so (P / 2) × log2 P = ${bruckBlocks(hosts)} blocks.`,
      `Bruck sends ${bruckBlocks(hosts) > hosts - 1 ? 'more data in fewer messages: good for small blocks' : 'as much or less in fewer messages'}.`,
    ],
    measure: { lab: 'all-to-all', text: 'Run both among up to eight hosts, and count.' },
  }),
  exercise({
    id: 'packets-per-message',
    title: 'Packets of small messages',
    numbers: { hosts: [4, 8, 16, 32] },
    text: ({ hosts }) =>
      `${hosts} hosts do a pairwise all-to-all over RC. Each message fits into one packet and is acknowledged on its own. How many packets do all hosts together send?`,
    fields: [
      { kind: 'number', id: 'packets', label: 'Packets', answer: ({ hosts }) => 2 * hosts * (hosts - 1) },
    ],
    worked: ({ hosts }) => [
      `${hosts} × (${hosts} − 1) = ${hosts * (hosts - 1)} messages.`,
      `One packet of data and one ACK each: ${2 * hosts * (hosts - 1)}.`,
    ],
    measure: { lab: 'all-to-all', text: 'Count them in the captures of all hosts.' },
  }),
  exercise({
    id: 'ring-all-reduce',
    title: 'A ring all-reduce',
    numbers: { hosts: [4, 8, 16, 32], mib: [16, 64, 256, 1024] },
    text: ({ hosts, mib }) =>
      `${hosts} hosts sum their gradients of ${formatBytes(mib * MIB)} in a ring. In every step, each host sends 1/${hosts} of the data to its neighbor: first to build the sums, then to distribute them. How many steps are there, and how many bytes does each host send?`,
    fields: [
      { kind: 'number', id: 'steps', label: 'Steps', answer: ({ hosts }) => 2 * (hosts - 1) },
      {
        kind: 'number',
        id: 'bytes',
        label: 'Sent by each',
        unit: 'B',
        tolerance: 0.001,
        answer: ({ hosts, mib }) => (2 * (hosts - 1) * mib * MIB) / hosts,
      },
    ],
    worked: ({ hosts, mib }) => [
      `${hosts - 1} steps to build the sums and ${hosts - 1} to distribute them: ${2 * (hosts - 1)}.`,
      `Each step sends ${formatBytes(mib * MIB)} / ${hosts} = ${formatBytes((mib * MIB) / hosts)}; × ${2 * (hosts - 1)} = ${formatCount((2 * (hosts - 1) * mib * MIB) / hosts)} B. With more hosts it approaches twice the size of the gradients.`,
    ],
    measure: {
      lab: 'ring-all-reduce',
      text: 'Run it among up to eight hosts, and count messages and bytes.',
    },
  }),
];
