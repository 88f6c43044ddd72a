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
      text: 'System calls and context switches are those of small messages: the run counted them there. CPU time is measured at the small size. At the large size it is that plus the measured cost per KiB × additional KiB. Copied bytes = copies × size; the number of copies is a model of the data path.',
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
      text: 'The two ends of each line come from measurements. The line between them is a linear interpolation.',
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
  };
}

const LINES = [
  { key: 'copies', what: 'Copies by the CPU', unit: '' },
  { key: 'copied', what: 'Bytes that the CPU copies', unit: 'B' },
  { key: 'calls', what: 'System calls', unit: '' },
  { key: 'switches', what: 'Context switches', unit: '' },
  { key: 'cpu', what: 'CPU time', unit: 'µs' },
  { key: 'each', what: 'CPU time per byte', unit: 'ns' },
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
