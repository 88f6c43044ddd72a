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

/** The call that waits for the server’s program. */
const CONNECT = 'rdma_connect';

const UNTIL = 'WRITEs until setup is a tenth of the time';

export const SPECS: ResultSpecs = {
  figures: [
    {
      name: 'cm-setup',
      label: 'Setup, with rdma_cm',
      unit: 'ms',
      text: 'Sum of the client’s calls, each measured once.',
    },
    {
      name: 'connect',
      label: 'Of this, rdma_connect',
      unit: 'ms',
      text: 'It waits until the server’s program has accepted. Verbs Lab drives that program step by step, so the wait is longer than between two programs.',
    },
    {
      name: 'hand-setup',
      label: 'Setup, by hand without the exchange',
      unit: 'ms',
      text: 'Sum of the client’s calls, each measured once. The exchange of QPN, PSN and GID with the server is not measured, so the setup as a whole takes longer.',
    },
    {
      name: 'write',
      label: 'One WRITE, then the next',
      unit: 'µs',
      text: 'From the post to the completion, one at a time. The program polls once per turn of the event loop of Node.js; a program in C waits less. Both connections have the same kind of QP, so the shorter of their two medians counts for both: the difference is noise. The numbers of WRITEs below scale with it: with WRITEs ten times as fast they are ten times as large.',
    },
    {
      name: 'cm-tenth',
      label: `${UNTIL}, with rdma_cm`,
      text: '9 × setup / time of a WRITE, rounded up: then the WRITEs are nine tenths of the time.',
    },
    {
      name: 'cm-tenth-alone',
      label: `${UNTIL}, with rdma_cm if rdma_connect took no time`,
      text: '9 × (setup − rdma_connect) / time of a WRITE, rounded up. Two programs of their own wait less in rdma_connect, so their number is smaller than the one above. How much smaller, this run does not show: each call was measured once.',
    },
    {
      name: 'hand-tenth',
      label: `${UNTIL}, by hand without the exchange`,
      text: '9 × setup / time of a WRITE, rounded up. With the exchange with the server the number is larger, so do not compare it with that of rdma_cm.',
    },
  ],
  curves: [
    {
      name: 'each',
      label: 'Time per message',
      text: '(setup + messages × time of a WRITE) / messages, for WRITEs one after another over one connection. The setup by hand is without the exchange of QPN, PSN and GID.',
      x: { label: 'Messages over the connection', log: true },
      y: { label: 'Time per message', unit: 'µs', log: true },
      series: [...WAYS.map(({ name, label }) => ({ name, label })), { name: 'write', label: 'WRITE alone' }],
    },
  ],
  tables: [
    {
      name: 'parts',
      label: 'Where the time goes',
      text: 'Calls of the client in their order, then the WRITEs. The setup by hand is without the exchange of QPN, PSN and GID; rdma_connect includes it, and the RDMA CM changes the state of the QP itself. Setup calls were measured once, so the same call can differ between the two connections.',
      columns: [
        { name: 'way', label: 'Connection' },
        { name: 'call', label: 'Call' },
        { name: 'times', label: 'Calls' },
        { name: 'time', label: 'Time of all calls', unit: 'µs' },
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

/** WRITEs after which this setup, µs, is a tenth of the time. */
const untilTenth = (setup: number, write: number): number => Math.ceil(((1 - PART) / PART) * (setup / write));

export function compute(results: LabResults, { messages }: Using): LabResults {
  const found = noResults();
  const connections = connectionsOf(results);
  found.tables.parts = [];
  found.curves.each = [];
  if (connections.length === 0) return found;
  const write = Math.min(...connections.map((one) => one.write));
  found.figures.write = { value: write };
  for (const { name, label, calls, setup } of connections) {
    found.figures[`${name}-setup`] = { value: setup / 1000 };
    found.figures[`${name}-tenth`] = { value: untilTenth(setup, write) };
    const connect = calls.filter(({ call }) => call === CONNECT).reduce((sum, { time }) => sum + time, 0);
    if (connect > 0) {
      found.figures.connect = { value: connect / 1000 };
      found.figures[`${name}-tenth-alone`] = { value: untilTenth(setup - connect, write) };
    }
    const total = setup + messages * write;
    const rows = [...grouped(calls), { call: 'RDMA WRITE', times: messages, time: messages * write }];
    for (const row of rows) found.tables.parts.push({ way: label, ...row, share: (100 * row.time) / total });
    for (const x of COUNTS) found.curves.each.push({ x, y: setup / x + write, series: name });
  }
  for (const x of COUNTS) found.curves.each.push({ x, y: write, series: 'write' });
  return found;
}
