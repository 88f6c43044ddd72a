/** What a message costs over two transports, from what a run measured at two sizes. Pure functions. */
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
      text: 'Copies are a model of the data path, and copied bytes are copies × size. The other rows are measured. System calls were counted under tracing, context switches without it, both with small messages. CPU time at the large size = CPU time at the small size + CPU time per additional KiB × additional KiB.',
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
      text: 'The left end is measured. The right end adds the run’s CPU time per additional KiB, the slope between small and large messages. The line between them is a linear interpolation.',
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

/** The places that the bytes pass, in order, and how often the CPU copies them; null where the model does not know. */
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
  const cpu = cpuAt(results, way, bytes, small);
  return {
    copies,
    copied: copies === null ? null : copies * bytes,
    calls: program === null || device === null ? null : program + device,
    switches: numberOf(row?.switches),
    cpu,
    each: cpu === null ? null : (cpu * 1000) / bytes,
    kib: numberOf(row?.kib),
  };
}

const LINES = [
  { key: 'copies', what: 'Copies by the CPU, a model', unit: '' },
  { key: 'copied', what: 'Bytes that the CPU copies, a model', unit: 'B' },
  { key: 'calls', what: 'System calls, under tracing', unit: '' },
  { key: 'switches', what: 'Context switches', unit: '' },
  { key: 'cpu', what: 'CPU time', unit: 'µs' },
  { key: 'each', what: 'CPU time / size, per byte', unit: 'ns' },
  { key: 'kib', what: 'CPU time per additional KiB', unit: 'ns' },
] as const;

export function compute(results: LabResults, sizes: Sizes, { size, one, other }: Using): LabResults {
  const found = noResults();
  const [left, right] = [one, other].map((way) => sideOf(results, way, size, sizes.size)) as [
    ReturnType<typeof sideOf>,
    ReturnType<typeof sideOf>,
  ];
  found.tables.sides = LINES.map(({ key, what, unit }) => {
    const [a, b] = [left[key], right[key]];
    return { what, unit, one: a, other: b, ratio: a !== null && b !== null && b > 0 ? a / b : null };
  });
  found.curves.cpu = [
    { name: 'one', way: one },
    { name: 'other', way: other },
  ].flatMap(({ name, way }) =>
    [sizes.size, sizes.large].map((x) => ({ x, y: cpuAt(results, way, x, sizes.size), series: name })),
  );
  return found;
}

/** The specs with the names of the chosen transports. */
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
