import {
  LOCAL_HOST,
  PROVIDER_CLASS_TEXT,
  type RunRecord,
  type RunResult,
  type TransportResult,
} from '@verbslab/protocol';
import { bad, bold, good, muted, table } from './terminal.js';

/** Three significant digits, without an exponent. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(decimals, 6));
}

/** `outside`: the kernel's work outside of processes was measured, as it is on devices in the kernel. */
const head = (outside: boolean): string[][] => [
  [
    '',
    'Gb/s',
    'messages/s',
    'app',
    'NIC',
    'kernel',
    ...(outside ? ['outside'] : []),
    'p50',
    'p99',
    'p99.9',
    'max',
  ],
  ['', 'goodput', '', 's/GB', 's/GB', 's/GB', ...(outside ? ['s/GB'] : []), 'µs', 'µs', 'µs', 'µs'],
];

function row(name: string, result: TransportResult, outside: boolean): string[] {
  const { cpuSecondsPerGB: cpu, latencyUs: latency } = result;
  const figure = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : digits(value);
  return [
    name.toUpperCase(),
    digits(result.goodputGbps),
    digits(result.messagesPerSecond),
    ...[cpu?.app, cpu?.nic, cpu?.kernel, ...(outside ? [cpu?.outside] : [])].map(figure),
    ...[latency?.p50, latency?.p99, latency?.p999, latency?.max].map(figure),
  ];
}

/** A finished run for people: what was asked, the figures, what held, where the capture is. */
export function report(run: RunRecord, result: RunResult): string {
  const lines: string[] = [];
  const state = result.state === 'done' ? good('done') : bad(result.state);
  const took =
    run.startedAt === null || run.endedAt === null
      ? ''
      : ` in ${digits((run.endedAt - run.startedAt) / 1000)} s`;
  lines.push(`${bold(run.title)}  ${state}${took}`);
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
    lines.push(muted(`${names}. ${[...classes].map((one) => PROVIDER_CLASS_TEXT[one]).join(' ')}`));
  }
  if (result.error && result.error.code !== 'CANCELLED') {
    lines.push('', bad(result.error.message), result.error.cure);
  }
  const figures = Object.entries(result.transports);
  if (figures.length > 0) {
    const outside = figures.some(([, one]) => one.cpuSecondsPerGB?.outside !== undefined);
    const headings = head(outside).map((cells) => cells.map(muted));
    const rows = figures.map(([name, one]) => row(name, one, outside));
    lines.push(
      '',
      table(
        [...headings, ...rows],
        Array.from({ length: 10 }, (_, index) => index + 1),
      ),
    );
  }
  if (result.checks.length > 0) {
    const checks = result.checks.map(({ id, ok, applies, detail }) =>
      applies === false ? [muted('–'), id, muted(detail)] : [ok ? good('✓') : bad('✗'), id, detail],
    );
    lines.push('', table(checks));
  }
  if (result.captureFile !== null) {
    const packets = run.capture ? ` (${run.capture.packets} packets)` : '';
    lines.push('', `Packets: ${result.captureFile}${packets}`);
  }
  if (run.droppedRecords > 0) lines.push(muted(`${run.droppedRecords} detail records were not kept.`));
  return lines.join('\n');
}
