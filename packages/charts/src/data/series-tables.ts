/** The tables behind the charts over time. Pages and reports show the same. */
import type { Transport } from '@verbslab/protocol';
import { CPU_KEYS, holeTime } from './chart-rows.js';
import { COST_NAME } from './looks.js';
import type { SeriesRow, SeriesView, TransportSample } from './series-view.js';

export interface SeriesTable {
  head: string[];
  rows: string[][];
}

/** Words of a view for the contents of a table. */
export interface SeriesWords {
  name: (transport: Transport) => string;
  /** Text of a value; a dash if it is missing. */
  figure: (value: number | undefined) => string;
}

const timeOf = ({ hole, t }: SeriesRow): string => (hole ? holeTime(hole) : t.toFixed(2));

const sampleOf = ({ hole, ...row }: SeriesRow, transport: Transport): TransportSample | undefined =>
  hole?.transport === transport ? hole.sample : row[transport];

/** A name inside a heading: "Application" becomes lower case, "NIC work" keeps its capitals. */
const inSentence = (name: string) =>
  /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;

export const goodputTable = (
  { rows, transports }: SeriesView,
  { name, figure }: SeriesWords,
): SeriesTable => ({
  head: ['Run time, s', ...transports.map((one) => `${name(one)}, Gb/s`)],
  rows: rows.map((row) => [timeOf(row), ...transports.map((one) => figure(sampleOf(row, one)?.gbps))]),
});

/** CPU of each transport by part, cores. */
export const cpuTable = ({ rows, transports }: SeriesView, { name, figure }: SeriesWords): SeriesTable => ({
  head: [
    'Run time, s',
    ...transports.flatMap((one) => CPU_KEYS.map((key) => `${name(one)} ${inSentence(COST_NAME[key])}`)),
  ],
  rows: rows.map((row) => [
    timeOf(row),
    ...transports.flatMap((one) => CPU_KEYS.map((key) => figure(sampleOf(row, one)?.cpu[key]))),
  ]),
});
