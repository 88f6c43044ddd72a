import { formatBytes, formatCount } from '../format.js';
import { exercise } from './exercise.js';

const MIB = 1024 * 1024;
const bruckBlocks = (hosts: number): number => (hosts / 2) * Math.log2(hosts);

export const COLLECTIVES = [
  exercise({
    id: 'all-to-all',
    title: 'All-to-all: pairwise or Bruck?',
    numbers: { hosts: [4, 8, 16, 32, 64] },
    text: ({ hosts }) =>
      `${hosts} hosts exchange one block with each other. Pairwise, each host sends each other one its block. Bruck’s algorithm sends half of all blocks in each of log2 P rounds, in one message per round. For one host: how many messages does pairwise send, how many Bruck, and how many blocks does Bruck send?`,
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
      `${hosts} hosts add up their gradients of ${formatBytes(mib * MIB)} in a ring: each sends one part of ${hosts} to its neighbor in every step, first to add up, then to spread the sums. How many steps are there, and how many bytes does each host send?`,
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
      `${hosts - 1} steps to add up and ${hosts - 1} to spread: ${2 * (hosts - 1)}.`,
      `Each step sends ${formatBytes(mib * MIB)} / ${hosts} = ${formatBytes((mib * MIB) / hosts)}; × ${2 * (hosts - 1)} = ${formatCount((2 * (hosts - 1) * mib * MIB) / hosts)} B. With more hosts it comes close to twice the gradients, and not further.`,
    ],
  }),
];
