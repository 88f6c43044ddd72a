/** Cost of a message over two transports, from a run's measurements at two sizes. Pure functions. */
import { compare } from '@verbslab/labs';
import { noResults, type Cell, type LabResults, type ResultSpecs } from '@verbslab/protocol';

export const DEFAULTS = { size: 0, one: 'TCP', other: 'WRITE, shared memory' };
export type Using = typeof DEFAULTS;

/** The two message sizes of a run, B. */
export interface Sizes {
  size: number;
  large: number;
}

export const SPECS: ResultSpecs = {
  tables: [
    {
      name: 'sides',
      label: 'One message, both ends together',
      text: 'CPU time = CPU time per message + CPU time per byte × size. CPU time per byte is the run’s CPU time per additional KiB / 1024, and CPU time per message is that of a small message less its bytes. The CPU time of a small message, the additional KiB and context switches are medians of the rounds. System calls were counted once, under tracing. Both counts are of small messages. A value below 0 is noise, and has no ratio: on a busy machine a longer message can take less time. Copies are a model of the data path, and copied bytes are copies × size.',
      columns: [
        { name: 'what', label: 'Per message' },
        { name: 'unit', label: 'Unit' },
        { name: 'one', label: 'First transport' },
        { name: 'other', label: 'Second transport' },
        { name: 'ratio', label: 'First / second' },
      ],
    },
  ],
  curves: [
    {
      name: 'cpu',
      label: 'CPU time per message by size',
      text: 'The run measured both ends. It has the right one as CPU time per additional KiB, the slope between small and large messages, from which the page computes it. The line between them is a linear interpolation.',
      x: { label: 'Message size', unit: 'B' },
      y: { label: 'CPU time', unit: 'µs' },
      series: [
        { name: 'one', label: 'First transport' },
        { name: 'other', label: 'Second transport' },
      ],
    },
  ],
};

const numberOf = (cell: Cell | undefined): number | null => (typeof cell === 'number' ? cell : null);

export const waysIn = ({ tables }: LabResults): string[] => (tables.ways ?? []).map(({ way }) => String(way));

/** Places that the bytes pass, in order, and the number of copies by the CPU; null if the model does not know them. */
export function copiesOf({ tables }: LabResults, way: string): { copies: number; steps: string[] } | null {
  const row = tables.copies?.find((one) => one.way === way);
  const copies = numberOf(row?.copies);
  if (copies === null) return null;
  return { copies, steps: copies === 0 ? [] : String(row!.where).split(', ') };
}

/** µs. */
function cpuAt({ tables }: LabResults, way: string, bytes: number, small: number): number | null {
  const row = tables.ways?.find((one) => one.way === way);
  const [cpu, kib] = [numberOf(row?.cpu), numberOf(row?.kib)];
  if (cpu === null) return null;
  if (bytes === small) return cpu;
  return kib === null ? null : cpu + (kib * (bytes - small)) / 1024 / 1000;
}

function sideOf(results: LabResults, way: string, bytes: number, small: number) {
  const row = results.tables.ways?.find((one) => one.way === way);
  const copies = copiesOf(results, way)?.copies ?? null;
  const [program, device] = [numberOf(row?.program), numberOf(row?.device)];
  const kib = numberOf(row?.kib);
  const cpu = cpuAt(results, way, bytes, small);
  return {
    copies,
    copied: copies === null ? null : copies * bytes,
    calls: program === null || device === null ? null : program + device,
    switches: numberOf(row?.switches),
    cpu,
    fixed: cpuAt(results, way, 0, small),
    byte: kib === null ? null : kib / 1024,
    /** Spread over the rounds with small messages, µs. */
    spread: { lowest: numberOf(row?.lowest), highest: numberOf(row?.highest) },
  };
}

const LINES = [
  { key: 'copies', what: 'Copies by the CPU, a model', unit: '' },
  { key: 'copied', what: 'Bytes that the CPU copies, a model', unit: 'B' },
  { key: 'calls', what: 'System calls, under tracing', unit: '' },
  { key: 'switches', what: 'Context switches', unit: '' },
  { key: 'cpu', what: 'CPU time', unit: 'µs' },
  { key: 'fixed', what: 'CPU time per message, whatever its size', unit: 'µs' },
  { key: 'byte', what: 'CPU time per byte', unit: 'ns' },
] as const;

/** Null for a cost below 0: the noise of the run was larger than the cost. */
const ratioOf = (a: number | null, b: number | null): number | null =>
  a !== null && b !== null && a >= 0 && b > 0 ? a / b : null;

export function compute(results: LabResults, sizes: Sizes, { size, one, other }: Using): LabResults {
  const found = noResults();
  const [left, right] = [one, other].map((way) => sideOf(results, way, size, sizes.size)) as [
    ReturnType<typeof sideOf>,
    ReturnType<typeof sideOf>,
  ];
  found.tables.sides = LINES.map(({ key, what, unit }) => {
    const [a, b] = [left[key], right[key]];
    return { what, unit, one: a, other: b, ratio: ratioOf(a, b) };
  });
  found.curves.cpu = [
    { name: 'one', way: one },
    { name: 'other', way: other },
  ].flatMap(({ name, way }) =>
    [sizes.size, sizes.large].map((x) => ({ x, y: cpuAt(results, way, x, sizes.size), series: name })),
  );
  return found;
}

export type Difference = 'more' | 'less' | 'unclear' | 'few';

/**
 * The transport with more copies, the one with fewer, and whether small messages cost the first one more CPU time.
 * `few`: too few rounds for a verdict. Null if both have the same number, or if one is not known.
 */
export function moreCopies(
  results: LabResults,
  { size }: Sizes,
  { one, other }: Pick<Using, 'one' | 'other'>,
  rounds: number,
): { way: string; than: string; cpu: Difference } | null {
  const sides = [one, other].map((way) => ({ way, ...sideOf(results, way, size, size) }));
  const [less, more] = sides.sort((a, b) => (a.copies ?? 0) - (b.copies ?? 0)) as [Side, Side];
  if (less.copies === null || more.copies === null || less.copies === more.copies) return null;
  return { way: more.way, than: less.way, cpu: differenceOf(more, less, rounds) };
}

type Side = ReturnType<typeof sideOf> & { way: string };

const VERDICTS = { higher: 'more', lower: 'less', unclear: 'unclear', few: 'few' } as const;

function differenceOf(one: Side, other: Side, n: number): Difference {
  const [a, b] = [one, other].map(({ cpu, spread: { lowest, highest } }) =>
    cpu === null || lowest === null || highest === null ? null : { value: cpu, min: lowest, max: highest, n },
  );
  return a && b ? VERDICTS[compare(a, b, 1)] : 'unclear';
}

/** Specs with the names of the chosen transports. */
export function specsOf({ one, other }: Pick<Using, 'one' | 'other'>): ResultSpecs {
  const { tables = [], curves = [] } = SPECS;
  const named = { one, other } as Record<string, string>;
  return {
    tables: tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => ({ ...column, label: named[column.name] ?? column.label })),
    })),
    curves: curves.map((curve) => ({
      ...curve,
      series: curve.series!.map((one) => ({ ...one, label: named[one.name] ?? one.label })),
    })),
  };
}
