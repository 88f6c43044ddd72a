/** The content of the report of a comparison, the same for the terminal and for Markdown. */
import { bulk, formatBytes, plural } from '@verbslab/labs';
import { LINKS, providerText, transportName, type SweepRecord } from '@verbslab/protocol';
import { digits, spreadText } from '../report.js';
import { propertiesOf } from '../sweep-run.js';
import type { ComparedPoint, ComparedTransport, Comparison, Versus } from './comparison.js';
import type { EnvironmentEnd } from './environment.js';
import type { Compared } from './plan.js';

export interface CompareReport {
  comparison: Comparison;
  sweep: SweepRecord;
  /** Client and server; empty if no run opened them. */
  ends: readonly EnvironmentEnd[];
  transports: readonly Compared[];
  command: string;
}

export const TITLE = 'RDMA and TCP, side by side';

const times = (ratio: number): string => `${digits(ratio)}×`;

export const NO_CLEAR_DIFFERENCE = 'no clear difference';

function versusText(versus: Versus | null | undefined): string {
  if (!versus) return '–';
  return versus.verdict === 'unclear' ? NO_CLEAR_DIFFERENCE : times(versus.ratio);
}

/** `4.10×`, or `1.30× to 6.20×`. */
function ratios(found: readonly Versus[]): string {
  const all = found.map(({ ratio }) => ratio);
  const [least, most] = [Math.min(...all), Math.max(...all)].map(times);
  return least === most ? `${most}` : `${least} to ${most}`;
}

/** Compares one figure of a transport with TCP's over all points; empty if no point has both. */
function verdictOn(
  figure: 'goodput' | 'cpu',
  transport: Compared,
  points: readonly ComparedPoint[],
): string[] {
  const own = points.flatMap(({ transports }) => transports.filter((one) => one.transport === transport));
  const found = own.flatMap(({ versusTcp }) => versusTcp?.[figure] ?? []);
  if (found.length === 0) return [];
  const name = transportName(transport, own.find(({ link }) => link)?.link);
  const what = figure === 'goodput' ? 'Goodput' : 'CPU time per GB';
  const part = (verdict: Versus['verdict'], text: (ones: readonly Versus[]) => string): string[] => {
    const ones = found.filter((one) => one.verdict === verdict);
    return ones.length > 0 ? [text(ones)] : [];
  };
  const parts = [
    ...part('higher', (ones) => `higher at ${ones.length} (${ratios(ones)})`),
    ...part('lower', (ones) => `lower at ${ones.length} (${ratios(ones)})`),
    ...part('unclear', (ones) => `${NO_CLEAR_DIFFERENCE} at ${ones.length}`),
    ...part('few', (ones) => `${ratios(ones)} at ${ones.length}, in too few rounds for a verdict`),
  ];
  return [`${what} of ${name} against TCP, at ${plural(found.length, 'point')}: ${parts.join('; ')}.`];
}

/** The answer: a sentence per transport and figure. */
export function verdicts({ comparison: { points }, transports }: CompareReport): string[] {
  const others = transports.filter((transport) => transport !== 'tcp');
  const sentences = (['goodput', 'cpu'] as const).flatMap((figure) =>
    others.flatMap((transport) => verdictOn(figure, transport, points)),
  );
  return sentences.length > 0 ? sentences : ['No point was measured over RDMA and over TCP.'];
}

/** State and progress of the sweep. */
export function stateText({ sweep, comparison }: CompareReport): string {
  const { state, total, startedAt, endedAt } = sweep;
  const took = startedAt === null || endedAt === null ? '' : ` in ${digits((endedAt - startedAt) / 1000)} s`;
  const runs = `${comparison.runs} of ${plural(total, 'run')}${took}`;
  if (state === 'done') return `done, ${runs}`;
  return `${state}, ${runs}. ${comparison.runs > 0 ? 'The figures cover these runs only.' : 'There are no figures.'}`;
}

export interface Table {
  /** Header lines: names, and units. */
  head: string[][];
  rows: string[][];
  /** Indexes of columns of numbers. */
  right: number[];
}

type Column = [name: string, unit: string, of: (point: ComparedPoint, one: ComparedTransport) => string];

const COLUMNS: readonly Column[] = [
  ['Size', '', ({ size }) => formatBytes(size)],
  ['Depth', 'WRs', ({ depth }) => String(depth)],
  ['Transport', '', (_, { transport, link }) => transportName(transport, link)],
  ['Goodput', 'Gb/s', (_, { goodputGbps }) => figure(goodputGbps?.value)],
  ['min–max', 'Gb/s', (_, { goodputGbps }) => range(goodputGbps)],
  ['vs. TCP', '', (_, { versusTcp }) => versusText(versusTcp?.goodput)],
  ['CPU', 's/GB', (_, { cpuSecondsPerGB }) => figure(cpuSecondsPerGB?.value)],
  ['min–max', 's/GB', (_, { cpuSecondsPerGB }) => range(cpuSecondsPerGB)],
  ['vs. TCP', '', (_, { versusTcp }) => versusText(versusTcp?.cpu)],
  ['app', 's/GB', (_, { cpuSecondsPerGB }) => figure(cpuSecondsPerGB?.app)],
  ['NIC', 's/GB', (_, { cpuSecondsPerGB }) => figure(cpuSecondsPerGB?.nic)],
  ['kernel', 's/GB', (_, { cpuSecondsPerGB }) => figure(cpuSecondsPerGB?.kernel)],
  ['outside', 's/GB', (_, { cpuSecondsPerGB }) => figure(cpuSecondsPerGB?.outside)],
  ['n', '', (_, { rounds }) => String(rounds.length)],
];

/** True if the CPU time of the kernel outside of processes was measured, as with devices in the kernel. */
const hasOutside = (points: readonly ComparedPoint[]): boolean =>
  points.some(({ transports }) =>
    transports.some(({ cpuSecondsPerGB }) => cpuSecondsPerGB?.outside !== undefined),
  );

export function tableOf({ comparison: { points } }: CompareReport): Table {
  const columns = COLUMNS.filter(([name]) => name !== 'outside' || hasOutside(points));
  return {
    head: [columns.map(([name]) => name), columns.map(([, unit]) => unit)],
    rows: points.flatMap((point) => point.transports.map((one) => columns.map(([, , of]) => of(point, one)))),
    right: columns.flatMap(([name], index) => (name === 'Transport' ? [] : [index])),
  };
}

const figure = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : digits(value);

const range = (stat: { min: number; max: number; n: number } | null): string =>
  stat && stat.n > 1 ? spreadText(stat) : '–';

/** Notes on how to read the table. */
export function readingNotes({ sweep: { plan }, comparison: { points }, ends }: CompareReport): string[] {
  const links = LINKS.filter((link) =>
    points.some(({ transports }) => transports.some((one) => one.link === link)),
  );
  const [first] = ends;
  return [
    plan.repeat > 1
      ? `Goodput and CPU are medians of up to ${plan.repeat} rounds (n), min–max is their range. “vs. TCP” divides the median by TCP’s at the same size and depth. Where the ranges overlap, there is no clear difference. All verdicts of the report together are false with a chance of at most 5 %.`
      : 'One round has no range, so it does not show how much such figures vary. Measure more rounds before you draw a conclusion.',
    'In each run the transports take turns. Each round measures every point once, forward in one round and backward in the next.',
    `CPU is seconds of CPU time for 10^9 bytes of payload, both ends together: application (app), NIC work (NIC), kernel${hasOutside(points) ? ', and the kernel outside of processes (outside)' : ''}.`,
    'TCP has no depth: the kernel buffers and streams what the program writes, so at depth 1 only RDMA waits for each message. TCP is measured again beside RDMA at every depth.',
    ...(first ? [providerText(first.providerClass, links)] : []),
  ];
}

/** Parameters of all runs, in the lab's words. */
export function parametersOf({
  sweep: { plan },
  comparison: { points },
  transports,
}: CompareReport): [string, string][] {
  const properties = propertiesOf(bulk.description);
  const values: Record<string, unknown> = bulk.parse({ ...plan.params, ...plan.points[0] });
  const distinct = (of: (point: ComparedPoint) => number): number[] => [...new Set(points.map(of))];
  const requests = (of: (point: ComparedPoint) => number): string => `${distinct(of).join(', ')} WRs`;
  const here: Record<string, string> = {
    transport: transports.map((one) => transportName(one, null)).join(', '),
    size: distinct(({ size }) => size)
      .map(formatBytes)
      .join(', '),
    depth: requests(({ depth }) => depth),
    signalEvery: requests(({ signalEvery }) => signalEvery),
    repeat: String(plan.repeat),
    duration: `${String(values.duration)} s for each transport, at each point, in each round`,
  };
  return Object.entries(properties).map(([name, { title, unit }]) => {
    const value = values[name];
    const text = unit === 'B' ? formatBytes(Number(value)) : [String(value), unit ?? ''].join(' ').trim();
    return [title ?? name, here[name] ?? text];
  });
}

/** Machines and devices, one line for each end, or one for both. */
export function environmentOf({ ends }: CompareReport): [string, string][] {
  const texts = ends.map((end): [string, string] => [
    end.role === 'client' ? 'Client' : 'Server',
    `${end.host}: ${end.cpu}, ${plural(end.cpus, 'CPU')}, ${end.platform}, kernel ${end.kernel}, Verbs Lab ${end.verbslab}. ` +
      `Device ${[
        `${end.device} (${end.providerClass})`,
        ...(end.firmware ? [`firmware ${end.firmware}`] : []),
        ...(end.mtu === null ? [] : [`active MTU ${end.mtu} B`]),
      ].join(', ')}.`,
  ]);
  const [client, server] = texts;
  return client && server && client[1] === server[1] ? [['Client and server', client[1]]] : texts;
}
