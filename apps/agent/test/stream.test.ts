import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  COMPLETION_FIELDS,
  decodeCompletions,
  decodeHeader,
  encodeCompletions,
  encodeHistogram,
  encodePackets,
  encodeSeries,
  PROTOCOL_VERSION,
  SERIES_FIELDS,
  type AgentMessage,
  type CompletionColumns,
  type RunEventOf,
  type SeriesRecord,
} from '@verbslab/protocol';
import { readCapture } from '@verbslab/roce';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Agent } from '../src/agent.js';
import type { Puppet } from './helpers/endpoint.js';
import { Recorder, testAgent } from './helpers/agent.js';

const SOURCE = 1;

/** `count` records whose wrId goes up from `first`. */
function completions(first: number, count: number, t: number): Uint8Array {
  const columns = Object.fromEntries(
    COMPLETION_FIELDS.map((field) => [field, new Uint32Array(count)]),
  ) as CompletionColumns;
  for (let i = 0; i < count; i++) columns.wrId[i] = first + i;
  return encodeCompletions({ source: SOURCE, t }, columns);
}

function series(bytes: number, t: number): Uint8Array {
  const record = Object.fromEntries(SERIES_FIELDS.map((field) => [field, 0])) as SeriesRecord;
  return encodeSeries({ source: SOURCE, t }, [{ ...record, t, bytes }]);
}

/** Starts the lab whose endpoints do nothing. Returns the first of them. */
async function startWaiting(
  recorder: Recorder,
  opened: Puppet[],
): Promise<{ runId: string; puppet: Puppet }> {
  const runId = await recorder.start('waiting');
  await recorder.until(() => recorder.events.some(({ kind }) => kind === 'note'));
  return { runId, puppet: opened.at(-2)! };
}

const framesOf = (recorder: Recorder, kind: string): Uint8Array[] =>
  recorder.frames.filter((frame) => decodeHeader(frame).kind === kind);
const recordsOf = (recorder: Recorder): number =>
  framesOf(recorder, 'completions').reduce((sum, frame) => sum + decodeHeader(frame).count, 0);

describe('binary frames', () => {
  it('share the numbering of the stream and come back as they were', async () => {
    const { agent, opened } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const { runId, puppet } = await startWaiting(recorder, opened);
    const { number } = (await recorder.client.request('run.get', { runId })).run;
    puppet.options.onFrame(completions(0, 100, 5));
    puppet.options.onEvents([{ kind: 'note', text: 'between', t: 6 }]);
    puppet.options.onFrame(series(1000, 7));
    puppet.options.onFrame(encodeHistogram({ source: SOURCE, t: 8 }, Uint8Array.of(1, 2, 3)));
    await recorder.until(() => recorder.frames.length === 3);
    await recorder.client.request('run.cancel', { runId });
    await recorder.untilMessage('run.complete');
    const seqs = [
      ...recorder.events.map(({ seq }) => seq),
      ...recorder.frames.map((f) => decodeHeader(f).seq),
    ];
    expect(seqs.sort((a, b) => a - b)).toEqual(seqs.map((_, index) => index + 1));
    expect(recorder.frames.every((frame) => decodeHeader(frame).run === number)).toBe(true);
    expect(recorder.events.find((e) => e.kind === 'note' && e.text === 'between')).toMatchObject({
      endpoint: 'client',
      t: 6,
    });
    expect([...decodeCompletions(recorder.frames[0]!).wrId]).toEqual(
      Array.from({ length: 100 }, (_, i) => i),
    );

    const replay = await Recorder.connect(agent);
    await replay.client.request('run.subscribe', { runId, fromSeq: 1 });
    await replay.untilMessage('run.complete');
    expect(replay.events).toEqual(recorder.events);
    expect(replay.frames).toEqual(recorder.frames);
    const whole = await fetch(`${agent.url}/api/runs/${runId}.json`, {
      headers: { authorization: `Bearer ${agent.token}` },
    });
    const { events } = (await whole.json()) as {
      events: { seq: number; kind: string; columns?: { wrId: number[] } }[];
    };
    expect(events.map(({ seq }) => seq)).toEqual(seqs);
    expect(events.find(({ kind }) => kind === 'completions')?.columns?.wrId).toHaveLength(100);
    expect(events.find(({ kind }) => kind === 'histogram')).toMatchObject({ source: SOURCE, hdrV2: 'AQID' });
    // The replay starts in the middle: earlier items stay out.
    const from = decodeHeader(recorder.frames[1]!).seq;
    const tail = await Recorder.connect(agent);
    await tail.client.request('run.subscribe', { runId, fromSeq: from });
    await tail.untilMessage('run.complete');
    expect(tail.frames).toEqual(recorder.frames.slice(1));
    expect(tail.events).toEqual(recorder.events.filter(({ seq }) => seq > from));
  });

  const refused: [string, () => Uint8Array, RegExp][] = [
    ['cannot be read', () => new Uint8Array(40), /a frame that cannot be read \(wrong magic number\)/],
    [
      'announce another endpoint’s source',
      () => encodeHistogram({ source: 77, t: 0 }, Uint8Array.of(1)),
      /a frame of source 77, which is not its own/,
    ],
  ];
  it.each(refused)('that %s end the run, with the reason, and are not kept', async (_, frame, reason) => {
    const { agent, opened } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const { runId, puppet } = await startWaiting(recorder, opened);
    puppet.options.onFrame(series(1, 2));
    puppet.options.onFrame(frame());
    await recorder.untilMessage('run.complete');
    const { run } = await recorder.client.request('run.get', { runId });
    expect(run).toMatchObject({ state: 'failed', error: { code: 'ENDPOINT_BROKEN' } });
    expect(run.error?.message).toMatch(reason);
    expect(recorder.frames).toHaveLength(1);
  });

  it('above the limit of a run are shown live, counted, and not kept', async () => {
    const { agent, opened } = await testAgent({ runLimit: 400_000 });
    const recorder = await Recorder.connect(agent);
    const { runId, puppet } = await startWaiting(recorder, opened);
    for (let i = 0; i < 10; i++) puppet.options.onFrame(completions(i * 1000, 1000, i));
    puppet.options.onFrame(series(5, 20));
    await recorder.until(() => framesOf(recorder, 'series').length === 1);
    expect(recordsOf(recorder)).toBe(10_000);
    const { run } = await recorder.client.request('run.cancel', { runId });
    await recorder.untilMessage('run.complete');
    expect(run.droppedRecords).toBe(7000);
    const told = recorder.events.filter((e): e is RunEventOf<'dropped'> => e.kind === 'dropped');
    expect(told.map(({ records }) => records)).toEqual([1000, 6000]);
    const replay = await Recorder.connect(agent);
    await replay.client.request('run.subscribe', { runId, fromSeq: 1 });
    await replay.untilMessage('run.complete');
    expect(recordsOf(replay)).toBe(3000);
    expect(framesOf(replay, 'series')).toHaveLength(1);
    expect(replay.events).toEqual(recorder.events);
  });

  it('and events of an endpoint fill a run up to one limit, whatever they are, and the run says so', async () => {
    const limit = 1024 * 1024;
    const { agent, opened } = await testAgent({ runLimit: limit });
    const recorder = await Recorder.connect(agent);
    const { runId, puppet } = await startWaiting(recorder, opened);
    const blob = new Uint8Array(60_000);
    const text = 'x'.repeat(10_000);
    const bytes = new Uint8Array(1000);
    for (let i = 0; i < 100; i++) {
      puppet.options.onFrame(encodeHistogram({ source: SOURCE, t: i }, blob));
      puppet.options.onFrame(series(1, i));
      puppet.options.onEvents([{ kind: 'note', text, t: i }]);
      puppet.options.onLog(text);
      puppet.options.onFrame(
        encodePackets({ source: SOURCE, t: i }, [
          { t: i, tapSeq: i, direction: 'sent', flags: 31, origLen: 1000, bytes },
        ]),
      );
    }
    const { run } = await recorder.client.request('run.cancel', { runId });
    await recorder.untilMessage('run.complete');
    const file = statSync(run.result!.captureFile!).size;
    expect(run.recordedBytes + file).toBeLessThan(limit + 16_384);
    expect(run.droppedRecords).toBeGreaterThan(100);
    const database = new Database(join(agent.home.path, 'runs.db'), { readonly: true });
    const { stored } = database.prepare('select sum(length(bytes)) as stored from chunks').get() as {
      stored: number;
    };
    database.close();
    expect(stored).toBeLessThan(limit + 65_536);
    const notes = recorder.events.filter((e): e is RunEventOf<'note'> => e.kind === 'note');
    expect(notes.filter((e) => e.text.includes('reached its storage limit of 1 MiB'))).toHaveLength(1);
    const dropped = recorder.events.filter((e): e is RunEventOf<'dropped'> => e.kind === 'dropped');
    const sum = (what: string): number =>
      dropped.filter((e) => e.what === what).reduce((n, e) => n + e.records, 0);
    const histograms = framesOf(recorder, 'histogram');
    // Frames above the limit come live, without a place in the stream.
    expect(histograms).toHaveLength(100);
    expect(sum('histogram')).toBe(histograms.filter((frame) => decodeHeader(frame).seq === 0).length);
    expect(sum('events')).toBe(200 - recorder.events.filter((e) => 'text' in e && e.text === text).length);
    expect(run.state).toBe('cancelled');
  });

  it('of packets become a capture file that others read', async () => {
    const { agent, opened } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const { runId, puppet } = await startWaiting(recorder, opened);
    const capture = readCapture(
      readFileSync(new URL('../../../testdata/rxe-write-8pc-loss.pcap', import.meta.url)),
    );
    const packets = capture.records.slice(0, 20).map((record, index) => ({
      t: 1000 + index,
      tapSeq: index,
      direction: index % 2 === 0 ? ('sent' as const) : ('received' as const),
      flags: index === 3 ? 2 : 0,
      origLen: record.data.length - 14,
      bytes: record.data.subarray(14),
    }));
    puppet.options.onFrame(encodePackets({ source: SOURCE, t: 0, dropped: 4 }, packets));
    await recorder.until(() => recorder.frames.length === 1);
    const { run } = await recorder.client.request('run.cancel', { runId });
    expect(run.capture).toEqual({
      packets: 20,
      bytes: packets.reduce((sum, p) => sum + p.bytes.length, 0),
      dropped: 4,
    });
    const file = run.result!.captureFile!;
    const answer = await fetch(`${agent.url}/api/runs/${runId}/capture.pcapng`, {
      headers: { authorization: `Bearer ${agent.token}` },
    });
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="verbslab-${runId}.pcapng"`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.equals(readFileSync(file))).toBe(true);
    const read = readCapture(bytes);
    expect(read.error).toBeUndefined();
    expect(read.interfaces.map(({ name }) => name)).toEqual(['client', 'server']);
    expect(read.records.map(({ data }) => Buffer.from(data))).toEqual(
      packets.map(({ bytes: b }) => Buffer.from(b)),
    );
    expect(read.records.map(({ direction }) => direction)).toEqual(
      packets.map(({ direction }) => (direction === 'sent' ? 'out' : 'in')),
    );
    expect(read.records[3]!.comments).toEqual(['dropped by the fault injector: it never reached the wire']);
    expect(read.records[1]!.timeNs - read.records[0]!.timeNs).toBe(1n);
    await recorder.client.request('run.delete', { runId });
    expect(existsSync(file)).toBe(false);
  });
});

/** A client that never acknowledges: a page that hangs. */
async function openDeaf(
  agent: Agent,
  runId: string,
): Promise<{ socket: WebSocket; messages: Buffer[]; texts: string[]; all: (Buffer | string)[] }> {
  const socket = new WebSocket(`ws://127.0.0.1:${agent.port}/ws`, {
    headers: { authorization: `Bearer ${agent.token}` },
  });
  onTestFinished(() => socket.terminate());
  const messages: Buffer[] = [];
  const texts: string[] = [];
  const all: (Buffer | string)[] = [];
  socket.on('message', (data: Buffer, binary) => {
    if (binary) messages.push(data);
    else texts.push(data.toString());
    all.push(binary ? data : data.toString());
  });
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ type: 'hello', id: 1, protocol: PROTOCOL_VERSION, client: 'web' }));
  socket.send(JSON.stringify({ type: 'run.subscribe', id: 2, runId, fromSeq: 1 }));
  await new Promise<void>((resolve) => {
    socket.on('message', () => texts.some((text) => text.includes('"run.live"')) && resolve());
  });
  return { socket, messages, texts, all };
}

describe('back-pressure', () => {
  it('never holds up a run, and loses detail only, counted', async () => {
    const { agent, opened } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const { runId, puppet } = await startWaiting(recorder, opened);
    const deaf = await openDeaf(agent, runId);
    // 80 MiB of detail and 80 series records, past a window of 8 MiB and the 32 MiB that a client may lag.
    const rounds = 640;
    for (let i = 0; i < rounds; i++) {
      puppet.options.onFrame(completions(i * 4096, 4096, i));
      if (i % 8 === 0) puppet.options.onFrame(series(i, i));
      await new Promise((resolve) => setImmediate(resolve));
    }
    // The client that acknowledges got everything.
    await recorder.until(() => framesOf(recorder, 'series').length === rounds / 8);
    await recorder.until(() => recordsOf(recorder) === rounds * 4096);
    expect(recorder.messages.some(({ type }) => type === 'run.dropped')).toBe(false);
    const stuckAt = deaf.messages.reduce((sum, frame) => sum + frame.length, 0);
    expect(stuckAt).toBeLessThan(9 * 1024 * 1024);
    // The deaf client wakes up. Series, which may not be lost, still come; dropped detail is reported.
    deaf.socket.send(JSON.stringify({ type: 'run.ack', bytes: stuckAt }));
    await new Promise<void>((resolve) => {
      const look = (): boolean =>
        deaf.messages.filter((frame) => decodeHeader(frame).kind === 'series').length === rounds / 8;
      deaf.socket.on('message', () => {
        const total = deaf.messages.reduce((sum, frame) => sum + frame.length, 0);
        deaf.socket.send(JSON.stringify({ type: 'run.ack', bytes: total }));
        if (look()) resolve();
      });
    });
    await recorder.client.request('run.cancel', { runId });
    await new Promise<void>((resolve) => {
      const look = (): boolean => deaf.texts.some((text) => text.includes('"run.complete"'));
      if (look()) resolve();
      else deaf.socket.on('message', () => look() && resolve());
    });
    const received = deaf.messages
      .map(decodeHeader)
      .filter(({ kind }) => kind === 'completions')
      .reduce((sum, { count }) => sum + count, 0);
    const dropped = deaf.texts
      .map((text) => JSON.parse(text) as { type: string; records?: number })
      .filter(({ type }) => type === 'run.dropped')
      .reduce((sum, { records }) => sum + records!, 0);
    expect(dropped).toBeGreaterThan(0);
    expect(received + dropped).toBe(rounds * 4096);
  });

  it('reports what was left out before an event with the sum', async () => {
    const mib = 1024 * 1024;
    const { agent, opened } = await testAgent({ runLimit: 48 * mib });
    const recorder = await Recorder.connect(agent);
    const { runId, puppet } = await startWaiting(recorder, opened);
    const deaf = await openDeaf(agent, runId);
    // 56 MiB: the limit lies past the window of 8 MiB and more than 32 MiB before the end.
    const rounds = 448;
    for (let i = 0; i < rounds; i++) {
      puppet.options.onFrame(completions(i * 4096, 4096, i));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await recorder.until(() => recordsOf(recorder) === rounds * 4096);
    await recorder.client.request('run.cancel', { runId });
    const complete = new Promise<void>((resolve) => {
      deaf.socket.on('message', () => {
        const bytes = deaf.messages.reduce((sum, frame) => sum + frame.length, 0);
        deaf.socket.send(JSON.stringify({ type: 'run.ack', bytes }));
        if (deaf.texts.some((text) => text.includes('"run.complete"'))) resolve();
      });
    });
    const bytes = deaf.messages.reduce((sum, frame) => sum + frame.length, 0);
    deaf.socket.send(JSON.stringify({ type: 'run.ack', bytes }));
    await complete;
    // Before each summary event, the client has received the unrecorded records or their number.
    let heard = 0;
    let summed = 0;
    for (const one of deaf.all) {
      if (typeof one !== 'string') {
        const { kind, seq, count } = decodeHeader(one);
        if (kind === 'completions' && seq === 0) heard += count;
        continue;
      }
      const message = JSON.parse(one) as AgentMessage;
      if (message.type === 'run.dropped' && !message.recorded) heard += message.records;
      if (message.type !== 'run.events') continue;
      for (const event of message.events) if (event.kind === 'dropped') summed += event.records;
      expect(summed).toBeLessThanOrEqual(heard);
    }
    expect(summed).toBe(heard);
    expect(summed).toBeGreaterThan(0);
  });

  it('a client gains nothing by acknowledging more than it was sent', async () => {
    const { agent, opened } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const { runId, puppet } = await startWaiting(recorder, opened);
    const deaf = await openDeaf(agent, runId);
    deaf.socket.send(JSON.stringify({ type: 'run.ack', bytes: Number.MAX_SAFE_INTEGER }));
    for (let i = 0; i < 160; i++) {
      puppet.options.onFrame(completions(i * 4096, 4096, i));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await recorder.until(() => recordsOf(recorder) === 160 * 4096);
    expect(deaf.messages.reduce((sum, frame) => sum + frame.length, 0)).toBeLessThan(9 * 1024 * 1024);
    await recorder.client.request('run.cancel', { runId });
  });

  it('a late client gets the whole of a long run, from the database and then live', async () => {
    const { agent, opened } = await testAgent({ runLimit: 2 ** 32 });
    const recorder = await Recorder.connect(agent);
    const { runId, puppet } = await startWaiting(recorder, opened);
    const push = async (from: number, to: number): Promise<void> => {
      for (let i = from; i < to; i++) {
        puppet.options.onFrame(completions(i * 4096, 4096, i));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    // 600 frames are more than the tail in memory holds.
    await push(0, 600);
    const late = await Recorder.connect(agent);
    await late.client.request('run.subscribe', { runId, fromSeq: 1 });
    await push(600, 660);
    await late.until(() => recordsOf(late) === 660 * 4096);
    const ids = framesOf(late, 'completions').map((frame) => decodeCompletions(frame).wrId[0]);
    expect(ids).toEqual(Array.from({ length: 660 }, (_, i) => i * 4096));
    expect(late.messages.some(({ type }) => type === 'run.dropped')).toBe(false);
    await recorder.client.request('run.cancel', { runId });
  });
});
