/** The wait of a small request behind what many clients sent: computed from the queue, beside what a run measured. Pure functions. */
import type { LabResults, RunRecord } from '@verbslab/protocol';

/** What a run measured with a number of clients at once. */
export interface Load {
  clients: number;
  /** Gb/s of all together; null without clients. */
  total: number | null;
  /** Small request, µs. */
  mean: number | null;
  p50: number | null;
  p90: number | null;
  /** Datagrams that the server’s kernel dropped; null if not counted. */
  overruns: number | null;
}

export interface IncastModel {
  /** Bytes of a message, and messages that each client keeps posted. */
  size: number;
  window: number;
  loads: Load[];
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Null if the run lacks a record that is needed. */
export function incastModel(
  { parameters }: Pick<RunRecord, 'parameters'>,
  { tables }: LabResults,
): IncastModel | null {
  const [size, window] = [Number(parameters.size), Number(parameters.window)];
  const loads = (tables.loads ?? []).map((row): Load => ({
    clients: Number(row.clients),
    total: numberOf(row.total),
    ...{ mean: numberOf(row.mean), p50: numberOf(row.p50), p90: numberOf(row.p90) },
    overruns: numberOf(row.overruns),
  }));
  const some = loads.some(({ clients, total }) => clients > 0 && total !== null && total > 0);
  return size > 0 && window > 0 && some ? { size, window, loads } : null;
}

/** Loads with clients. */
export const choices = ({ loads }: IncastModel): Load[] =>
  loads.filter(({ clients, total }) => clients > 0 && (total ?? 0) > 0);

/** Messages that the clients of a load keep posted. */
export const postedBy = ({ window }: IncastModel, { clients }: Pick<Load, 'clients'>): number =>
  clients * window;

/** Time in which the port serves so many messages, µs. */
export const waitOf = ({ size }: IncastModel, { total }: Pick<Load, 'total'>, messages: number): number =>
  (messages * size * 8) / ((total ?? NaN) * 1000);

export interface Waited {
  /** Added to a small request by the clients, µs: mean, median and 90th percentile, from the mean without clients. */
  mean: number;
  p50: number | null;
  p90: number | null;
  /** Messages ahead that would explain the mean (computed). */
  ahead: number;
}

/** What the clients of a load added to a small request; null if not measured. */
export function waitedOf(model: IncastModel, load: Load): Waited | null {
  const calm = model.loads.find(({ clients }) => clients === 0)?.mean;
  if (calm == null || load.mean === null) return null;
  const added = (value: number | null): number | null => (value === null ? null : value - calm);
  const mean = load.mean - calm;
  return { mean, p50: added(load.p50), p90: added(load.p90), ahead: mean / waitOf(model, load, 1) };
}

/** The load with this number of clients, or with the next lower one that was measured. */
export const loadOf = (model: IncastModel, clients: number): Load => {
  const all = choices(model);
  return all.findLast((one) => one.clients <= clients) ?? all[0]!;
};
