/** Figures of transports and of programs as tables of the report. */
import {
  formatBytes,
  formatCount,
  goodputText,
  inGbps,
  sig3,
  type ColumnView,
  type TableView,
} from '@verbslab/labs';
import {
  bothDirections,
  cpuPerGBTotal,
  NOT_ENOUGH_SAMPLES,
  PERCENTILE_NAME,
  programGbps,
  programSpan,
  TRANSPORTS,
  transportName,
  whyWithheld,
  type ProgramWork,
  type RunRecord,
  type Transport,
  type TransportResult,
} from '@verbslab/protocol';

const PERCENTILES = ['p50', 'p99', 'p999'] as const;

interface Column extends ColumnView {
  of: (one: TransportResult, transport: Transport) => string;
  /** False if the transport has no such figure. A column without any figure is left out. */
  has?: (one: TransportResult) => boolean;
}

const column = (label: string, unit: string, of: Column['of'], has?: Column['has']): Column => ({
  ...{ name: label, label, unit, numeric: true, of },
  ...(has ? { has } : {}),
});

/** CPU time of NIC work. TCP has no device of its own here. */
const nicText: Column['of'] = ({ cpuSecondsPerGB: cpu }, transport) =>
  transport === 'tcp' && !cpu?.nic ? 'none' : sig3(cpu?.nic);

const COLUMNS: readonly Column[] = [
  column('Goodput', 'Gb/s', ({ goodputGbps }) => inGbps(goodputGbps)),
  column(
    'min–max of rounds',
    'Gb/s',
    ({ spread }) => (spread ? `${inGbps(spread.goodputGbps.min)}–${inGbps(spread.goodputGbps.max)}` : '–'),
    ({ rounds = [] }) => rounds.length > 1,
  ),
  column('Messages', 'msg/s', ({ messagesPerSecond }) => sig3(messagesPerSecond)),
  column('Application CPU', 's/GB', ({ cpuSecondsPerGB: cpu }) => sig3(cpu?.app)),
  column('NIC work', 's/GB', nicText),
  column('Kernel', 's/GB', ({ cpuSecondsPerGB: cpu }) => sig3(cpu?.kernel)),
  column(
    'Kernel outside of processes',
    's/GB',
    ({ cpuSecondsPerGB: cpu }) => sig3(cpu?.outside),
    ({ cpuSecondsPerGB: cpu }) => cpu?.outside !== undefined,
  ),
  column('CPU sum', 's/GB', ({ cpuSecondsPerGB: cpu }) => sig3(cpu ? cpuPerGBTotal(cpu) : undefined)),
  column('Latency n', '', ({ latencyUs }) => (latencyUs?.n === undefined ? '–' : formatCount(latencyUs.n))),
  ...PERCENTILES.map((which) =>
    column(PERCENTILE_NAME[which], 'µs', ({ latencyUs: latency }) =>
      latency && latency[which] === null ? NOT_ENOUGH_SAMPLES : sig3(latency?.[which]),
    ),
  ),
  column('max', 'µs', ({ latencyUs }) => sig3(latencyUs?.max)),
];

/** Reasons for missing percentiles. */
const withheld = (name: string, { latencyUs: latency }: TransportResult): string[] =>
  PERCENTILES.flatMap((which) =>
    latency?.n === undefined || latency[which] !== null ? [] : [`${name}: ${whyWithheld(which, latency.n)}`],
  );

/** Goodput, CPU and latency of each transport; empty if the run measured no transport. */
export function transportTable({ result }: RunRecord): TableView[] {
  const found = TRANSPORTS.flatMap((transport) => {
    const one = result?.transports[transport];
    return one ? [{ transport, name: transportName(transport, one.link), one }] : [];
  });
  if (found.length === 0) return [];
  const columns = COLUMNS.filter(({ has }) => !has || found.some(({ one }) => has(one)));
  const rounds = Math.max(...found.map(({ one }) => one.rounds?.length ?? 1));
  const text = [
    ...(rounds > 1 ? [`Medians of ${rounds} rounds; latency is over all of them.`] : []),
    'Warm-up is left out. CPU is of both ends.',
    ...found.flatMap(({ name, one }) => withheld(name, one)),
  ].join(' ');
  return [
    {
      name: 'transports',
      label: 'Transports',
      text,
      columns: [{ name: 'transport', label: 'Transport', unit: '', numeric: false }, ...columns],
      rows: found.map(({ transport, name, one }) => [name, ...columns.map(({ of }) => of(one, transport))]),
    },
  ];
}

const peersText = ({ peers, peerCount }: ProgramWork): string =>
  peerCount === 0
    ? 'none'
    : peers.join(', ') +
      (peerCount > peers.length ? ` and ${formatCount(peerCount - peers.length)} more` : '');

/** The RDMA work of a program. */
export function programTable({ result }: RunRecord): TableView[] {
  const work = result?.program?.work;
  if (!work) return [];
  const latency = work.latencyUs;
  const gbps = programGbps(work);
  const rows = [
    ['Processes that opened a device', formatCount(work.processes)],
    ['Work requests completed', formatCount(work.messages)],
    ['Payload', formatBytes(work.bytes)],
    ...(gbps === null
      ? []
      : [
          [
            `Average rate, ${bothDirections(work) ? 'both directions together, ' : ''}${programSpan(work)}`,
            goodputText(gbps),
          ],
        ]),
    ...(latency === null
      ? []
      : PERCENTILES.map((which) => [
          `Latency ${PERCENTILE_NAME[which]}, from post to completion${work.sampled ? ', of a sample' : ''}`,
          latency[which] === null ? NOT_ENOUGH_SAMPLES : `${sig3(latency[which])} µs`,
        ])),
    ['Peers', peersText(work)],
  ];
  return [
    {
      name: 'program',
      label: 'What the program did',
      columns: [
        { name: 'what', label: 'What', unit: '', numeric: false },
        { name: 'value', label: 'Value', unit: '', numeric: true },
      ],
      rows,
    },
  ];
}
