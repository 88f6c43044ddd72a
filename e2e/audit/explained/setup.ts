// Setup and data of each connection, from the rows of the trace.
import { rowsOf, type Recompute, type Row } from './found.js';

const WAYS = [
  { name: 'cm', way: 'rdma_cm', label: 'With rdma_cm' },
  { name: 'hand', way: 'by hand', label: 'By hand' },
];
const COUNTS = [0, 1, 2, 3, 4, 5].flatMap((decade) => [1, 2, 5].map((one) => one * 10 ** decade)).concat(1e6);

export const setup: Recompute = (evidence, { messages }) => {
  const rows = rowsOf(evidence, 'trace').filter(({ endpoint }) => endpoint === 'client');
  const times = Number(messages);
  const each = WAYS.map(({ name, way, label }) => {
    const own = rows.filter((row) => row.way === way);
    const calls = own.filter(({ tag }) => tag === 'setup, once');
    const sum = (list: readonly Row[]): number => list.reduce((total, { time }) => total + Number(time), 0);
    const write = Number(own.find(({ call }) => call === 'RDMA WRITE, median')!.time);
    const total = sum(calls) + times * write;
    const names = [...new Set(calls.map(({ call }) => String(call)))];
    const parts = [
      ...names.map((call) => {
        const same = calls.filter((one) => one.call === call);
        return { call, times: same.length, time: sum(same) };
      }),
      { call: 'RDMA WRITE', times, time: times * write },
    ].map((part): Row => ({ way: label, ...part, share: (100 * part.time) / total }));
    return { name, setup: sum(calls), write, parts };
  });
  const fastest = Math.min(...each.map(({ write }) => write));
  return {
    figures: Object.fromEntries(
      each.flatMap(({ name, setup: once, write }) => [
        [`${name}-setup`, once / 1000],
        [`${name}-tenth`, Math.ceil((9 * once) / write)],
      ]),
    ),
    tables: { parts: each.flatMap(({ parts }) => parts) },
    curves: {
      each: [
        ...each.flatMap(({ name, setup: once, write }) =>
          COUNTS.map((x) => ({ x, y: (once + x * write) / x, series: name })),
        ),
        ...COUNTS.map((x) => ({ x, y: fastest, series: 'write' })),
      ],
    },
  };
};
