import {
  isFinal,
  LOCAL_HOST,
  NOT_ENOUGH_SAMPLES,
  PERCENTILE_NAME,
  problemsText,
  programEnd,
  providerText,
  runSeconds,
  transportName,
  TRANSPORTS,
  untilText,
  wideSpreadText,
  whyWithheld,
  type LabDescription,
  type RunRecord,
  type RunResult,
  type Spread,
  type TransportResult,
} from '@verbslab/protocol';
import { inGbps, plural } from '@verbslab/labs';
import { resultsText } from './report-results.js';
import { bad, bold, good, muted, table } from './terminal.js';

/** Three significant digits, without an exponent. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(decimals, 6));
}

export const spreadText = ({ min, max }: Spread, show = digits): string => `${show(min)}–${show(max)}`;

const SHOWN = ['p50', 'p99', 'p999'] as const;

/** A line for each percentile that has too few samples. */
function withheld(name: string, { latencyUs: latency }: TransportResult): string[] {
  if (latency?.n === undefined) return [];
  const { n } = latency;
  return SHOWN.filter((which) => latency[which] === null).map(
    (which) => `${name}: ${NOT_ENOUGH_SAMPLES}. ${whyWithheld(which, n)}`,
  );
}

/**
 * `several`: there were several rounds; `outside`: the kernel's work outside of processes was measured, as it is on
 * devices in the kernel.
 */
const head = (outside: boolean, several: boolean): string[][] => [
  [
    '',
    'Gb/s',
    ...(several ? ['min–max'] : []),
    'msg/s',
    'app',
    'NIC',
    'kernel',
    ...(outside ? ['outside'] : []),
    'n',
    ...SHOWN.map((which) => PERCENTILE_NAME[which]),
    'max',
  ],
  [
    '',
    'goodput',
    ...(several ? ['of rounds'] : []),
    '',
    's/GB',
    's/GB',
    's/GB',
    ...(outside ? ['s/GB'] : []),
    '',
    'µs',
    'µs',
    'µs',
    'µs',
  ],
];

function row(name: string, result: TransportResult, outside: boolean, several: boolean): string[] {
  const { cpuSecondsPerGB: cpu, latencyUs: latency } = result;
  const figure = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : digits(value);
  return [
    name,
    inGbps(result.goodputGbps),
    ...(several ? [result.spread ? spreadText(result.spread.goodputGbps, inGbps) : '–'] : []),
    digits(result.messagesPerSecond),
    ...[cpu?.app, cpu?.nic, cpu?.kernel, ...(outside ? [cpu?.outside] : [])].map(figure),
    latency?.n === undefined ? '–' : String(latency.n),
    ...SHOWN.map((which) => figure(latency?.[which])),
    figure(latency?.max),
  ];
}

/** The state of a run, e.g. `done, 9 problems`; problems are in color. */
export function stateText(state: RunRecord['state'], problemCount: number | undefined): string {
  const problems = problemsText(problemCount);
  const word = state === 'done' ? good(state) : isFinal(state) ? bad(state) : state;
  return problems ? `${word}, ${bad(problems)}` : word;
}

/** A finished run as text: parameters, figures, checks, and the place of the capture. */
export function report(run: RunRecord, result: RunResult, lab?: LabDescription): string {
  const lines: string[] = [];
  const state = stateText(result.state, result.problems);
  const took = runSeconds(run);
  const seconds = took === null ? undefined : `${digits(took)} s`;
  const end = programEnd(result.program);
  const within = seconds === undefined ? '' : ` in ${seconds}`;
  lines.push(`${bold(run.title)}  ${state}${within}${end === null ? '' : `, ${end}`}`);
  const parameters = Object.entries(result.parameters).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  if (parameters.length > 0) lines.push(muted(parameters.join('  ')));
  if (result.device !== null && result.provider !== null) {
    const places = new Map<string, string>();
    for (const { role, host, device } of result.endpoints ?? [])
      if (result.endpoints?.some((one) => one.host !== LOCAL_HOST)) places.set(role, `${host}/${device}`);
    const names = [...places].map(([role, place]) => `${role} on ${place}`).join(', ') || result.device;
    const classes = new Set(result.endpoints?.map(({ providerClass }) => providerClass) ?? [result.provider]);
    lines.push(muted(`${names}. ${[...classes].map((one) => providerText(one, result.links)).join(' ')}`));
  }
  if (result.error && result.error.code !== 'CANCELLED') {
    lines.push('', bad(result.error.message), result.error.cure);
  }
  if (result.answer !== undefined) lines.push('', result.answer);
  const figures = TRANSPORTS.flatMap((transport) => {
    const one = result.transports[transport];
    return one ? [[transportName(transport, one.link), one] as const] : [];
  });
  if (figures.length > 0) {
    const outside = figures.some(([, one]) => one.cpuSecondsPerGB?.outside !== undefined);
    const several = figures.some(([, one]) => (one.rounds?.length ?? 1) > 1);
    const headings = head(outside, several).map((cells) => cells.map(muted));
    const rows = figures.map(([name, one]) => row(name, one, outside, several));
    lines.push(
      '',
      table(
        [...headings, ...rows],
        Array.from({ length: headings[0]!.length - 1 }, (_, index) => index + 1),
      ),
      ...figures.flatMap(([name, one]) => withheld(name, one)).map(muted),
    );
  }
  if (figures.some(([, one]) => one.partial)) {
    lines.push(muted(`Partial figures: they cover the run ${untilText(result.state, seconds)}.`));
  }
  const rounds = figures.find(([, one]) => (one.rounds?.length ?? 1) > 1)?.[1].rounds?.length;
  if (rounds !== undefined)
    lines.push(
      muted(`Medians of ${rounds} rounds; min–max is from the slowest to the fastest. Latency: all rounds.`),
    );
  const wide = wideSpreadText(
    figures.map(([name, one]) => ({ name, goodput: one.spread?.goodputGbps })),
    digits,
  );
  if (wide !== null) lines.push(wide);
  for (const part of resultsText(result.results, lab)) lines.push('', part);
  if (result.results !== undefined && result.state !== 'done')
    lines.push(muted(`Partial results: they cover the run ${untilText(result.state, seconds)}.`));
  if (result.checks.length > 0) {
    const checks = result.checks.map(({ id, ok, applies, detail }) =>
      applies === false ? [muted('–'), id, muted(detail)] : [ok ? good('✓') : bad('✗'), id, detail],
    );
    lines.push('', table(checks));
  }
  if (result.captureFile !== null) {
    const packets = run.capture ? ` (${plural(run.capture.packets, 'record')})` : '';
    lines.push('', `Packets: ${result.captureFile}${packets}`);
  }
  if (run.droppedRecords > 0) lines.push(muted(`${run.droppedRecords} detail records were not kept.`));
  return lines.join('\n');
}
