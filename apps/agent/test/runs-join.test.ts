/** Runs of programs that are joined after they have ended, and separated again. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  decodeHeader,
  decodePackets,
  decodeSeries,
  zRunRecord,
  type ProgramWork,
  type RunRecord,
} from '@verbslab/protocol';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Agent } from '../src/agent.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { bundleOf, exported } from './helpers/bundles.js';
import { verbslab } from './helpers/cli.js';
import { MS, QP, type Side, type Told, SERVER, CLIENT, record, workOf } from './helpers/told-programs.js';

async function replayed(agent: Agent, runId: string) {
  const recorder = await Recorder.connect(agent);
  await recorder.client.request('run.subscribe', { runId, fromSeq: 1 });
  await recorder.untilMessage('run.complete');
  const { run } = await recorder.client.request('run.get', { runId });
  await recorder.client.close();
  return { run, events: recorder.events, frames: recorder.frames.map((frame) => Buffer.from(frame)) };
}

const captureOf = async (agent: Agent, { id, capture }: RunRecord): Promise<Buffer | null> =>
  capture ? exported(agent, id, 'pcapng') : null;

const told = fc.record({
  side: fc.constantFrom<Side>('server', 'client'),
  times: fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 6 }),
  code: fc.constantFrom(0, 0, 3),
});

describe('runs that are joined', () => {
  it('are one run on the earliest clock, with the packets and the output of both', async () => {
    const home = newHome();
    const { agent } = await testAgent({ home });
    const { client } = await Recorder.connect(agent);
    const [server, other] = await record(agent, [SERVER, CLIENT]);
    const shift = Number(BigInt(other!.clock!.ns) - BigInt(server!.clock!.ns));
    expect(shift).toBeGreaterThan(0);
    const { run } = await client.request('run.join', { runIds: [other!.id, server!.id] });
    expect(zRunRecord.parse(run)).toMatchObject({
      number: 3,
      title: 'pingpong server + pingpong client',
      state: 'done',
      createdAt: server!.createdAt,
      clock: server!.clock,
      parts: [server, other].map((part) => ({ id: part!.id, number: part!.number })),
      capture: { packets: 5, dropped: 0 },
    });
    const joined = await replayed(agent, run.id);
    const items = [
      ...joined.events.map(({ seq }) => seq),
      ...joined.frames.map((frame) => decodeHeader(frame).seq),
    ];
    expect(items.sort((a, b) => a - b)).toEqual(Array.from({ length: run.lastSeq }, (_, index) => index + 1));

    const posts = (of: Side) =>
      joined.events.flatMap((event) =>
        event.kind === 'wr' && event.endpoint === `pid ${QP[of]}` ? [event.posted] : [],
      );
    expect(posts('server')).toEqual(SERVER.times.map((ms) => ms * MS));
    expect(posts('client')).toEqual(CLIENT.times.map((ms) => ms * MS + shift));

    const sources = joined.events.flatMap((event) => (event.kind === 'source' ? [event] : []));
    expect(new Set(sources.map(({ source }) => source)).size).toBe(4);
    const times = (of: Side, kind: 'packets' | 'series'): number[] =>
      joined.frames.flatMap((frame) => {
        const header = decodeHeader(frame);
        const from = sources.find(({ source }) => source === header.source)!;
        if (header.kind !== kind || from.label !== of) return [];
        return (kind === 'packets' ? decodePackets(frame) : decodeSeries(frame)).map(({ t }) => t);
      });
    expect(times('client', 'packets')).toEqual(CLIENT.times.map((ms) => ms * MS + 1 + shift));
    expect(times('client', 'series')).toEqual(CLIENT.times.map((ms) => ms * MS + MS + shift));

    const { program } = run.result!;
    expect(program!.commands).toMatchObject([
      { command: ['pingpong', 'server'], begun: 0, exitCode: 0 },
      { command: ['pingpong', 'client'], begun: shift, exitCode: 0 },
    ]);
    expect(program!.work).toMatchObject({
      processes: 2,
      bytes: 5 * 4096,
      moved: { sent: 5 * 4096, received: 0 },
      messages: 10,
      latencyUs: { n: 5 },
      sampled: false,
      start: 0,
      seconds: Math.max(9 * MS, shift + 3 * MS) / 1e9,
    });

    const { runs, total } = await client.request('run.list', {});
    expect([runs.map(({ number }) => number), total]).toEqual([[3], 1]);
    const shown = await verbslab(home, ['runs', 'show', '3']);
    expect(shown.out).toContain('Command 2: pingpong client (exit code 0)');
    expect(shown.out).toMatch(/^1 stdout server$/m);
    expect(shown.out).toMatch(/^2 stdout client$/m);
    expect((await verbslab(home, ['runs', 'show', '2'])).out).toContain(
      'Part of run 3, joined with run 1: pingpong server',
    );
  });

  it('come back exactly when they are separated', async () => {
    const { agent } = await testAgent();
    const { client } = await Recorder.connect(agent);
    await fc.assert(
      fc.asyncProperty(fc.array(told, { minLength: 2, maxLength: 4 }), async (sides) => {
        const runs = await record(agent, sides);
        const before = await Promise.all(runs.map(({ id }) => replayed(agent, id)));
        const captures = await Promise.all(runs.map((run) => captureOf(agent, run)));
        const [a, b, ...others] = runs.map(({ id }) => id);
        // Joined runs can be joined, too.
        const first = (await client.request('run.join', { runIds: [a!, b!] })).run;
        const whole =
          others.length === 0
            ? first
            : (await client.request('run.join', { runIds: [...others, first.id] })).run;
        expect(whole.result!.program!.commands).toHaveLength(sides.length);
        expect(whole.state).toBe(sides.every(({ code }) => code === 0) ? 'done' : 'failed');
        for (const id of new Set([whole.id, first.id])) await client.request('run.separate', { runId: id });
        expect(await Promise.all(runs.map(({ id }) => replayed(agent, id)))).toEqual(before);
        const after = await Promise.all(runs.map((run) => captureOf(agent, run)));
        expect(after).toEqual(captures);
        await expect(client.request('run.get', { runId: whole.id })).rejects.toMatchObject({
          code: 'UNKNOWN_RUN',
        });
        for (const { id } of runs) await client.request('run.delete', { runId: id });
      }),
      { numRuns: 12 },
    );
  });

  it('are there after a restart, and go with the joined run when it is deleted', async () => {
    const home = newHome();
    const { agent } = await testAgent({ home });
    const [server, other] = await record(agent, [SERVER, CLIENT]);
    const { client } = await Recorder.connect(agent);
    const { run } = await client.request('run.join', { runIds: [server!.id, other!.id] });
    await expect(client.request('run.delete', { runId: server!.id })).rejects.toMatchObject({
      code: 'JOIN_PART',
    });
    await agent.close();
    const again = await testAgent({ home });
    const reader = await Recorder.connect(again.agent);
    expect((await reader.client.request('run.list', {})).runs).toEqual([run]);
    expect((await reader.client.request('run.get', { runId: server!.id })).run.partOf).toEqual({
      id: run.id,
      number: run.number,
    });
    await reader.client.request('run.delete', { runId: run.id });
    for (const { id } of [server!, other!, run])
      await expect(reader.client.request('run.get', { runId: id })).rejects.toMatchObject({
        code: 'UNKNOWN_RUN',
      });
    expect(readdirSync(join(home, 'captures'))).toEqual([]);
  });

  it('are exported as one run, which another host imports and cannot separate', async () => {
    const { agent } = await testAgent();
    const [server, other] = await record(agent, [SERVER, CLIENT]);
    const { client } = await Recorder.connect(agent);
    const { run } = await client.request('run.join', { runIds: [server!.id, other!.id] });
    for (const format of ['jsonl', 'csv', 'trace', 'pcapng'])
      expect((await exported(agent, run.id, format)).length).toBeGreaterThan(100);
    const there = (await testAgent()).agent;
    const answer = await fetch(`${there.url}/api/runs/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${there.token}`, origin: there.url },
      body: new Uint8Array(await bundleOf(agent, run.id)),
    });
    expect(answer.status).toBe(201);
    const { run: copy } = (await answer.json()) as { run: RunRecord };
    expect(copy.result!.program).toEqual(run.result!.program);
    expect(copy).not.toHaveProperty('parts');
    const reader = await Recorder.connect(there);
    await expect(reader.client.request('run.separate', { runId: copy.id })).rejects.toMatchObject({
      code: 'NOT_JOINED',
      message: expect.stringContaining('its parts are on the host') as string,
    });
  });

  it('keep their notes, and the first gets those of the joined run', async () => {
    const { agent } = await testAgent();
    const [server, other] = await record(agent, [SERVER, CLIENT]);
    const { client } = await Recorder.connect(agent);
    const write = (runId: string, noteId: string, packet: number) =>
      client.request('note.write', {
        runId,
        noteId,
        version: 0,
        text: noteId,
        tags: [],
        moment: { t: 5, selection: { packet } },
      });
    await write(server!.id, 'ownnote000', 1);
    const { run } = await client.request('run.join', { runIds: [server!.id, other!.id] });
    await write(run.id, 'joined0000', 2);
    await client.request('run.tag', { runId: run.id, add: ['pair'] });
    const { runs } = await client.request('run.separate', { runId: run.id });
    expect(runs[0]).toMatchObject({ id: server!.id, noteCount: 2, tags: ['pair'] });
    const { notes } = await client.request('notebook.get', { runId: server!.id });
    expect(notes.map(({ id, moment }) => [id, moment])).toEqual([
      ['ownnote000', { t: 5, selection: { packet: 1 } }],
      ['joined0000', { t: 5 }],
    ]);
  });
});

describe('runs that cannot be joined', () => {
  it('are left as they are, with the reason', async () => {
    const home = newHome();
    const { agent } = await testAgent({ home });
    const recorder = await Recorder.connect(agent);
    const { client } = recorder;
    const [early, earlyClient] = await record(agent, [SERVER, CLIENT]);
    await vi.waitUntil(() => Date.now() > Math.max(early!.endedAt!, earlyClient!.endedAt!));
    const [server, other] = await record(agent, [SERVER, CLIENT]);
    const lab = await recorder.start('quick');
    await recorder.untilMessage('run.complete');
    const live = (await client.request('program.start', { command: ['x'], clock: '1' })).run;
    const refused = (runIds: string[], code: string) =>
      expect(client.request('run.join', { runIds })).rejects.toMatchObject({ code });
    await refused([server!.id, early!.id], 'JOIN_APART');
    await refused([early!.id, server!.id, other!.id], 'JOIN_APART');
    // Two pairs, each of which ran together.
    await refused([early!.id, server!.id, other!.id, earlyClient!.id], 'JOIN_APART');
    await refused([server!.id, server!.id], 'JOIN_SAME');
    await refused([server!.id, lab], 'JOIN_NO_PROGRAM');
    await refused([server!.id, live.id], 'JOIN_RUNNING');
    await refused([server!.id, 'zzzzzzzzzz'], 'UNKNOWN_RUN');
    await expect(client.request('run.separate', { runId: server!.id })).rejects.toMatchObject({
      code: 'NOT_JOINED',
    });
    const { run } = await client.request('run.join', { runIds: [server!.id, other!.id] });
    await refused([early!.id, other!.id], 'JOIN_PART');
    expect(existsSync(run.result!.captureFile!)).toBe(true);

    const told = await verbslab(home, ['runs', 'join', '1', '5']);
    expect(told).toMatchObject({ code: 2, out: '' });
    expect(told.err).toContain('is a run of a lab');
    const back = await verbslab(home, ['runs', 'separate', String(run.number), '--json']);
    const { runs } = JSON.parse(back.out) as { runs: RunRecord[] };
    expect(runs.map(({ number }) => number)).toEqual([server!.number, other!.number]);
    const again = await verbslab(home, ['runs', 'join', '3', '4']);
    expect(again.out).toContain('Joined from runs 3 and 4.');
  });
});

/** Work with the connection of its queue pair, as `exec` reports it. */
const connectedWork = (told: Told): ProgramWork => {
  const [qpn, peerQpn] = told.side === 'server' ? [QP.server, QP.client] : [QP.client, QP.server];
  return { ...workOf(told), connections: [{ qpn, peerQpn }] };
};

describe('server and client of one connection', () => {
  it('are one run once both have ended, without a question, and stay two when a person separates them', async () => {
    const { agent } = await testAgent({ joinEnds: true });
    const { client } = await Recorder.connect(agent);
    const [server] = await record(agent, [SERVER, { ...CLIENT, code: 1 }], connectedWork);
    await vi.waitFor(async () => {
      const { runs } = await client.request('run.list', {});
      expect(runs.map(({ number, parts }) => [number, parts?.map((part) => part.number)])).toEqual([
        [3, [1, 2]],
      ]);
    });
    const { run } = await client.request('run.get', { runId: server!.id });
    expect(run.partOf).toMatchObject({ number: 3 });
    await client.request('run.separate', { runId: run.partOf!.id });
    await record(agent, [SERVER]);
    const { runs } = await client.request('run.list', {});
    expect(runs.map(({ number }) => number)).toEqual([4, 2, 1]);
  });

  it('stay apart if one of them was also connected to a third program', async () => {
    const { agent } = await testAgent({ joinEnds: true });
    const { client } = await Recorder.connect(agent);
    await record(agent, [SERVER, CLIENT], (told) => ({
      ...connectedWork(told),
      connections: [...connectedWork(told).connections!, { qpn: 90, peerQpn: 91 }],
    }));
    // The joins of these two come after any of the first two.
    await record(agent, [SERVER, CLIENT], connectedWork);
    await vi.waitFor(async () => {
      const { runs } = await client.request('run.list', {});
      expect(runs.map(({ number }) => number)).toEqual([5, 2, 1]);
    });
  });
});
