/** A history with unreadable parts: the agent goes on, shows the rest, and says what is missing. */
import Database from 'better-sqlite3';
import { get } from 'node:https';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { encodePackets, FRAME_HEADER_BYTES, stampFrame } from '@verbslab/protocol';
import { expect, it } from 'vitest';
import type { Agent } from '../src/agent.js';
import { openHome } from '../src/config/home.js';
import { RunStore } from '../src/store/store.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { verbslab } from './helpers/cli.js';

/** Makes every later read of a stream fail, as on a bad disk: renames the table of the chunks. */
function breakReads(home: string): void {
  const raw = new Database(openHome(home).database);
  raw.exec('alter table chunks rename to gone');
  raw.close();
}

async function ended(home: string): Promise<{ agent: Agent; id: string }> {
  const first = await testAgent({ home });
  const recorder = await Recorder.connect(first.agent);
  const id = await recorder.start('quick');
  await recorder.untilMessage('run.complete');
  await first.agent.close();
  // A new one: nothing of the run is in its memory.
  const { agent } = await testAgent({ home });
  return { agent, id };
}

it('a run whose stream cannot be read is shown as such, and ends neither the agent nor other runs', async () => {
  const home = newHome();
  const { agent, id } = await ended(home);
  const recorder = await Recorder.connect(agent);
  breakReads(home);
  await recorder.client.request('run.subscribe', { runId: id, fromSeq: 1 });
  await recorder.untilMessage('run.complete', (message) => message.runId === id);
  expect(recorder.events).toHaveLength(1);
  expect(recorder.events[0]).toMatchObject({
    kind: 'log',
    level: 'error',
    text: expect.stringMatching(/^The rest of the record, from item 1 on, cannot be read: /) as string,
  });
  expect(recorder.closed).toBe(false);
  expect((await recorder.client.request('run.list', {})).total).toBe(1);
});

it('an export that cannot begin is answered with the error', async () => {
  const home = newHome();
  const { agent, id } = await ended(home);
  breakReads(home);
  const headers = { authorization: `Bearer ${agent.token}` };
  const answer = await fetch(`${agent.url}/api/runs/${id}/export/jsonl`, { headers });
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ error: { code: 'DATA_DIRECTORY' } });
  const file = `${home}/out`;
  const { code, err } = await verbslab(home, ['runs', 'export', id, '--format', 'jsonl', '--out', file]);
  expect(code).not.toBe(0);
  expect(err).toContain('no such table');
});

const TEXT = 'x'.repeat(1024 * 1024);

/** A run of 64 MiB of notes: more than the sockets between the two take. */
function large(home: string): string {
  const store = RunStore.open(openHome(home));
  const run = store.create({ lab: 'quick', title: 'Large', mode: 'all', device: null, parameters: {} });
  for (let seq = 1; seq <= 64; seq++)
    store.flush(run.number, {
      firstSeq: seq,
      items: [
        { frame: false, bytes: Buffer.from(JSON.stringify({ seq, t: seq, kind: 'note', text: TEXT })) },
      ],
      lastT: seq,
      recordedBytes: 0,
      droppedRecords: 0,
      capture: null,
    });
  store.save({ ...store.get(run.id)!, state: 'done' });
  store.close();
  return run.id;
}

it('an export that cannot go on is cut, so that no client takes it for whole', async () => {
  const home = newHome();
  const id = large(home);
  const { agent } = await testAgent({ home });
  const request = get(`https://127.0.0.1:${agent.port}/api/runs/${id}.json`, {
    headers: { authorization: `Bearer ${agent.token}` },
    rejectUnauthorized: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  // The first piece is here, and the last one cannot be under way.
  breakReads(home);
  let bytes = 0;
  response.on('data', (data: Buffer) => (bytes += data.length));
  const [error] = (await once(response, 'error')) as [Error];
  expect(error.message).toBe('aborted');
  expect(bytes).toBeLessThan(64 * TEXT.length);
  const owner = await Recorder.connect(agent);
  expect((await owner.client.request('run.list', {})).total).toBe(1);
});

it('the command says that an export was cut, fails, and leaves no file', async () => {
  const home = newHome();
  const store = RunStore.open(openHome(home));
  const run = store.create({ lab: 'quick', title: 'Cut', mode: 'all', device: null, parameters: {} });
  const sound = JSON.stringify({ seq: 1, t: 1, kind: 'note', text: 'sound' });
  for (const [index, json] of [sound, '{"seq":2,'].entries())
    store.flush(run.number, {
      firstSeq: index + 1,
      items: [{ frame: false, bytes: Buffer.from(json) }],
      lastT: 1,
      recordedBytes: 9,
      droppedRecords: 0,
      capture: null,
    });
  store.save({ ...store.get(run.id)!, state: 'done' });
  store.close();
  await testAgent({ home });
  const file = `${home}/out`;
  const { code, err } = await verbslab(home, ['runs', 'export', '1', '--format', 'trace', '--out', file]);
  expect(code).toBe(1);
  expect(err).toMatch(/export of run 1 broke off.*\n.*log of the agent/);
  expect(existsSync(file) || existsSync(`${file}.part`)).toBe(false);
});

it('a frame that an older version stored unread is replaced by a note, and the exports are whole', async () => {
  const home = newHome();
  const store = RunStore.open(openHome(home));
  const run = store.create({ lab: 'quick', title: 'Old', mode: 'all', device: null, parameters: {} });
  const frame = encodePackets({ source: 1, t: 0 }, [
    { t: 5, tapSeq: 0, direction: 'sent', flags: 0, origLen: 60, bytes: new Uint8Array(60) },
  ]);
  new DataView(frame.buffer).setUint32(FRAME_HEADER_BYTES + 3 * 4, 4_000, true);
  stampFrame(frame, run.number, 1);
  const note = { seq: 2, t: 9, kind: 'note', text: 'after it' };
  store.flush(run.number, {
    firstSeq: 1,
    items: [
      { frame: true, bytes: Buffer.from(frame) },
      { frame: false, bytes: Buffer.from(JSON.stringify(note)) },
    ],
    lastT: 9,
    recordedBytes: frame.length,
    droppedRecords: 0,
    capture: null,
  });
  store.save({ ...store.get(run.id)!, state: 'done' });
  store.close();
  const { agent } = await testAgent({ home });
  const headers = { authorization: `Bearer ${agent.token}` };
  const answer = await fetch(`${agent.url}/api/runs/${run.id}.json`, { headers });
  const { events } = (await answer.json()) as { events: { kind: string; text: string }[] };
  expect(events).toHaveLength(2);
  expect(events[0]).toMatchObject({
    kind: 'log',
    text: expect.stringContaining('a packet reaches beyond the frame') as string,
  });
  expect(events[1]).toEqual(note);
});

it('an event of an interrupted run that cannot be read keeps the agent from nothing', async () => {
  const home = newHome();
  const store = RunStore.open(openHome(home));
  const runs = ['Damaged', 'Sound'].map((title) =>
    store.create({ lab: 'quick', title, mode: 'all', device: null, parameters: {} }),
  );
  for (const { number } of runs)
    store.flush(number, {
      firstSeq: 1,
      items: [
        {
          frame: false,
          bytes: Buffer.from(
            number === runs[0]!.number ? '{"seq":1,' : '{"seq":1,"t":0,"kind":"note","text":"n"}',
          ),
        },
      ],
      lastT: 0,
      recordedBytes: 9,
      droppedRecords: 0,
      capture: null,
    });
  store.close();
  const { agent } = await testAgent({ home });
  const recorder = await Recorder.connect(agent);
  const { runs: listed } = await recorder.client.request('run.list', {});
  expect(listed.map(({ title, state }) => [title, state])).toEqual([
    ['Sound', 'interrupted'],
    ['Damaged', 'interrupted'],
  ]);
  const damaged = runs[0]!.id;
  await recorder.client.request('run.subscribe', { runId: damaged, fromSeq: 2 });
  await recorder.untilMessage('run.complete', ({ runId }) => runId === damaged);
  expect(recorder.events.map((event) => (event.kind === 'note' ? event.text : event.kind))).toEqual([
    expect.stringMatching(/^Figures are missing: /) as string,
    'run.state',
  ]);
});
