/** Lookups of ids drawn by popularity, with caches of three sizes. */
import { RC } from '@verbslab/roce';
import { plural } from '../base/format.js';
import { inPhase } from '../endpoints/phase.js';
import { seeded } from '../base/random.js';
import { startTap } from '../wire/tap.js';
import { largestCache, rowsAt, type Context, type Ends, type Reader } from './endpoints.js';
import { CachedReader } from './lookup.js';
import { drawer, popularity } from './zipf.js';

/** Batches between two looks at the tap, whose list is bounded. */
const BATCHES = 16;
/** Limit of all lookups, as a multiple of those that count: a few popular rows may never fill a large cache. */
const MOST = 3;

export interface Measured {
  slots: number;
  /** Lookups since the cache of their reader was full. */
  lookups: number;
  hits: number;
  /** All lookups, with those that filled the cache. */
  all: number;
  misses: number;
  /** Lookups and misses of the first reader. */
  allOfFirst: number;
  missesOfFirst: number;
  /** Rows in the caches at the end; `wrong` are those whose slot holds something else. */
  cached: number;
  wrong: number;
}

export interface HitRates {
  measured: Measured[];
  /** READ requests in the capture of the first reader; null without a capture. */
  requests: number | null;
}

/** READ requests of one reader, a retransmitted one once. */
class Requests {
  readonly #reader: Reader;
  readonly #psns = new Set<number>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  get count(): number {
    return this.#psns.size;
  }

  async look(): Promise<void> {
    const { list } = await this.#reader.endpoint.call('tap.flush', {});
    for (const { direction, opcode, psn } of list)
      if (direction === 'sent' && opcode === RC.readRequest) this.#psns.add(psn);
  }
}

type OfReader = Omit<Measured, 'slots' | 'allOfFirst' | 'missesOfFirst'>;

async function lookUp(
  ctx: Context,
  ends: Ends,
  number: number,
  slots: number,
  requests: Requests | null,
): Promise<OfReader> {
  const { params } = ctx;
  const reader = ends.readers[number]!;
  const one = new CachedReader(ctx, ends, reader, slots);
  const next = drawer(popularity(params.rows, params.skew), seeded(params.seed * 7919 + number));
  let [lookups, hits, misses, all] = [0, 0, 0, 0];
  for (let batch = 1; lookups < params.lookups && all < MOST * params.lookups; batch++) {
    const left = Math.min(params.lookups - lookups, MOST * params.lookups - all);
    const ids = Array.from({ length: Math.min(params.batch, left) }, next);
    all += ids.length;
    for (const { hit, full } of await one.lookupAll(ids)) {
      if (!hit) misses++;
      // Before the cache is full, its size says nothing about its hit rate.
      if (full) lookups++;
      if (full && hit) hits++;
    }
    if (batch % BATCHES === 0) await requests?.look();
  }
  await requests?.look();
  const cached = one.cache.entries();
  const held = await rowsAt(ctx, reader, slots);
  const wrong = cached.filter(([row, slot]) => held[slot]?.row !== row).length;
  return { lookups, hits, misses, all, cached: cached.length, wrong };
}

async function look(ctx: Context, ends: Ends, slots: number, requests: Requests | null): Promise<Measured> {
  const each = await Promise.all(
    ends.readers.map((_, number) => lookUp(ctx, ends, number, slots, number === 0 ? requests : null)),
  );
  const sum = (of: keyof OfReader): number => each.reduce((total, one) => total + one[of], 0);
  return {
    slots,
    lookups: sum('lookups'),
    hits: sum('hits'),
    all: sum('all'),
    misses: sum('misses'),
    allOfFirst: each[0]!.all,
    missesOfFirst: each[0]!.misses,
    cached: sum('cached'),
    wrong: sum('wrong'),
  };
}

/** Measures with a quarter of the size that the learner chose, that size, and four times as many. */
export async function measureHitRates(ctx: Context, ends: Ends): Promise<HitRates> {
  const { params } = ctx;
  const sizes = new Set([Math.ceil(params.slots / 4), params.slots, largestCache(params)]);
  const first = ends.readers[0]!;
  const oneAddress = first.toTable.qp.info.gid === ends.table.gid;
  const tapped =
    first.endpoint.has('tap') &&
    (await startTap(ctx, first.endpoint.name, oneAddress, { maxPackets: 4096, mode: 'keep' }));
  const requests = tapped ? new Requests(first) : null;
  const measured: Measured[] = [];
  for (const slots of sizes)
    measured.push(
      await inPhase(ctx, `cache-${slots}`, `Lookups with ${plural(slots, 'row')} in each cache`, () =>
        look(ctx, ends, slots, requests),
      ),
    );
  if (tapped) await first.endpoint.call('tap.stop', {});
  return { measured, requests: requests?.count ?? null };
}
