import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ErrorInfo, RunRecord } from '@verbslab/protocol';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../src/agent.js';
import { newHome, Recorder, signIn, testAgent } from './helpers/agent.js';
import { ask, bearer, ownOrigin, signedIn } from './helpers/browser.js';
import { bundleOf, exported, writeRun } from './helpers/bundles.js';
import { verbslab } from './helpers/cli.js';

const IMPORT = '/api/runs/import';

/** Two agents with a home each: one has a run, the other has none. */
async function twoHosts(more: Parameters<typeof writeRun>[1] = {}) {
  const [here, there] = [newHome(), newHome()];
  writeRun(there);
  const original = writeRun(there, more);
  const a = (await testAgent({ home: there })).agent;
  const b = (await testAgent({ home: here })).agent;
  return { a, b, here, there, original, bundle: await bundleOf(a, original.id) };
}

interface Imported {
  status: number;
  run?: RunRecord;
  error?: ErrorInfo;
}

async function post(agent: Agent, body: Uint8Array, query = ''): Promise<Imported> {
  const answer = await fetch(`${agent.url}${IMPORT}${query}`, {
    method: 'POST',
    headers: { cookie: await signIn(agent), origin: agent.url },
    body: new Uint8Array(body),
  });
  return { status: answer.status, ...((await answer.json()) as Omit<Imported, 'status'>) };
}

/** Everything that a page receives of a run. */
async function replayed(agent: Agent, runId: string): Promise<{ events: unknown[]; frames: Buffer[] }> {
  const recorder = await Recorder.connect(agent);
  await recorder.client.request('run.subscribe', { runId, fromSeq: 1 });
  await recorder.untilMessage('run.complete');
  // The number of the run is left out, since every agent assigns its own.
  const frames = recorder.frames.map((frame) => Buffer.concat([frame.subarray(0, 4), frame.subarray(8)]));
  return { events: recorder.events, frames };
}

/** Traces that an import may leave: rows, files, used numbers. */
function leftIn(home: string): unknown {
  const raw = new Database(join(home, 'runs.db'), { readonly: true });
  try {
    const all = (sql: string) => raw.prepare(sql).pluck().all();
    return {
      runs: all('select id from runs'),
      chunks: all('select count(*) from chunks'),
      notes: all('select id from notes union select tag from run_tags'),
      number: all("select seq from sqlite_sequence where name = 'runs' and seq > 0"),
      captures: readdirSync(join(home, 'captures')),
    };
  } finally {
    raw.close();
  }
}
const NOTHING = { runs: [], chunks: [0], notes: [], number: [], captures: [] };

describe('an imported run', () => {
  it('is the run of the other host, figure by figure, under a number of its own', async () => {
    const { a, b, original, bundle } = await twoHosts();
    const { status, run } = await post(b, bundle);
    expect(status).toBe(201);
    const { id, number, imported, result, tags: _tags, noteCount: _notes, ...rest } = run!;
    expect([id === original.id, number, original.number]).toEqual([false, 1, 2]);
    expect(imported).toMatchObject({ host: hostname(), runId: original.id, number: 2 });
    expect(Math.abs(imported!.at - Date.now())).toBeLessThan(60_000);
    expect(rest).toEqual(
      expect.objectContaining({ lastSeq: original.lastSeq, recordedBytes: original.recordedBytes }),
    );
    const { id: _, number: __, result: theirs, ...same } = original;
    expect(rest).toEqual(same);
    expect({ ...result, captureFile: null }).toEqual({ ...theirs, captureFile: null });

    const [there, here] = [await replayed(a, original.id), await replayed(b, id)];
    expect(there.frames).toHaveLength(4);
    expect(here.frames).toEqual(there.frames);
    expect(JSON.stringify(here.events).replaceAll(id, original.id)).toBe(JSON.stringify(there.events));
    expect(JSON.stringify(here.events)).toContain('from.the.future');
    for (const format of ['pcapng', 'csv', 'jsonl', 'trace']) {
      const [one, other] = [await exported(a, original.id, format), await exported(b, id, format)];
      expect(other.toString('latin1').replaceAll(id, original.id)).toBe(one.toString('latin1'));
    }
  });

  it('comes with the notes and tags that people gave it', async () => {
    const { a, b, original, bundle } = await twoHosts();
    const { run } = await post(b, bundle);
    expect(run).toMatchObject({ tags: ['rnr', 'två'], noteCount: 1 });
    const of = async (agent: Agent, runId: string) => {
      const { client } = await Recorder.connect(agent);
      const { tags, notes } = await client.request('notebook.get', { runId });
      return { tags, notes: notes.map((note) => ({ ...note, id: '', runId: '' })) };
    };
    const theirs = await of(a, original.id);
    expect(theirs.notes).toHaveLength(1);
    expect(await of(b, run!.id)).toEqual(theirs);
    // The copy beside the original has its own notes.
    const copy = await post(a, bundle, '?again=1');
    expect(await of(a, copy.run!.id)).toEqual(theirs);
    a.manager.delete(copy.run!.id);
    expect(await of(a, original.id)).toEqual(theirs);
  });

  it('outlives a restart, and is exported again with the host that recorded it', async () => {
    const { a, b, here, there, original, bundle } = await twoHosts();
    const { run } = await post(b, bundle);
    const again = await bundleOf(b, run!.id);
    await b.close();
    const { agent } = await testAgent({ home: here });
    expect(agent.manager.get(run!.id)).toMatchObject({ imported: { runId: original.id } });
    // The agent with the original refuses the bundle, and takes a copy on request.
    expect(await post(a, again)).toMatchObject({ status: 409, run: { id: original.id } });
    const copy = await post(a, again, '?again=1');
    expect(copy.run).toMatchObject({ number: 3, imported: { runId: original.id, number: 2 } });
    expect(await exported(a, copy.run!.id, 'csv')).toEqual(await exported(a, original.id, 'csv'));
    expect(readdirSync(join(there, 'captures'))).toHaveLength(3);
  });

  it('keeps its place in a sweep as a fact of the other host', async () => {
    const sweep = { id: 'abcdefghij', number: 4, point: 1, round: 0 };
    const { b, bundle } = await twoHosts({ sweep });
    const { run } = await post(b, bundle);
    expect(run!.sweep).toBeUndefined();
    expect(run!.imported!.sweep).toEqual(sweep);
  });

  it('reaches pages that are open, and counts as no progress here', async () => {
    const { b, bundle } = await twoHosts();
    const recorder = await Recorder.connect(b);
    const { run } = await post(b, bundle);
    await recorder.untilMessage('run.changed', (message) => message.run.id === run!.id);
    expect((await recorder.client.request('progress.get', {})).labs).toEqual([]);
  });

  it('is imported once, unless a second copy is asked for', async () => {
    const { b, bundle } = await twoHosts();
    const first = await post(b, bundle);
    const second = await post(b, bundle);
    expect(second).toMatchObject({
      status: 409,
      run: { id: first.run!.id },
      error: { code: 'ALREADY_HERE' },
    });
    expect(second.error!.message).toContain('run 1');
    expect(await post(b, bundle, '?again=1')).toMatchObject({ status: 201, run: { number: 2 } });
  });

  it('belongs to the history as others do: deleted, it takes all that it had along', async () => {
    const { b, here, bundle } = await twoHosts();
    const { run } = await post(b, bundle);
    b.manager.delete(run!.id);
    expect(readdirSync(join(here, 'captures'))).toEqual([]);
    // A deleted run may be imported again.
    expect(await post(b, bundle)).toMatchObject({ status: 201 });
  });

  it('counts toward the limits of the history', async () => {
    const { bundle } = await twoHosts({ annotated: false });
    const { agent } = await testAgent({ keep: { runs: 1, bytes: 0 } });
    const first = await post(agent, bundle);
    await post(agent, bundle, '?again=1');
    expect(() => agent.manager.get(first.run!.id)).toThrow('There is no run');
  });
});

/** Two u32 in front of the bytes of an item. */
const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
/** A bundle with another manifest; what follows it stays. */
function withManifest(bundle: Buffer, change: (manifest: Record<string, unknown>) => void): Buffer {
  const length = bundle.readUInt32LE(8);
  const manifest = JSON.parse(bundle.subarray(12, 12 + length).toString()) as Record<string, unknown>;
  change(manifest);
  const bytes = Buffer.from(JSON.stringify(manifest));
  return Buffer.concat([bundle.subarray(0, 8), u32(bytes.length), bytes, bundle.subarray(12 + length)]);
}

describe('a file that is not a whole bundle', () => {
  it('is refused with the reason, and nothing of it stays', async () => {
    const { a, b, here, original, bundle } = await twoHosts();
    const body = 12 + bundle.readUInt32LE(8);
    const flipped = Buffer.from(bundle);
    flipped[body + 40]! ^= 0x10;
    const run = (manifest: Record<string, unknown>) => manifest.run as RunRecord;
    for (const [file, code, why] of [
      [Buffer.alloc(0), 'NO_BUNDLE', 'it is empty'],
      [Buffer.from('hello world, this is no run'), 'NO_BUNDLE', 'another kind of file'],
      [await exported(a, original.id, 'pcapng'), 'NO_BUNDLE', 'Packets page'],
      [await exported(a, original.id, 'jsonl'), 'NO_BUNDLE', 'it is JSON'],
      [bundle.subarray(0, 10), 'BUNDLE_CUT', 'first bytes'],
      [bundle.subarray(0, 200), 'BUNDLE_CUT', 'inside its manifest'],
      [bundle.subarray(0, body + 100), 'BUNDLE_CUT', 'inside a block'],
      [bundle.subarray(0, -4), 'BUNDLE_CUT', 'between two blocks'],
      [Buffer.concat([bundle.subarray(0, body), u32(0)]), 'BUNDLE_CUT', 'before its seal'],
      [Buffer.concat([bundle, Buffer.of(0)]), 'BUNDLE_CHANGED', 'follows its end'],
      [flipped, 'BUNDLE_', ''],
      [withManifest(bundle, (m) => (run(m).title = 'other')), 'BUNDLE_CHANGED', 'manifest'],
      [withManifest(bundle, (m) => (run(m).number = 77)), 'BUNDLE_INVALID', 'is of run 2, not 77'],
      [withManifest(bundle, (m) => (run(m).state = 'running')), 'BUNDLE_INVALID', 'not finished'],
      [withManifest(bundle, (m) => (run(m).id = '../../x')), 'BUNDLE_INVALID', 'run.id'],
      [withManifest(bundle, (m) => (run(m).createdAt = 1e300)), 'BUNDLE_INVALID', 'run.createdAt'],
      [withManifest(bundle, (m) => (run(m).title = 'x'.repeat(9999))), 'BUNDLE_INVALID', 'run.title'],
      [Buffer.concat([bundle.subarray(0, 8), u32(0xffff_ffff)]), 'BUNDLE_INVALID', '4294967295 bytes'],
      [Buffer.concat([bundle.subarray(0, body), u32(0x7fff_ffff)]), 'BUNDLE_INVALID', 'a block claims'],
    ] as const) {
      const answer = await post(b, file);
      expect([answer.error?.code, answer.error?.message, answer.status >= 400]).toEqual([
        expect.stringContaining(code),
        expect.stringContaining(why),
        true,
      ]);
      expect(leftIn(here)).toEqual(NOTHING);
    }
    // None of that keeps the valid bundle out.
    expect(await post(b, bundle)).toMatchObject({ status: 201, run: { number: 1 } });
  });

  it('of a newer format says which version reads it', async () => {
    const { b, bundle } = await twoHosts();
    const newer = withManifest(bundle, (manifest) =>
      Object.assign(manifest, { format: 7, needs: '3.1.4', run: 1 }),
    );
    const { status, error } = await post(b, newer);
    expect([status, error!.code]).toEqual([415, 'BUNDLE_NEWER']);
    expect(error!.message).toMatch(/format 7.*formats up to 1.*needs Verbs Lab 3\.1\.4/);
  });

  it('inflates to no more than a run may store', async () => {
    const { bundle } = await twoHosts({ notes: 30_000 });
    expect(bundle.length).toBeLessThan(400_000);
    const home = newHome();
    const { agent } = await testAgent({ home, runLimit: 1024 * 1024 });
    const { status, error } = await post(agent, bundle);
    expect([status, error!.code]).toEqual([413, 'BUNDLE_TOO_LARGE']);
    expect(error!.cure).toContain('--run-limit');
    expect(leftIn(home)).toEqual(NOTHING);
    // A file that declares its size need not be sent at all.
    const { status: early } = await post(agent, Buffer.alloc(2 * 1024 * 1024));
    expect(early).toBe(413);
  });

  it('is cleared away at the next start if the agent was killed in the middle', async () => {
    const home = newHome();
    writeRun(home);
    const raw = new Database(join(home, 'runs.db'));
    raw.prepare("update runs set state = 'importing'").run();
    raw.close();
    const { agent } = await testAgent({ home });
    expect(agent.manager.list({ limit: 9 }).total).toBe(0);
    await expect.poll(() => leftIn(home)).toMatchObject({ runs: [], chunks: [0], captures: [] });
  });
});

describe('POST /api/runs/import', () => {
  it('is for who is signed in on this agent’s own pages, and for programs', async () => {
    const { b } = await twoHosts();
    const inside = await signedIn(b);
    expect((await ask(b, IMPORT, {}, 'POST')).status).toBe(403);
    expect((await ask(b, IMPORT, ownOrigin(b), 'POST')).status).toBe(401);
    expect((await ask(b, IMPORT, { ...inside, origin: 'http://evil.example' }, 'POST')).status).toBe(403);
    expect((await ask(b, IMPORT, { ...inside, host: 'evil.example' }, 'POST')).status).toBe(403);
    expect((await ask(b, IMPORT, { ...bearer(b), 'sec-fetch-site': 'cross-site' }, 'POST')).status).toBe(403);
    expect((await ask(b, IMPORT, { ...inside, ...ownOrigin(b) }, 'POST')).body).toContain('NO_BUNDLE');
    expect((await ask(b, IMPORT, bearer(b), 'POST')).body).toContain('NO_BUNDLE');
    const get = await ask(b, IMPORT, bearer(b));
    expect([get.status, get.headers.allow]).toEqual([405, 'POST']);
  });

  it('takes one run at a time, and forgets one that its client gave up', async () => {
    const { b, here, bundle } = await twoHosts();
    const sent = request(`${b.url}${IMPORT}`, {
      method: 'POST',
      headers: { ...bearer(b), 'content-length': bundle.length },
    });
    sent.on('error', () => undefined);
    sent.write(bundle.subarray(0, -4));
    await expect.poll(() => (leftIn(here) as { captures: string[] }).captures).toHaveLength(1);
    expect(await post(b, bundle)).toMatchObject({ status: 409, error: { code: 'IMPORT_BUSY' } });
    expect(b.manager.list({ limit: 9 })).toMatchObject({ runs: [], total: 0 });
    sent.destroy();
    await expect.poll(() => leftIn(here)).toEqual(NOTHING);
    expect(await post(b, bundle)).toMatchObject({ status: 201 });
  });
});

describe('an upload that stalls', () => {
  it('is given up, with the reason, and makes room for the next', async () => {
    const [home, there] = [newHome(), newHome()];
    const { id } = writeRun(there);
    const bundle = await bundleOf((await testAgent({ home: there })).agent, id);
    const { agent } = await testAgent({ home, uploadIdleMs: 100 });
    const answer = new Promise<string>((resolve, reject) => {
      const headers = { ...bearer(agent), 'content-length': bundle.length };
      const sent = request(`${agent.url}${IMPORT}`, { method: 'POST', headers }, (response) => {
        resolve(text(response));
      });
      sent.on('error', reject);
      sent.write(bundle.subarray(0, 300));
    });
    expect(await answer).toMatch(/IMPORT_STALLED.*nothing came for 0.1 s/);
    expect(leftIn(home)).toEqual(NOTHING);
    expect(await post(agent, bundle)).toMatchObject({ status: 201 });
  });
});

describe('verbslab runs import', () => {
  it('imports a file, and prints the run or its record', async () => {
    const { here, there, original } = await twoHosts();
    const file = join(there, 'run.vlrun');
    const out = await verbslab(there, ['runs', 'export', '2', '--format', 'bundle', '--out', file]);
    expect([out.code, out.err]).toEqual([0, expect.stringContaining(`Run bundle of run 2 is in ${file}`)]);
    const first = await verbslab(here, ['runs', 'import', file]);
    expect(first).toMatchObject({ code: 0, out: `Imported run 2 of ${hostname()} as run 1.\n` });
    const again = await verbslab(here, ['runs', 'import', file]);
    expect(again).toMatchObject({
      code: 1,
      err: expect.stringContaining('already here, as run 1') as string,
    });
    const json = await verbslab(here, ['runs', 'import', file, '--again', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ number: 2, imported: { runId: original.id } });
  });

  it('says what is wrong with a file', async () => {
    const { here } = await twoHosts();
    const file = join(here, 'x.vlrun');
    expect((await verbslab(here, ['runs', 'import', file])).err).toContain('cannot be read: ENOENT');
    writeFileSync(file, readFileSync(import.meta.filename));
    const { code, err } = await verbslab(here, ['runs', 'import', file]);
    expect(code).toBe(2);
    expect(err).toContain('This file is not a run bundle');
    expect(existsSync(file)).toBe(true);
  });
});

describe('a run in progress', () => {
  it('is not exported as a bundle: it would never end where it is imported', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const id = await recorder.start('endless');
    const answer = await ask(agent, `/api/runs/${id}/export/bundle`, bearer(agent));
    expect([answer.status, answer.body]).toEqual([409, expect.stringContaining('RUN_STATE')]);
  });
});
