/** The setup of a connection spread over its messages, from the times of every call in a run. Pure functions. */
import { noResults, type LabResults, type ResultSpecs } from '@verbslab/protocol';
import { oneTwoFive } from '../one-two-five';

export const DEFAULTS = { messages: 1000 };
export type Using = typeof DEFAULTS;

const WAYS = [
  { name: 'cm', label: 'With rdma_cm', way: 'rdma_cm' },
  { name: 'hand', label: 'By hand', way: 'by hand' },
];
const SETUP = 'setup, once';
const DATA = 'data, per message';
const WRITE = 'RDMA WRITE, median';

/** Messages after which this part of the time is setup. */
const PART = 0.1;

export const SPECS: ResultSpecs = {
  figures: WAYS.flatMap(({ name, label }) => [
    {
      name: `${name}-setup`,
      label: `Setup, ${label.toLowerCase()}`,
      unit: 'ms',
      text: 'Sum of the client’s calls, each measured once.',
    },
    {
      name: `${name}-tenth`,
      label: `WRITEs until setup is a tenth of the time, ${label.toLowerCase()}`,
      text: '9 × setup / time of a WRITE.',
    },
  ]),
  curves: [
    {
      name: 'each',
      label: 'Time per message',
      text: '(setup + messages × median time of a WRITE) / messages, for WRITEs one after another over one connection. “WRITE alone” is the shorter of the two medians.',
      x: { label: 'Messages over the connection', log: true },
      y: { label: 'Time per message', unit: 'µs', log: true },
      series: [...WAYS.map(({ name, label }) => ({ name, label })), { name: 'write', label: 'WRITE alone' }],
    },
  ],
  tables: [
    {
      name: 'parts',
      label: 'Where the time goes',
      text: 'Calls of the client in their order, then the WRITEs. rdma_connect waits for the server’s program, which Verbs Lab drives step by step. Setup by hand leaves out the exchange of addresses, which needs a socket.',
      columns: [
        { name: 'way', label: 'Connection' },
        { name: 'call', label: 'Call' },
        { name: 'times', label: 'Times' },
        { name: 'time', label: 'Time', unit: 'µs' },
        { name: 'share', label: 'Share', unit: '%' },
      ],
    },
  ],
};

interface Connection {
  name: string;
  label: string;
  calls: { call: string; time: number }[];
  /** Sum of the calls, µs. */
  setup: number;
  /** Median time of a WRITE, µs. */
  write: number;
}

function connectionsOf({ tables }: LabResults): Connection[] {
  const rows = (tables.trace ?? []).filter(
    (row) => row.endpoint === 'client' && typeof row.time === 'number',
  );
  return WAYS.flatMap(({ name, label, way }) => {
    const own = rows.filter((row) => row.way === way);
    const calls = own
      .filter(({ tag }) => tag === SETUP)
      .map(({ call, time }) => ({ call: String(call), time: Number(time) }));
    const write = own.find(({ tag, call }) => tag === DATA && call === WRITE);
    if (calls.length === 0 || !write) return [];
    return [
      {
        name,
        label,
        calls,
        setup: calls.reduce((sum, { time }) => sum + time, 0),
        write: Number(write.time),
      },
    ];
  });
}

export const COUNTS = oneTwoFive(1e6);

/** Calls of one name as one row, at the place of the first. */
function grouped(calls: Connection['calls']): { call: string; times: number; time: number }[] {
  const all = new Map<string, { call: string; times: number; time: number }>();
  for (const { call, time } of calls) {
    const one = all.get(call) ?? { call, times: 0, time: 0 };
    all.set(call, { call, times: one.times + 1, time: one.time + time });
  }
  return [...all.values()];
}

export function compute(results: LabResults, { messages }: Using): LabResults {
  const found = noResults();
  const connections = connectionsOf(results);
  found.tables.parts = [];
  found.curves.each = [];
  for (const { name, label, calls, setup, write } of connections) {
    found.figures[`${name}-setup`] = { value: setup / 1000 };
    found.figures[`${name}-tenth`] = { value: Math.ceil(((1 - PART) / PART) * (setup / write)) };
    const total = setup + messages * write;
    const rows = [...grouped(calls), { call: 'RDMA WRITE', times: messages, time: messages * write }];
    for (const row of rows) found.tables.parts.push({ way: label, ...row, share: (100 * row.time) / total });
    for (const x of COUNTS) found.curves.each.push({ x, y: setup / x + write, series: name });
  }
  const writes = connections.map(({ write }) => write);
  if (writes.length > 0)
    for (const x of COUNTS) found.curves.each.push({ x, y: Math.min(...writes), series: 'write' });
  return found;
}
