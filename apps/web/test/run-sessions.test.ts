import type { AgentMessage } from '@verbslab/protocol';
import { describe, expect, it, vi } from 'vitest';
import { RunSessions } from '../src/connection/run-sessions';
import { newest } from '../src/model/completion-snapshot';
import { connected, Socket, turn, stubSockets, WAIT, welcome } from './lib/sockets';
import { record, Stream } from './stream';

stubSockets();

describe('sessions of runs', () => {
  async function opened() {
    let sessions: RunSessions | null = null;
    const { client, socket } = await connected({
      message: (m: AgentMessage) => sessions?.message(m),
      frame: (b: Uint8Array) => sessions?.frame(b),
      completions: (run, latest, lastSeq) => sessions?.completions(run, latest, lastSeq),
      lost: () => sessions?.lost(),
      welcome: () => sessions?.welcome(),
    });
    const changed = vi.fn();
    sessions = new RunSessions(client, changed);
    sessions.welcome();
    const session = sessions.acquire('abcdefghij');
    socket.say({ type: 'run', re: socket.last('run.get').id, run: record() });
    await turn();
    socket.say({ type: 'run.subscribed', re: socket.last('run.subscribe').id, run: record(), fromSeq: 1 });
    await turn();
    return { client, socket, sessions, session, changed };
  }

  it('continues after a lost connection from the first missing item', async () => {
    const { socket, session, sessions } = await opened();
    expect(socket.last('run.subscribe')).toMatchObject({ fromSeq: 1 });
    const s = new Stream();
    socket.say({ type: 'run.events', runId: 'abcdefghij', events: [s.event({ kind: 'note', text: 'one' })] });
    socket.frame(s.completions(1, 5));
    socket.close();
    expect(session.view!.model.lastSeq).toBe(2);
    sessions.lost();
    await vi.waitFor(() => expect(Socket.all).toHaveLength(2), WAIT);
    await welcome();
    const again = Socket.all.at(-1)!;
    await vi.waitFor(() => expect(again.last('run.subscribe')).toMatchObject({ fromSeq: 3 }), WAIT);
    // The agent sends the last item again: nothing is counted twice.
    again.frame(s.completions(1, 5));
    again.say({ type: 'run.complete', runId: 'abcdefghij', lastSeq: 3 });
    expect(session.view!.model.completions.total).toBe(10);
  });

  it('hands frames to the run whose number they carry', async () => {
    const { socket, session } = await opened();
    const other = new Stream().completions(1, 5);
    new DataView(other.buffer).setUint32(4, 99, true);
    socket.frame(other);
    socket.say({ type: 'run.complete', runId: 'abcdefghij', lastSeq: 1 });
    expect(session.view!.model.completions.total).toBe(0);
  });

  it('counts what this page was too slow for', async () => {
    const { socket, session } = await opened();
    socket.say({
      type: 'run.dropped',
      runId: 'abcdefghij',
      source: 1,
      what: 'completions',
      frames: 2,
      records: 8192,
      recorded: true,
    });
    socket.say({ type: 'run.live', runId: 'abcdefghij' });
    expect(session.view!.model.completions.dropped).toBe(8192);
  });

  it('acknowledges completions without asking the page', async () => {
    const { socket } = await opened();
    socket.frame(new Stream().completions(1, 10_000));
    expect(socket.last('run.ack')).toMatchObject({ bytes: 320_032 });
  });

  it('sends a page completions ten times per second, however many there are', async () => {
    const { socket, session } = await opened();
    const model = session.view!.model;
    vi.useFakeTimers();
    const s = new Stream();
    const before = model.version.completions;
    for (let ms = 0; ms < 1000; ms += 5) {
      socket.frame(s.completions(1, 100));
      await vi.advanceTimersByTimeAsync(5);
    }
    const told = model.version.completions - before;
    expect(told).toBeGreaterThanOrEqual(9);
    expect(told).toBeLessThanOrEqual(11);
    await vi.advanceTimersByTimeAsync(100);
    expect(model.completions).toMatchObject({ total: 20_000, kept: 20_000, errors: 0, dropped: 0 });
    expect(newest(model.completions, 0)).toMatchObject({ number: 20_000 });
  });

  it('has all completions that are kept when it asks for them', async () => {
    const { socket, session, sessions } = await opened();
    const s = new Stream();
    socket.frame(s.completions(1, 5_000));
    const still = await sessions.stillCompletions(session);
    socket.frame(s.completions(1, 10));
    expect(still).toMatchObject({ total: 5_000, kept: 5_000 });
    expect(newest(still!, 4_999)).toMatchObject({ number: 1, wrId: 0 });
  });

  it('does not announce completions of a run that was left', async () => {
    const { socket, session, sessions } = await opened();
    sessions.forget('abcdefghij');
    socket.frame(new Stream().completions(1, 5));
    socket.say({ type: 'run.live', runId: 'abcdefghij' });
    expect(session.view!.model.completions.total).toBe(0);
  });

  it('asks for no completions and packets where no page shows them, and for all once one does', async () => {
    const { sessions, socket, session } = await opened();
    expect(socket.last('run.subscribe')).not.toHaveProperty('detail');
    // A session with all serves those who want less.
    expect(sessions.acquire('abcdefghij', false)).toBe(session);
    const slim = sessions.acquire('zzzzzzzzzz', false);
    const run = record({ id: 'zzzzzzzzzz', number: 2 });
    socket.say({ type: 'run', re: socket.last('run.get').id, run });
    await turn();
    expect(socket.last('run.subscribe')).toMatchObject({ runId: 'zzzzzzzzzz', detail: false });
    const old = slim.view;
    sessions.acquire('zzzzzzzzzz');
    // The old stream has ended before the new model is there, so that nothing of it counts as read.
    expect(slim).toMatchObject({ state: 'loading', view: null });
    const s = new Stream();
    socket.say({ type: 'run.events', runId: 'zzzzzzzzzz', events: [s.event({ kind: 'note', text: 'old' })] });
    socket.say({ type: 'run.unsubscribed', re: socket.last('run.unsubscribe').id, runId: 'zzzzzzzzzz' });
    await turn();
    socket.say({ type: 'run', re: socket.last('run.get').id, run });
    await turn();
    expect(slim.view).not.toBe(old);
    const all = socket.last('run.subscribe');
    expect(all).toMatchObject({ runId: 'zzzzzzzzzz', fromSeq: 1 });
    expect(all).not.toHaveProperty('detail');
    expect(slim.view!.model.lastSeq).toBe(0);
  });

  it('says why a run cannot be opened', async () => {
    const { sessions, socket, changed } = await opened();
    const missing = sessions.acquire('zzzzzzzzzz');
    socket.say({
      type: 'error',
      re: socket.last('run.get').id,
      code: 'UNKNOWN_RUN',
      message: 'no',
      cure: 'see',
    });
    await turn();
    expect(missing).toMatchObject({ state: 'failed', error: { info: { code: 'UNKNOWN_RUN' } } });
    expect(changed).toHaveBeenCalled();
  });

  it('keeps the latest runs after they were left, and lets older ones go', async () => {
    const { sessions, socket } = await opened();
    for (const id of ['b', 'c', 'd']) sessions.acquire(id.repeat(10));
    for (const id of ['a', 'b', 'c', 'd']) sessions.release(id === 'a' ? 'abcdefghij' : id.repeat(10));
    expect(sessions.get('abcdefghij')).toBeUndefined();
    expect(sessions.get('dddddddddd')).toBeDefined();
    expect(socket.last('run.unsubscribe')).toBeDefined();
  });
});
