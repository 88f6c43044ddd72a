/** Measures every size in every round. */
import {
  AppError,
  median,
  type Access,
  type EndpointHandle,
  type EndpointResult,
  type LabContext,
} from '@verbslab/protocol';
import { formatBytes } from '../base/format.js';
import { statOf, type Stat } from '../base/sweep.js';
import { sizesUpTo } from '../formulas/page-table.js';
import { SMALLEST, type RegistrationCostParams } from './params.js';

type Times = EndpointResult<'timeRegistrations'>;
export type State = 'untouched' | 'touched';

/** Times in nanoseconds for one registration; a sample is the median of one round. */
export interface Measured {
  size: number;
  register: Record<State, Stat>;
  deregister: Stat;
  /** Rounds in which untouched memory took longer. The two are measured one right after the other. */
  untouchedSlower: number;
  /** Page faults per registration, over all rounds. */
  faults: Record<State, number>;
  /** Bytes that were locked for one region. */
  lockedBytes: number;
}

export interface Sweep {
  pageBytes: number;
  memlockLimit: number | null;
  sizes: Measured[];
  /** The size that could not be registered, and why; the sweep ends there. */
  refused: { size: number; error: AppError } | null;
}

export const ACCESS: Access[] = ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ'];

/** Small regions are registered many times in a round: one registration is hardly longer than the clock’s own call. */
const BYTES_PER_ROUND = 4 * 1024 * 1024;
const MOST_PER_ROUND = 64;
const timesPerRound = (size: number): number =>
  Math.min(MOST_PER_ROUND, Math.max(1, Math.floor(BYTES_PER_ROUND / size)));

export const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && error.message.includes('ENOMEM');

export async function sweep(
  ctx: LabContext<RegistrationCostParams>,
  endpoint: EndpointHandle,
  pd: number,
): Promise<Sweep> {
  const { largest, rounds } = ctx.params;
  const sizes = sizesUpTo(SMALLEST, largest);
  // The first calls of a process are slower: code is compiled, and the allocator maps its memory.
  const { pageBytes, memlockLimit } = await endpoint.call('timeRegistrations', {
    pd,
    length: SMALLEST,
    times: MOST_PER_ROUND,
    access: ACCESS,
  });
  const found: Sweep = { pageBytes, memlockLimit, sizes: [], refused: null };
  for (const [index, size] of sizes.entries()) {
    ctx.progress(index / sizes.length, `Registering ${formatBytes(size)}`);
    try {
      found.sizes.push(await measure(endpoint, pd, size, rounds));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      found.refused = { size, error };
      return found;
    }
  }
  return found;
}

async function measure(
  endpoint: EndpointHandle,
  pd: number,
  size: number,
  rounds: number,
): Promise<Measured> {
  const times = timesPerRound(size);
  const results: Times[] = [];
  for (let round = 0; round < rounds; round++)
    results.push(await endpoint.call('timeRegistrations', { pd, length: size, times, access: ACCESS }));
  const samples = (state: State): number[] =>
    results.map((result) => median(result[state]?.registerNs ?? []));
  const [untouched, touched] = [samples('untouched'), samples('touched')];
  const faults = (state: State): number =>
    results.reduce((sum, result) => sum + (result[state]?.faults ?? 0), 0) / (rounds * times);
  return {
    size,
    register: { untouched: statOf(untouched), touched: statOf(touched) },
    untouchedSlower: untouched.filter((time, round) => time > touched[round]!).length,
    deregister: statOf(results.map(({ touched }) => median(touched?.deregisterNs ?? []))),
    faults: { untouched: faults('untouched'), touched: faults('touched') },
    lockedBytes: Math.min(...results.map(({ untouched }) => untouched.lockedBytes)),
  };
}
