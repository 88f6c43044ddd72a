/** A program as a run of the agent’s, reported by a client: states, history, typed errors on what is malformed. */
import {
  COMPLETION_FIELDS,
  encodeCompletions,
  encodePackets,
  encodeHistogram,
  stampFrame,
  zRunRecord,
  type CompletionColumns,
  type ProgramEvent,
} from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { newHome, Recorder, testAgent } from './helpers/agent.js';

const START = { command: ['/usr/bin/ibv_rc_pingpong', '-g', '1', "it's"], clock: '1' };
const source = (what: 'loop' | 'tap', number: number) => ({
  kind: 'source' as const,
  source: number,
  transport: 'rdma' as const,
  role: 'process' as const,
  what,
  label: 'test',
  endpoint: 'pid 1',
});

function completions(run: number, from: number): Uint8Array {
  const columns = {} as CompletionColumns;
  for (const field of COMPLETION_FIELDS) columns[field] = new Uint32Array([1, 2, 3]);
  const frame = encodeCompletions({ source: from, t: 5 }, columns);
  stampFrame(frame, run, 0);
  return frame;
}

async function program(): Promise<{ teller: Recorder; viewer: Recorder; runId: string; number: number }> {
  const { agent } = await testAgent();
  const teller = await Recorder.connect(agent);
  const viewer = await Recorder.connect(agent);
  const { run } = await teller.client.request('program.start', START);
  await viewer.client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
  return { teller, viewer, runId: run.id, number: run.number };
}

describe('a registered program', () => {
  it('runs at once, under its command line, and everybody learns of it', async () => {
    const { viewer, runId } = await program();
    const { run } = await viewer.client.request('run.get', { runId });
    expect(zRunRecord.parse(run)).toMatchObject({
      lab: 'program',
      title: String.raw`ibv_rc_pingpong -g 1 'it'\''s'`,
      state: 'running',
      parameters: { command: START.command },
    });
    await viewer.untilMessage('run.changed', (message) => message.run.id === runId);
  });

  it('is shown live, and is in the history after the agent restarts', async () => {
    const home = newHome();
    const { agent } = await testAgent({ home });
    const teller = await Recorder.connect(agent);
    const viewer = await Recorder.connect(agent);
    const { run } = await teller.client.request('program.start', START);
    await viewer.client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
    teller.client.send({
      type: 'program.events',
      runId: run.id,
      events: [source('loop', 1), source('tap', 2), { kind: 'note', text: 'hello' }],
    });
    teller.client.send(completions(run.number, 1));
    const packet = encodePackets({ source: 2, t: 7, dropped: 3 }, [
      { t: 7, tapSeq: 0, direction: 'sent', flags: 0, origLen: 60, bytes: new Uint8Array(60).fill(0x45) },
    ]);
    stampFrame(packet, run.number, 0);
    teller.client.send(packet);
    await viewer.until(() => viewer.frames.length === 2);
    const ended = await teller.client.request('program.end', { runId: run.id, code: 0, signal: null });
    expect(ended.run).toMatchObject({ state: 'done', error: null, capture: { packets: 1, dropped: 3 } });
    expect(ended.run.result).toMatchObject({ lab: 'program', state: 'done' });
    await viewer.untilMessage('run.complete');
    await agent.close();

    const again = await testAgent({ home });
    const reader = await Recorder.connect(again.agent);
    await reader.client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
    await reader.untilMessage('run.complete');
    expect(reader.events).toEqual(viewer.events);
    expect(reader.frames).toEqual(viewer.frames);
    expect((await reader.client.request('run.list', { lab: 'program' })).runs).toHaveLength(1);
  });

  it('has a count of its problems in its result, and in the list', async () => {
    const { teller, runId } = await program();
    const counter = (when: 'before' | 'sample', values: Record<string, number>) =>
      ({ kind: 'counter', endpoint: 'pid 1', when, values }) as const;
    const wc = (status: number, statusName: string) => ({
      kind: 'completion' as const,
      endpoint: 'pid 1',
      wc: {
        wrId: 1,
        status,
        statusName,
        opcode: 'SEND',
        byteLen: 0,
        qpn: 17,
        vendorErr: 0,
      },
    });
    teller.client.send({
      type: 'program.events',
      runId,
      events: [
        counter('before', { retransmitted_pkts: 1 }),
        counter('sample', { retransmitted_pkts: 3, local_ack_timeout_err: 1 }),
        { kind: 'async', event: 'COMM_EST' },
        { kind: 'async', endpoint: 'pid 1', event: 'QP_FATAL', qpn: 17 },
        wc(12, 'RETRY_EXC_ERR'),
        wc(5, 'WR_FLUSH_ERR'),
      ] as ProgramEvent[],
    });
    const { run } = await teller.client.request('program.end', { runId, code: 0, signal: null });
    expect(run).toMatchObject({ state: 'done', result: { problems: 1 } });
    const { runs } = await teller.client.request('run.list', {});
    expect(runs[0]!.result!.problems).toBe(1);
  });

  it.each([
    [{ code: 3, signal: null }, 'failed', 'PROGRAM_FAILED', 'exit code 3'],
    [{ code: null, signal: 'SIGSEGV' }, 'failed', 'PROGRAM_KILLED', 'SIGSEGV'],
  ])('that ends with %o has failed, and says how', async (end, state, code, words) => {
    const { teller, runId } = await program();
    const { run } = await teller.client.request('program.end', { runId, ...end });
    expect(run).toMatchObject({ state, error: { code } });
    expect(run.error!.message).toContain(words);
  });

  it('says which links carried its packets, once each, as its counters show them', async () => {
    const { teller, viewer, runId } = await program();
    const counter = (values: Record<string, number>): ProgramEvent => ({
      kind: 'counter',
      when: 'sample',
      values,
      endpoint: 'pid 1',
    });
    const events = [
      counter({ udp_sends: 0, shm_packets_out: 0 }),
      counter({ udp_sends: 0, shm_packets_out: 7 }),
      counter({ udp_sends: 2, shm_packets_out: 9 }),
    ];
    teller.client.send({ type: 'program.events', runId, events });
    const ended = await teller.client.request('program.end', { runId, code: 0, signal: null });
    expect(ended.run.result?.links).toEqual(['udp', 'shm']);
    await viewer.until(() => viewer.events.some(({ kind }) => kind === 'result'));
    const links = viewer.events.flatMap((event) => (event.kind === 'link' ? [event.link] : []));
    expect(links).toEqual(['shm', 'udp']);
  });

  it('is interrupted when its sender disconnects', async () => {
    const { teller, viewer, runId } = await program();
    await teller.client.close();
    await viewer.untilMessage('run.changed', ({ run }) => run.id === runId && run.state === 'interrupted');
    const { run } = await viewer.client.request('run.get', { runId });
    expect(run.error).toMatchObject({ code: 'PROGRAM_LOST' });
  });

  it('is asked to end when its run is cancelled', async () => {
    const { teller, viewer, runId } = await program();
    const cancelled = viewer.client.request('run.cancel', { runId });
    await teller.untilMessage('program.stop', (message) => message.runId === runId);
    await teller.client.request('program.end', { runId, code: null, signal: 'SIGTERM' });
    expect((await cancelled).run).toMatchObject({ state: 'cancelled', error: { code: 'CANCELLED' } });
  });

  it('keeps no lab from running', async () => {
    const { viewer } = await program();
    await viewer.start('quick');
    await viewer.untilMessage('run.changed', ({ run }) => run.lab === 'quick' && run.state === 'done');
  });
});

describe('what is malformed', () => {
  const errorOf = async (recorder: Recorder, code: string): Promise<void> => {
    await recorder.untilMessage('error', (message) => message.code === code);
  };

  it('gets an error from the table, and the run continues', async () => {
    const { teller, viewer, runId, number } = await program();
    const { agent: other } = await testAgent();
    expect(other.port).toBeGreaterThan(0);
    // A run that another connection feeds.
    viewer.client.send({ type: 'program.events', runId, events: [] });
    await errorOf(viewer, 'NOT_FED');
    viewer.client.send(completions(number, 1));
    await errorOf(viewer, 'BAD_FRAME');
    // An unannounced source, no frame at all, a kind that programs cannot send.
    for (const frame of [completions(number, 9), new Uint8Array([1, 2, 3]), histogram(number)]) {
      teller.messages.length = 0;
      teller.client.send(frame);
      await errorOf(teller, 'BAD_FRAME');
    }
    for (const events of [
      [{ kind: 'result' }],
      [{ kind: 'run.state', state: 'done' }],
      [{ kind: 'qp', qpn: -1 }],
    ]) {
      teller.messages.length = 0;
      teller.client.send({ type: 'program.events', runId, events } as never);
      await errorOf(teller, 'BAD_MESSAGE');
    }
    const { run } = await teller.client.request('program.end', { runId, code: 0, signal: null });
    expect(run.state).toBe('done');
    await expect(
      teller.client.request('program.end', { runId, code: 0, signal: null }),
    ).rejects.toMatchObject({ code: 'NOT_FED' });
  });

  it('cannot start a program', async () => {
    const { agent } = await testAgent();
    const { client } = await Recorder.connect(agent);
    for (const wrong of [
      { ...START, command: [] },
      { ...START, clock: 'now' },
      { ...START, command: ['x'.repeat(5000)] },
    ]) {
      await expect(client.request('program.start', wrong)).rejects.toMatchObject({ code: 'BAD_MESSAGE' });
    }
  });
});

function histogram(number: number): Uint8Array {
  const frame = encodeHistogram({ source: 1, t: 0 }, new Uint8Array(40));
  stampFrame(frame, number, 0);
  return frame;
}
