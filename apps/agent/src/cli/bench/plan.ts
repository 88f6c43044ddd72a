/** A comparison as a sweep of the bulk lab: its values from the command line, and the command that repeats it. */
import { bulk, readSweep, sweepGrid, type SweptParam } from '@verbslab/labs';
import { AppError, parseQuantity, type SweepPlan, type Transport } from '@verbslab/protocol';
import { InvalidArgumentError } from 'commander';
import { checkRuns, propertiesOf } from '../sweep-run.js';

/** Transports that can be compared, in the order of their turns. */
export const COMPARED = ['rdma', 'shm', 'tcp'] as const satisfies readonly Transport[];
export type Compared = (typeof COMPARED)[number];

export interface CompareOptions {
  sizes: string;
  depths: string;
  transports: readonly Compared[];
  rounds: number;
  /** Seconds. */
  duration: number;
  from?: string;
  to?: string;
  set?: Record<string, string>;
  json?: boolean;
  out?: string;
  logLevel: string;
}

/** Start of each measurement that does not count, s: a round of a comparison is shorter than one of the lab. */
export const WARM_UP = 0.2;

/** Parameters of the lab that have an option of their own here. */
const OPTION_OF: Readonly<Record<string, string>> = {
  size: '--sizes',
  depth: '--depths',
  transport: '--transports',
  repeat: '--rounds',
  duration: '--duration',
};

const PROPERTIES = propertiesOf(bulk.description);

export function readTransports(text: string): Compared[] {
  const given = text.split(',').map((part) => part.trim());
  const known = COMPARED.filter((each) => given.includes(each));
  if (known.length !== given.length || !known.includes('tcp') || known.length < 2)
    throw new InvalidArgumentError('It must be rdma,shm,tcp or rdma,tcp or shm,tcp.');
  return known;
}

export function readDuration(text: string): number {
  const { minimum = 0, maximum = Infinity } = PROPERTIES.duration ?? {};
  const seconds = parseQuantity(text, 's');
  if (seconds === null || seconds < minimum || seconds > maximum)
    throw new InvalidArgumentError(`It must be a time from ${minimum} s to ${maximum} s.`);
  return seconds;
}

function transportParam(transports: readonly Compared[]): string {
  if (!transports.includes('rdma')) return 'shm-and-tcp';
  return transports.includes('shm') ? 'all-in-turn' : 'both-in-turn';
}

const numbersOf = ({ values }: SweptParam): number[] => values.map(Number);

/** Throws AppError if an option cannot be read or is out of range. */
export function comparePlan({
  sizes,
  depths,
  transports,
  rounds,
  duration,
  from,
  to,
  set = {},
}: CompareOptions): SweepPlan {
  const taken = Object.keys(set).find((name) => Object.hasOwn(OPTION_OF, name));
  if (taken !== undefined) {
    const detail = `--set ${taken} would change what is compared`;
    throw new AppError('USAGE', { detail, hint: `Use ${OPTION_OF[taken]} instead.` });
  }
  const grid = [
    readSweep(bulk.description.id, `size=${sizes}`, PROPERTIES),
    readSweep(bulk.description.id, `depth=${depths}`, PROPERTIES),
  ] as const;
  checkRuns(grid, rounds);
  const [size, depth] = grid;
  // A parameter with one value is no axis, but a sweep has at least one.
  const several = grid.filter(({ values }) => values.length > 1);
  const swept = several.length > 0 ? several : [size];
  const fixed = grid.filter((one) => !swept.includes(one));
  const signalEvery =
    set.signalEvery === undefined
      ? Number(PROPERTIES.signalEvery?.default)
      : parseQuantity(set.signalEvery, 'WRs');
  // All points use the same memory, so that the cache holds the same share of it.
  const memory = Math.max(Number(PROPERTIES.memory?.default), ...numbersOf(size));
  const params: SweepPlan['params'] = {
    transport: transportParam(transports),
    repeat: 1,
    duration,
    omit: WARM_UP,
    memory,
    capturePackets: 0,
    ...set,
    ...Object.fromEntries(fixed.map(({ param, values }) => [param, values[0]!])),
  };
  const endpoints = {
    ...(from === undefined ? {} : { client: from }),
    ...(to === undefined ? {} : { server: to }),
  };
  return {
    lab: bulk.description.id,
    params,
    ...(Object.keys(endpoints).length === 0 ? {} : { endpoints }),
    axes: swept.map(({ param, scale }) => ({ param, scale })),
    points: sweepGrid(swept).map((point) => {
      // A queue whose requests are never signaled would stay full.
      const most = Number(point.depth ?? numbersOf(depth)[0]);
      // Values that cannot be read are left for the lab to refuse.
      return signalEvery === null ? point : { ...point, signalEvery: Math.min(signalEvery, most) };
    }),
    repeat: rounds,
  };
}

/** A word of a command line, quoted where a shell would change it. */
const word = (text: string): string =>
  /^[\w./:,=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The command that repeats the measurement, with all defaults spelled out. */
export function compareCommand({
  sizes,
  depths,
  transports,
  rounds,
  duration,
  from,
  to,
  set = {},
}: CompareOptions): string {
  const options: [string, string | undefined][] = [
    ['--sizes', sizes],
    ['--depths', depths],
    ['--transports', transports.join(',')],
    ['--rounds', String(rounds)],
    ['--duration', String(duration)],
    ['--from', from],
    ['--to', to],
    ...Object.entries(set).map(([name, value]): [string, string] => ['--set', `${name}=${value}`]),
  ];
  const given = options.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${word(value)}`]));
  return ['verbslab bench compare', ...given].join(' ');
}
