/**
 * Mutations of a valid bundle go into a real history. Each is refused with a code of the table and leaves nothing, or
 * it is the run that was exported. VERBSLAB_FUZZ_SECONDS limits the time for all of it, instead of the number of
 * bundles; VERBSLAB_SEED replays a seed.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, ERROR_AREAS, type RunRecord } from '@verbslab/protocol';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHome } from '../src/config/home.js';
import { importBundle } from '../src/imports/import.js';
import { StreamReader } from '../src/store/stream-reader.js';
import { RunStore } from '../src/store/store.js';
import { newHome, testAgent } from './helpers/agent.js';
import { changes, forgeries } from './helpers/bundle-changes.js';
import { bundleOf, writeRun } from './helpers/bundles.js';

const { VERBSLAB_FUZZ_SECONDS } = process.env;
const SECONDS = Number(VERBSLAB_FUZZ_SECONDS ?? 0);
/** Bundles of each kind: enough to meet each of the frequent refusals, however long a busy machine takes for them. */
const BUNDLES = 150;
const SEED = Number(process.env.VERBSLAB_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Limit of an import, inflated, bytes. */
const LIMIT = 4 * 1024 * 1024;
/** Limits of one import: memory beyond that of the process before, bytes, and CPU time, ms. */
const MEMORY = 128 * 1024 * 1024;
const CPU_MS = 5_000;

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let next = 0; next < bytes.length; next += size) yield bytes.subarray(next, next + size);
  await Promise.resolve();
}

/** Content of a run in the history, without the parts that every agent assigns itself. */
function toldBy(store: RunStore, run: RunRecord): string {
  const { id, number: _, imported: __, result, ...rest } = run;
  const reader = new StreamReader(store, run.number, null, 1);
  const items: string[] = [];
  for (let item = reader.next(); item; item = reader.next())
    items.push(
      item.json ?? Buffer.concat([item.frame!.subarray(0, 4), item.frame!.subarray(8)]).toString('hex'),
    );
  return JSON.stringify({ rest, result: { ...result, captureFile: null }, items }).replaceAll(id, 'ID');
}

const CODES = Object.keys(ERROR_AREAS.bundles);

describe('the importer', () => {
  const options = { timeout: SECONDS * 1000 + 600_000 };

  it('refuses a changed bundle or takes the run that was exported', options, async () => {
    const seen = await shake(changes, (told, whole) => expect(told).toBe(whole));
    // A fuzzer that only meets one kind of refusal tests nothing.
    expect(seen).toEqual(expect.arrayContaining(['BUNDLE_CUT', 'BUNDLE_CHANGED', 'BUNDLE_INVALID']));
  });

  it('takes from a forged bundle what it can show, or nothing', options, async () => {
    const seen = await shake(forgeries, (told) => expect(told).not.toMatch(/chunk (holds|ends|has)/));
    expect(seen).toEqual(expect.arrayContaining(['imported', 'BUNDLE_INVALID']));
  });
});

/** Imports bundles with these changes, and checks the result of each. Resolves with all outcomes. */
async function shake(
  changed: fc.Arbitrary<(bundle: Buffer) => Buffer>,
  check: (told: string, whole: string) => void,
): Promise<string[]> {
  const there = newHome();
  const original = writeRun(there);
  const { agent } = await testAgent({ home: there });
  const bundle = await bundleOf(agent, original.id);
  await agent.close();
  const home = openHome(newHome());
  const store = RunStore.open(home);
  onTestFinished(() => store.close());
  const raw = new Database(home.database, { readonly: true });
  onTestFinished(() => void raw.close());
  const rows = (table: string): unknown => raw.prepare(`select count(*) from ${table}`).pluck().get();
  const left = (): unknown => [rows('runs'), rows('chunks'), readdirSync(join(home.path, 'captures'))];
  /** Imports these bytes and returns the content of the run in the history, which is deleted again. */
  const taken = async (bytes: Buffer, size: number): Promise<string> => {
    const run = await importBundle(inPieces(bytes, size), { store, limit: LIMIT, again: false });
    try {
      return toldBy(store, run);
    } finally {
      store.retention.delete(run.id);
      await store.retention.cleared;
    }
  };
  const whole = await taken(bundle, 1000);

  console.log(`bundle fuzz seed ${SEED}`);
  const seen = new Map<string, number>();
  const property = fc.asyncProperty(changed, fc.integer({ min: 1, max: 70_000 }), async (change, size) => {
    const bytes = change(bundle);
    const before = process.memoryUsage.rss();
    const begun = process.cpuUsage();
    let what = 'imported';
    try {
      check(await taken(bytes, size), whole);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      what = error.code;
      expect(CODES).toContain(what);
      expect(error.message).not.toMatch(/\[object|\{[a-z]+\}/);
    }
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1000).toBeLessThan(CPU_MS);
    expect(process.memoryUsage.rss() - before).toBeLessThan(MEMORY);
    expect(left()).toEqual([0, 0, []]);
    seen.set(what, (seen.get(what) ?? 0) + 1);
  });
  await fc.assert(property, {
    seed: SEED,
    ...(VERBSLAB_FUZZ_SECONDS === undefined
      ? { numRuns: BUNDLES }
      : { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: (SECONDS * 1000) / 2 }),
    markInterruptAsFailure: false,
  });
  console.log(Object.fromEntries(seen));
  return [...seen.keys()];
}
