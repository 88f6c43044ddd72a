/** The report of a comparison as text for the terminal, Markdown, CSV and JSON. */
import type { SweepRecord } from '@verbslab/protocol';
import { bad, bold, good, muted, table } from '../terminal.js';
import type { Versus } from './comparison.js';
import {
  environmentOf,
  NO_CLEAR_DIFFERENCE,
  parametersOf,
  readingNotes,
  stateText,
  tableOf,
  TITLE,
  verdicts,
  type CompareReport,
} from './report.js';

const colored = (state: SweepRecord['state'], text: string): string =>
  state === 'done' ? good(text) : bad(text);

export function terminalText(report: CompareReport): string {
  const { head, rows, right } = tableOf(report);
  const { problems } = report.comparison;
  // Two columns of these words would make the lines too long for most terminals.
  const short = rows.map((cells) => cells.map((cell) => (cell === NO_CLEAR_DIFFERENCE ? '≈' : cell)));
  return [
    `${bold(TITLE)}  ${colored(report.sweep.state, stateText(report))}`,
    '',
    ...verdicts(report),
    '',
    table([...head.map((line) => line.map(muted)), ...short], right),
    muted(`≈: ${NO_CLEAR_DIFFERENCE}.`),
    '',
    ...readingNotes(report).map(muted),
    ...(problems.length > 0 ? ['', ...problems.map(bad)] : []),
    '',
    ...environmentOf(report).map(([name, value]) => `${name}: ${value}`),
    `Repeat: ${report.command}`,
    muted(`Sweep ${report.sweep.number}: verbslab sweeps show ${report.sweep.number}`),
  ].join('\n');
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];

const item = (text: string): string => `- ${text}`;
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export function markdownText(report: CompareReport): string {
  const { head, rows, right } = tableOf(report);
  const [names = [], units = []] = head;
  const titles = names.map((name, index) => (units[index] ? `${name} (${units[index]})` : name));
  const rule = titles.map((_, index) => (right.includes(index) ? '---:' : '---'));
  const began = report.sweep.startedAt ?? report.sweep.createdAt;
  return [
    `# ${TITLE}`,
    '',
    `${new Date(began).toISOString()}, ${stateText(report)}`,
    '',
    ...verdicts(report).map(item),
    '',
    ...section('Figures', [row(titles), row(rule), ...rows.map(row)]),
    ...section('How to read them', readingNotes(report).map(item)),
    ...section('Problems', report.comparison.problems.map(item)),
    ...section(
      'Parameters',
      parametersOf(report).map(([name, value]) => item(`${name}: ${value}`)),
    ),
    ...section(
      'Environment',
      environmentOf(report).map(([name, value]) => item(`${name}: ${value}`)),
    ),
    ...section('Repeat it', ['```sh', report.command, '```']),
  ].join('\n');
}

type Cell = string | number | null | undefined;

/** A line per transport, size and depth. An empty cell was not measured. No cell needs quotes. */
export function csvText({ comparison: { points } }: CompareReport): string {
  const ratio = (versus: Versus | null | undefined): Cell[] => [versus?.ratio, versus?.verdict];
  const lines = points.flatMap(({ size, depth, signalEvery, transports }) =>
    transports.map(
      ({
        transport,
        link,
        goodputGbps,
        messagesPerSecond,
        cpuSecondsPerGB: cpu,
        versusTcp,
        rounds,
      }): Cell[] => [
        ...[size, depth, signalEvery, transport, link, rounds.length],
        ...[goodputGbps?.value, goodputGbps?.min, goodputGbps?.max],
        ...ratio(versusTcp?.goodput),
        ...[messagesPerSecond?.value, messagesPerSecond?.min, messagesPerSecond?.max],
        ...[cpu?.value, cpu?.min, cpu?.max],
        ...ratio(versusTcp?.cpu),
        ...[cpu?.app, cpu?.nic, cpu?.kernel, cpu?.outside],
      ],
    ),
  );
  const head = [
    ...['size_bytes', 'depth', 'signal_every', 'transport', 'link', 'rounds'],
    ...['goodput_gbps', 'goodput_gbps_min', 'goodput_gbps_max', 'goodput_vs_tcp', 'goodput_verdict'],
    ...['messages_per_second', 'messages_per_second_min', 'messages_per_second_max'],
    ...['cpu_s_per_gb', 'cpu_s_per_gb_min', 'cpu_s_per_gb_max', 'cpu_vs_tcp', 'cpu_verdict'],
    ...['cpu_app_s_per_gb', 'cpu_nic_s_per_gb', 'cpu_kernel_s_per_gb', 'cpu_outside_s_per_gb'],
  ];
  return [head, ...lines.map((line) => line.map((value) => value ?? ''))]
    .map((line) => `${line.join(',')}\n`)
    .join('');
}

/** Everything, for programs. */
export function jsonOf(report: CompareReport): unknown {
  const { sweep, comparison, transports, ends, command } = report;
  const { id, number, state, startedAt, endedAt, total, error, plan } = sweep;
  return {
    schema: 'verbslab-compare/1',
    command,
    ...{ state, startedAt, endedAt, runs: comparison.runs, total, error },
    verdicts: verdicts(report),
    transports,
    rounds: plan.repeat,
    points: comparison.points,
    problems: comparison.problems,
    parameters: Object.fromEntries(parametersOf(report)),
    environment: ends,
    sweep: { id, number },
  };
}
