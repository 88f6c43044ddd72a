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
  const write = Math.min(
    ...rows.filter(({ call }) => call === 'RDMA WRITE, median').map(({ time }) => Number(time)),
  );
  const each = WAYS.map(({ name, way, label }) => {
    const own = rows.filter((row) => row.way === way);
    const calls = own.filter(({ tag }) => tag === 'setup, once');
    const sum = (list: readonly Row[]): number => list.reduce((total, { time }) => total + Number(time), 0);
    const total = sum(calls) + times * write;
    const names = [...new Set(calls.map(({ call }) => String(call)))];
    const parts = [
      ...names.map((call) => {
        const same = calls.filter((one) => one.call === call);
        return { call, times: same.length, time: sum(same) };
      }),
      { call: 'RDMA WRITE', times, time: times * write },
    ].map((part): Row => ({ way: label, ...part, share: (100 * part.time) / total }));
    const connect = sum(calls.filter(({ call }) => call === 'rdma_connect'));
    return { name, setup: sum(calls), connect, parts };
  });
  const tenth = (once: number): number => Math.ceil((9 * once) / write);
  const figures = each.flatMap(({ name, setup: once, connect }): [string, number][] => [
    [`${name}-setup`, once / 1000],
    [`${name}-tenth`, tenth(once)],
    ...(connect > 0
      ? ([
          ['connect', connect / 1000],
          [`${name}-tenth-alone`, tenth(once - connect)],
        ] as [string, number][])
      : []),
  ]);
  return {
    figures: { write, ...Object.fromEntries(figures) },
    tables: { parts: each.flatMap(({ parts }) => parts) },
    curves: {
      each: [
        ...each.flatMap(({ name, setup: once }) =>
          COUNTS.map((x) => ({ x, y: (once + x * write) / x, series: name })),
        ),
        ...COUNTS.map((x) => ({ x, y: write, series: 'write' })),
      ],
    },
  };
};
