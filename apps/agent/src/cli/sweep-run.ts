import {
  AppError,
  isFinalSweep,
  MAX_SWEEP_RUNS,
  type AgentMessage,
  type AgentMessageOf,
  type LabDescription,
  type Measurement,
  type SweepPlan,
  type SweepRecord,
} from '@verbslab/protocol';
import {
  KNEE_RULE,
  plural,
  shown,
  sweepCurves,
  sweepSeconds,
  type PropertySchema,
  type SweepCurve,
  type SweptParam,
} from '@verbslab/labs';
import { AgentClient } from '../client/client.js';
import { findOrStart } from './find-or-start.js';
import { createLogger } from '../base/log.js';
import { digits, spreadText } from './report.js';
import { bad, bold, EXIT_INTERRUPTED, good, muted, print, printStep, StatusLine, table } from './terminal.js';

export interface SweepEnd {
  sweep: SweepRecord;
  measurements: Measurement[];
  lab: LabDescription | undefined;
}

export const propertiesOf = (lab: LabDescription | undefined): Record<string, PropertySchema> =>
  (lab?.params.properties ?? {}) as Record<string, PropertySchema>;

/** Throws AppError LIMIT if these values, each repeated, are too many runs for one sweep. */
export function checkRuns(swept: readonly SweptParam[], repeat: number): void {
  const runs = swept.reduce((product, { values }) => product * values.length, repeat);
  if (runs > MAX_SWEEP_RUNS)
    throw new AppError('LIMIT', { what: 'Too many runs in a sweep', value: runs, limit: MAX_SWEEP_RUNS });
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** `size=4 KiB depth=16` */
export function pointText({ axes, points }: SweepPlan, point: number, lab?: LabDescription): string {
  return axes
    .map(({ param }) => {
      const value = points[point]![param];
      const unit = propertiesOf(lab)[param]?.unit;
      return `${param}=${typeof value === 'number' ? shown(value, unit) : plain(value)}`;
    })
    .join(' ');
}

function minutesText(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}

/** The agent that a sweep runs on, and its welcome message. */
export interface Connected {
  client: AgentClient;
  welcome: AgentMessageOf<'welcome'>;
}

export interface FollowOptions {
  logLevel: string;
  /** Prints no line for a run that has ended. */
  quiet?: boolean;
  /** Figures in the line of a run that has ended. Default: the first four. */
  shows?: (figure: string, index: number) => boolean;
  /** Called once for each run that has ended, while the agent is connected. Must not reject. */
  measured?: (one: Measurement, client: AgentClient) => Promise<void>;
}

/** Starts a sweep and follows it to its end. Ctrl-C cancels the sweep and keeps the runs so far. */
export async function followSweep(
  labId: string,
  planOf: (lab: LabDescription | undefined, connected: Connected) => SweepPlan | Promise<SweepPlan>,
  { logLevel, quiet = false, shows = (_, index) => index < 4, measured }: FollowOptions,
): Promise<SweepEnd> {
  const found = await findOrStart(createLogger(logLevel));
  const status = new StatusLine();
  let client: AgentClient | null = null;
  let id: string | null = null;
  let interrupts = 0;
  let lab: LabDescription | undefined;
  let plan: SweepPlan | null = null;
  let over!: (sweep: SweepRecord) => void;
  let gone!: (error: unknown) => void;
  const finished = new Promise<SweepRecord>((resolve, reject) => {
    over = resolve;
    gone = reject;
  });
  finished.catch(() => undefined);
  const widths: number[] = [];
  const seenAlready = new Set<number>();
  const told: Promise<void>[] = [];
  const seen = (one: Measurement): void => {
    const { position, point, round, state, error } = one;
    if (!plan || !client || seenAlready.has(position)) return;
    seenAlready.add(position);
    if (measured) told.push(measured(one, client));
    if (quiet) return;
    status.clear();
    const values = sweepCurves(plan, [one], lab)
      .filter(({ figure }, index) => shows(figure, index))
      .map(({ label, unit, points }) => `${label} ${digits(points[point]?.value ?? NaN)} ${unit ?? ''}`);
    const said = state === 'done' ? values : [`${bad(state)} ${error?.message ?? ''}`];
    const head = `round ${round + 1}`;
    print(table([[muted(head), pointText(plan, point, lab), ...said]], [], widths));
  };
  const onMessage = (message: AgentMessage): void => {
    if (message.type === 'sweep.measured' && message.sweepId === id) seen(message.measurement);
    if (message.type !== 'sweep.changed' || message.sweep.id !== id) return;
    const { state, measured, total, secondsLeft } = message.sweep;
    const left = secondsLeft === null ? '' : `, ${minutesText(secondsLeft)} left`;
    status.show(`${state}: ${measured} of ${plural(total, 'run')}${left}`);
    if (isFinalSweep(state)) over(message.sweep);
  };
  const interrupt = (): void => {
    // The second Ctrl-C does not wait for anything.
    if (++interrupts > 1 || !client || id === null) process.exit(EXIT_INTERRUPTED);
    client.request('sweep.cancel', { sweepId: id }).catch(() => undefined);
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    const connected = await AgentClient.connect(found.address, {
      onMessage,
      onClose: () =>
        gone(
          new AppError('AGENT_UNREACHABLE', { url: 'this machine', detail: 'it stopped during the sweep' }),
        ),
    });
    client = connected.client;
    lab = connected.welcome.labs.find((one) => one.id === labId);
    plan = await planOf(lab, connected);
    const { sweep } = await client.request('sweep.start', plan);
    id = sweep.id;
    const seconds = sweepSeconds(plan, lab);
    const runs = plan.points.length * plan.repeat;
    const time = seconds === null ? 'the first run shows how long they take' : minutesText(seconds);
    printStep(
      `${plural(plan.points.length, 'point')} × ${plural(plan.repeat, 'repetition')} = ${plural(runs, 'run')}, ${seconds === null ? time : `at least ${time}`}`,
    );
    // Runs that ended before this client knew the id of the sweep are in the reply.
    const now = await client.request('sweep.get', { sweepId: id });
    now.measurements.forEach(seen);
    if (isFinalSweep(now.sweep.state)) over(now.sweep);
    await finished;
    status.clear();
    const end = await client.request('sweep.get', { sweepId: id });
    end.measurements.forEach(seen);
    await Promise.all(told);
    process.exitCode = exitCode(end.sweep, end.measurements);
    return { sweep: end.sweep, measurements: end.measurements, lab };
  } finally {
    status.clear();
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    await client?.close();
    await found.release();
  }
}

function exitCode({ state }: SweepRecord, measurements: readonly Measurement[]): number {
  if (state === 'cancelled') return EXIT_INTERRUPTED;
  return state === 'done' && measurements.every((one) => one.state === 'done') ? 0 : 1;
}

function curveText({ label, unit, points, knee }: SweepCurve, plan: SweepPlan, lab?: LabDescription): string {
  const rows = points.map((stat, point) => [
    pointText(plan, point, lab),
    stat ? digits(stat.value) : '–',
    stat && stat.n > 1 ? spreadText(stat) : '–',
    String(stat?.n ?? 0),
    point === knee ? good('← knee') : '',
  ]);
  const heading = ['', unit ?? 'median', 'min–max', 'n', ''].map(muted);
  return `${bold(label)}\n${table([heading, ...rows], [1, 3])}`;
}

/** The curve of each figure, and the failures. */
export function sweepText({ sweep, measurements, lab }: SweepEnd): string {
  const { plan, state, number, title, measured, total, error } = sweep;
  const word = state === 'done' ? good(state) : isFinalSweep(state) ? bad(state) : state;
  const curves = sweepCurves(plan, measurements, lab);
  const failures = measurements.flatMap((one) =>
    one.state === 'done'
      ? []
      : [`${pointText(plan, one.point, lab)}: ${one.state}. ${one.error?.message ?? ''}`.trimEnd()],
  );
  const shared = Object.entries(plan.params).map(([name, value]) => {
    const unit = propertiesOf(lab)[name]?.unit;
    return `${name}=${typeof value === 'number' ? shown(value, unit) : plain(value)}`;
  });
  return [
    `${bold(title)}  sweep ${number} ${word}, ${measured} of ${plural(total, 'run')}`,
    ...(shared.length > 0 ? [muted(`All runs: ${shared.join(' ')}`)] : []),
    ...(error && state !== 'done' ? [bad(`${error.message} ${error.cure}`.trimEnd())] : []),
    ...curves.flatMap((curve) => ['', curveText(curve, plan, lab)]),
    ...(curves.some(({ knee }) => knee !== null) ? ['', muted(KNEE_RULE)] : []),
    ...(failures.length > 0 ? ['', ...failures.map(bad)] : []),
  ].join('\n');
}
