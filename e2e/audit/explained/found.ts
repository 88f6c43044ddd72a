// Expected content of an explanation, computed from the records of the run by code of its own.
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';

export type Cell = number | string | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

export interface Found {
  figures: Readonly<Record<string, number | null>>;
  tables: Readonly<Record<string, readonly Row[]>>;
  curves: Readonly<Record<string, readonly { x: number; y: number | null; series: string }[]>>;
}

/** Choices of the reader. */
export type Using = Readonly<Record<string, string | number>>;
export type Recompute = (evidence: Evidence, using: Using) => Found;

export const rowsOf = ({ data }: Evidence, table: string): Row[] =>
  itemsOf(data, 'row')
    .filter((row) => row.table === table)
    .map(({ cells }) => cells);
