/** Server and client of a program as one run: two commands of `verbslab exec`, the second with --with. */
import { decodeHeader, type RunEvent, type RunRecord } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../src/agent.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { exec, installed, nextPort, untilListening, type Command } from './helpers/exec.js';

const rdma = installed('ibv_rc_pingpong');
if (!rdma) console.warn('ibv_rc_pingpong is not installed (ibverbs-utils): joins of commands are not tested');

const ITERATIONS = 500;
const SIZE = 4096;

interface Pair {
  home: string;
  agent: Agent;
  recorder: Recorder;
  runId: string;
  server: Command;
  /** Starts the client, as part of the run. */
  client: (options?: string[]) => Command;
}

async function pair(): Promise<Pair> {
  const home = newHome();
  const { agent } = await testAgent({ home });
  const recorder = await Recorder.connect(agent);
  const at = nextPort();
  const pingpong = ['ibv_rc_pingpong', '-g', '1', '-n', String(ITERATIONS), '-s', String(SIZE), '-p', at];
  const server = exec(home, pingpong);
  await untilListening(at);
  const [run] = (await recorder.client.request('run.list', {})).runs;
  const runId = run!.id;
  await recorder.client.request('run.subscribe', { runId, fromSeq: 1 });
  const client = (options = ['--with', String(run!.number)]) =>
    exec(home, [...pingpong, '127.0.0.1'], options);
  return { home, agent, recorder, runId, server, client };
}

const ofKind = <K extends RunEvent['kind']>(recorder: Recorder, kind: K) =>
  recorder.events.filter((event): event is Extract<RunEvent, { kind: K }> => event.kind === kind);

async function complete({ recorder, runId }: Pair): Promise<RunRecord> {
  await recorder.untilMessage('run.complete', (message) => message.runId === runId);
  return (await recorder.client.request('run.get', { runId })).run;
}

describe.skipIf(!rdma)('a command that joins the run of another', () => {
  it('gives one run with both processes on one clock, and counts their traffic once', async () => {
    const both = await pair();
    const client = both.client();
    for (const { ended } of [client, both.server]) expect(await ended).toMatchObject({ code: 0, err: '' });
    const run = await complete(both);
    const { recorder } = both;
    expect((await recorder.client.request('run.list', {})).runs).toHaveLength(1);
    expect(run).toMatchObject({ state: 'done', result: { program: { exitCode: 0, signal: null } } });
    expect(run.title).toMatch(/^ibv_rc_pingpong .* \+ ibv_rc_pingpong .* 127\.0\.0\.1$/);

    const commands = run.result!.program!.commands!;
    expect(commands.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(commands[1]!.command.at(-1)).toBe('127.0.0.1');
    expect(commands[1]!.begun).toBeGreaterThan(commands[0]!.begun);

    // The sums count each SEND once, although the peer polled a completion for it as well.
    const work = run.result!.program!.work!;
    const bytes = 2 * ITERATIONS * SIZE;
    expect(work).toMatchObject({ processes: 2, bytes, messages: 4 * ITERATIONS, sampled: false });
    expect(work.moved).toEqual({ written: 0, read: 0, sent: bytes, received: 0 });
    expect(work.latencyUs!.n).toBe(2 * ITERATIONS);
    expect(run.result!.answer).toContain('by 2 processes');

    // A request is polled at its poster after it was posted there, and arrives at the peer in between: on one clock.
    const processes = ofKind(recorder, 'endpoint').map(({ pid }) => `pid ${pid}`);
    expect(new Set(processes).size).toBe(2);
    const posts = processes.map((of) => ofKind(recorder, 'wr').filter(({ endpoint }) => endpoint === of));
    const [first, second] = posts.map((list) => list.map(({ posted }) => posted));
    expect(first!.length).toBeGreaterThan(100);
    for (const [index, t] of first!.slice(1, 100).entries()) {
      // Ping and pong take turns.
      const before = second!.filter((other) => other < t).length;
      expect(Math.abs(before - (index + 1))).toBeLessThanOrEqual(1);
    }

    const sources = ofKind(recorder, 'source').map(({ source }) => source);
    expect(new Set(sources).size).toBe(sources.length);
    const framed = new Set(recorder.frames.map((frame) => decodeHeader(frame).source));
    for (const source of framed) expect(sources).toContain(source);

    const printed = (index: number): string =>
      ofKind(recorder, 'output')
        .filter(({ command = 0 }) => command === index)
        .map(({ text }) => text)
        .join('');
    for (const [index, { ended }] of [both.server, client].entries())
      expect(printed(index)).toBe((await ended).out);
  });

  it('fails the run with the command that fails, and keeps the exit code of each', async () => {
    const { home, recorder, runId, server, ...rest } = await pair();
    const bad = exec(home, ['sh', '-c', 'exit 5'], ['--with', runId]);
    expect((await bad.ended).code).toBe(5);
    expect((await recorder.client.request('run.get', { runId })).run.state).toBe('running');
    const client = rest.client();
    for (const { ended } of [client, server]) expect((await ended).code).toBe(0);
    const run = await complete({ home, recorder, runId, server, ...rest });
    expect(run).toMatchObject({ state: 'failed', error: { code: 'PROGRAM_FAILED' } });
    expect(run.error!.message).toContain('exit 5');
    expect(run.result!.program).toMatchObject({ exitCode: 5 });
    expect(run.result!.program!.commands!.map(({ exitCode }) => exitCode)).toEqual([0, 5, 0]);
  });

  it('is ended by a cancel as the first one is', async () => {
    const both = await pair();
    const other = exec(both.home, ['sleep', '60'], ['--with', both.runId]);
    await both.recorder.until(() => ofKind(both.recorder, 'command').length === 2);
    const { run } = await both.recorder.client.request('run.cancel', { runId: both.runId });
    expect(run.state).toBe('cancelled');
    for (const { ended } of [both.server, other]) expect((await ended).signal).toBe('SIGTERM');
  });

  it('outlives an exec that was killed, and the run is interrupted in the end', async () => {
    const both = await pair();
    both.server.child.kill('SIGKILL');
    await both.server.ended;
    await both.recorder.untilMessage('run.complete');
    const late = await both.client().ended;
    expect(late.code).toBe(2);
    expect(late.err).toContain('it has ended');
  });
});

describe('a command that cannot join', () => {
  it.each([
    ['an unknown run', '77', /There is no run “77”/],
    ['a run of another host', 'vm1/12', /There is no run “vm1\/12”/],
  ])('%s is told why, and does not start', async (_, name, why) => {
    const home = newHome();
    await testAgent({ home });
    const { code, out, err } = await exec(home, ['echo', 'started'], ['--with', name]).ended;
    expect(code).not.toBe(0);
    expect([out, err]).toEqual(['', expect.stringMatching(why)]);
  });

  it('says so when the run is that of a lab, or has ended', async () => {
    const home = newHome();
    const { agent } = await testAgent({ home });
    const recorder = await Recorder.connect(agent);
    const lab = await recorder.start('quick');
    await recorder.untilMessage('run.complete');
    const ofLab = await exec(home, ['echo', 'started'], ['--with', lab]).ended;
    expect(ofLab).toMatchObject({ code: 2, out: '' });
    expect(ofLab.err).toContain('only runs of programs can be joined');
    expect((await exec(home, ['true']).ended).code).toBe(0);
    const [run] = (await recorder.client.request('run.list', { lab: 'program' })).runs;
    const ended = await exec(home, ['echo', 'started'], ['--with', String(run!.number)]).ended;
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain('verbslab runs join');
  });

  it('needs an agent, and does not go with --no-agent', async () => {
    const none = await exec(newHome(), ['echo', 'started'], ['--with', '1']).ended;
    expect(none).toMatchObject({ code: 2, out: '' });
    expect(none.err).toContain('verbslab up');
    const both = await exec(newHome(), ['echo', 'started'], ['--with', '1', '--no-agent']).ended;
    expect(both).toMatchObject({ code: 2, out: '' });
  });

  it('finds at most 15 others in its run', async () => {
    const { agent } = await testAgent();
    const first = await Recorder.connect(agent);
    const command = ['ibv_rc_pingpong'];
    const { run } = await first.client.request('program.start', { command, clock: '1' });
    const join = async (): Promise<unknown> => {
      const { client } = await Recorder.connect(agent);
      return client.request('program.join', { runId: run.id, command });
    };
    for (let n = 1; n < 16; n++) expect(await join()).toMatchObject({ index: n, run: { id: run.id } });
    await expect(join()).rejects.toMatchObject({ code: 'LIMIT' });
    await expect(first.client.request('program.join', { runId: run.id, command })).rejects.toMatchObject({
      code: 'BAD_MESSAGE',
    });
  });
});
