/** Stock programs under `verbslab exec`, shown by a real agent: what they did is in the run, exactly. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  decodeHeader,
  decodePackets,
  isFinal,
  peerRuns,
  type RunEvent,
  type RunRecord,
} from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Agent } from '../src/agent.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { bin as verbslab, exec, installed, nextPort, untilListening } from './helpers/exec.js';
import { expectTimesOfPackets } from './helpers/request-times.js';

const rdma = installed('ibv_rc_pingpong');
if (!rdma)
  console.warn('ibv_rc_pingpong is not installed (ibverbs-utils): programs under exec are not tested');

async function started(recorder: Recorder, command: string): Promise<string> {
  const named = (run: RunRecord): boolean => run.lab === 'program' && run.title.startsWith(command);
  await recorder.untilMessage('run.changed', ({ run }) => named(run));
  const message = recorder.messages.find((m) => m.type === 'run.changed' && named(m.run));
  if (message?.type !== 'run.changed') throw new Error('it was there a moment ago');
  await recorder.client.request('run.subscribe', { runId: message.run.id, fromSeq: 1 });
  return message.run.id;
}

async function finished(recorder: Recorder, runId: string): Promise<RunRecord> {
  await recorder.untilMessage('run.changed', ({ run }) => run.id === runId && isFinal(run.state));
  await recorder.untilMessage('run.complete', (message) => message.runId === runId);
  return (await recorder.client.request('run.get', { runId })).run;
}

const ofKind = <K extends RunEvent['kind']>(recorder: Recorder, kind: K) =>
  recorder.events.filter((event): event is Extract<RunEvent, { kind: K }> => event.kind === kind);

const counted = (recorder: Recorder): Record<string, number> =>
  ofKind(recorder, 'counter').findLast(({ when }) => when === 'after')!.values;

async function withAgent(): Promise<{ home: string; agent: Agent; recorder: Recorder }> {
  const home = newHome();
  const { agent } = await testAgent({ home });
  return { home, agent, recorder: await Recorder.connect(agent) };
}

describe.skipIf(!rdma)('a stock program under verbslab exec, with an agent', () => {
  it('is a run with its objects, states, exact counts, packets, and stays in history', async () => {
    const { home, agent, recorder } = await withAgent();
    const at = nextPort();
    const pingpong = ['ibv_rc_pingpong', '-g', '1', '-n', '500', '-p', at];
    const server = exec(home, pingpong);
    const runId = await started(recorder, 'ibv_rc_pingpong');
    await untilListening(at);
    const other = await exec(home, [...pingpong, '127.0.0.1'], ['--no-agent']).ended;
    expect(other.code, other.err).toBe(0);
    const result = await server.ended;
    expect([result.code, result.err]).toEqual([0, '']);
    expect(result.out).toContain('500 iters');
    const run = await finished(recorder, runId);
    expect(run).toMatchObject({
      state: 'done',
      title: pingpong.join(' '),
      result: { device: 'uroce0', provider: 'user-space' },
    });

    const objects = ofKind(recorder, 'object');
    const made = objects.filter(({ phase }) => phase === 'made').map(({ object }) => object);
    expect(made).toEqual(['context', 'PD', 'MR', 'CQ', 'QP']);
    expect(objects.filter(({ phase }) => phase === 'gone')).toHaveLength(5);
    const attrs = (kind: string) => objects.find(({ object }) => object === kind)!.attrs;
    expect(attrs('MR')).toMatchObject({ length: 4096, access: ['LOCAL_WRITE'] });
    expect(attrs('CQ')).toMatchObject({ cqe: expect.any(Number) as number });
    expect(attrs('QP')).toMatchObject({ type: 'RC', max_send_wr: expect.any(Number) as number });
    expect(ofKind(recorder, 'qp').map(({ from, to }) => `${from} ${to}`)).toEqual([
      'RESET INIT',
      'INIT RTR',
      'RTR RTS',
    ]);

    // 500 SENDs each way; the program keeps 500 receives posted.
    const values = counted(recorder);
    expect(values).toMatchObject({ posted_sends: 500, posted_SEND: 500, wc_SUCCESS: 1000, rdma_sends: 500 });
    expect(values.posted_recvs).toBeGreaterThanOrEqual(500);
    // Every completion is in a frame, or counted by one.
    const completions = recorder.frames
      .map((frame) => decodeHeader(frame))
      .filter((h) => h.kind === 'completions');
    expect(completions.reduce((sum, { count, dropped }) => sum + count + dropped, 0)).toBe(1000);
    expect(ofKind(recorder, 'wr').length).toBeGreaterThan(0);
    expect(ofKind(recorder, 'wr')[0]).toMatchObject({ opcode: 'SEND', byteLen: 4096, status: 0 });

    const packetFrames = recorder.frames.filter((frame) => decodeHeader(frame).kind === 'packets');
    const packets = packetFrames.flatMap((frame) => decodePackets(frame));
    expect(packets.length).toBeGreaterThan(300);
    expect(run.capture?.packets).toBe(packets.length);
    const seen = packetFrames.reduce((sum, f) => sum + decodeHeader(f).count + decodeHeader(f).dropped, 0);
    // A late acknowledgment may find its queue pair gone.
    const late = values.unknown_qp_pkts! + values.wrong_state_pkts! + values.stray_response_pkts!;
    expect(seen).toBe(values.sent_pkts! + values.rcvd_pkts! + late);
    const capture = await fetch(`${agent.url}/api/runs/${runId}/capture.pcapng`, {
      headers: { Authorization: `Bearer ${agent.token}` },
    });
    expect(capture.status).toBe(200);
    expect((await capture.arrayBuffer()).byteLength).toBeGreaterThan(run.capture!.bytes);
    expect(ofKind(recorder, 'finding')).toEqual([]);

    await agent.close();
    const again = await testAgent({ home });
    const reader = await Recorder.connect(again.agent);
    await reader.client.request('run.subscribe', { runId, fromSeq: 1 });
    await reader.untilMessage('run.complete');
    expect(reader.events).toEqual(recorder.events);
    expect(reader.frames).toEqual(recorder.frames);
  });

  it('reports every process of a command, and a program that opens no device', async () => {
    const { home, recorder } = await withAgent();
    const { ended } = exec(home, ['sh', '-c', 'ibv_devinfo >/dev/null; ibv_devinfo >/dev/null; echo done']);
    const runId = await started(recorder, 'sh -c');
    expect(await ended).toMatchObject({ code: 0, out: 'done\n', err: '' });
    expect((await finished(recorder, runId)).state).toBe('done');
    const processes = ofKind(recorder, 'endpoint').map(({ pid }) => pid);
    expect(new Set(processes).size).toBe(2);
  });

  it('reports how many requests each process posted to each queue pair of the other', async () => {
    const { home, recorder } = await withAgent();
    const port = nextPort();
    const pingpong = `ibv_rc_pingpong -g 1 -n 700 -s 3000 -p ${port}`;
    // The client tries until the server listens.
    const pair = `${pingpong} >/dev/null & until ${pingpong} 127.0.0.1 >/dev/null 2>&1; do :; done; wait`;
    const { ended } = exec(home, ['sh', '-c', pair]);
    const runId = await started(recorder, 'sh -c');
    expect((await ended).code).toBe(0);
    expect((await finished(recorder, runId)).state).toBe('done');
    const qps = ofKind(recorder, 'object').filter(({ object, phase }) => object === 'QP' && phase === 'made');
    const addresses = ofKind(recorder, 'endpoint').flatMap(({ gids }) => gids ?? []);
    const traffic = ofKind(recorder, 'traffic').filter(({ peers }) => peers.length > 0);
    const last = new Map(traffic.map((event) => [event.endpoint, event]));
    expect(last.size).toBe(2);
    for (const { endpoint, peers } of last.values()) {
      expect(peers).toMatchObject([{ messages: 700, bytes: 700 * 3000 }]);
      const owner = qps.find(({ number }) => number === peers[0]!.peerQpn)!.endpoint;
      expect([...last.keys()]).toContain(owner);
      expect(owner).not.toBe(endpoint);
      expect(addresses).toContain(peers[0]!.gid);
    }
  });

  it.each([
    ['sends', 'ibv_rc_pingpong -g 1 -n 100 -s 3000'],
    ['reads', 'ib_read_lat -d uroce0 -F -x 1 -n 100 -s 10000'],
    ['atomics', 'ib_atomic_lat -d uroce0 -F -x 1 -n 100'],
    ['datagrams', 'ibv_ud_pingpong -g 1 -n 100'],
  ])('shows the %s of both ends with the times of their packets', async (_, program) => {
    const { home, recorder } = await withAgent();
    const command = `${program} -p ${nextPort()}`;
    const pair = `${command} >/dev/null & until ${command} 127.0.0.1 >/dev/null 2>&1; do :; done; wait`;
    const { ended } = exec(home, ['sh', '-c', pair]);
    const runId = await started(recorder, 'sh -c');
    expect((await ended).code).toBe(0);
    await finished(recorder, runId);
    let checked = 0;
    for (const { endpoint, source, what } of ofKind(recorder, 'source')) {
      if (what !== 'tap') continue;
      const frames = recorder.frames.filter((frame) => {
        const { kind, source: of } = decodeHeader(frame);
        return kind === 'packets' && of === source;
      });
      expect(frames.reduce((sum, frame) => sum + decodeHeader(frame).dropped, 0)).toBe(0);
      const events = recorder.events.filter((event) => event.endpoint === endpoint);
      checked += expectTimesOfPackets(
        events,
        frames.flatMap((frame) => decodePackets(frame)),
      );
    }
    expect(checked).toBe(ofKind(recorder, 'wr').length);
    expect(checked).toBeGreaterThanOrEqual(100);
  });

  it('says with what exit code or signal it failed, as exec itself does', async () => {
    const { home, recorder } = await withAgent();
    const code = exec(home, ['sh', '-c', 'exit 7']);
    const first = await started(recorder, "sh -c 'exit 7'");
    expect((await code.ended).code).toBe(7);
    expect((await finished(recorder, first)).error).toMatchObject({ code: 'PROGRAM_FAILED' });
    const killed = exec(home, ['sh', '-c', 'kill -SEGV $$']);
    const second = await started(recorder, "sh -c 'kill");
    expect((await killed.ended).signal).toBe('SIGSEGV');
    const { error } = await finished(recorder, second);
    expect(error).toMatchObject({ code: 'PROGRAM_KILLED' });
    expect(error!.message).toContain('SIGSEGV');
    expect(error!.cure).toContain('gdb');
  });

  it.each([
    ['SEGV', 'SIGSEGV'],
    ['TERM', 'SIGTERM'],
    ['KILL', 'SIGKILL'],
  ])(
    'shows the device and no leaks of one that SIG%s ends right after it was opened',
    async (name, signal) => {
      const { home, recorder } = await withAgent();
      const ctypes =
        'import ctypes, os, signal; f = ctypes.CDLL(None); f.ibv_get_device_list.restype = ctypes.POINTER(ctypes.c_void_p); f.ibv_open_device.argtypes = [ctypes.c_void_p]; f.ibv_open_device(f.ibv_get_device_list(None)[0]);';
      const wait = name === 'KILL' ? "__import__('time').sleep(0.02);" : '';
      const { ended } = exec(home, [
        'python3',
        '-c',
        `${ctypes} ${wait} os.kill(os.getpid(), signal.SIG${name})`,
      ]);
      const runId = await started(recorder, 'python3');
      expect((await ended).signal).toBe(signal);
      const run = await finished(recorder, runId);
      expect(run).toMatchObject({
        state: 'failed',
        error: { code: 'PROGRAM_KILLED' },
        result: { device: 'uroce0' },
      });
      expect(run.error!.cure.includes('gdb')).toBe(name === 'SEGV');
      const done = name === 'KILL' ? 'polled no successful completion' : 'posted no work request';
      expect(run.result?.answer).toBe(`The program ${done} on uroce0.`);
      expect(ofKind(recorder, 'finding')).toEqual([]);
      expect(run.result?.problems).toBe(0);
    },
  );

  it('shows what it does wrong: the failed completion and the findings', async () => {
    const { home, agent, recorder } = await withAgent();
    // The peer of the program is killed in the middle: requests in flight are retried in vain.
    const port = nextPort();
    const writes = ['ib_write_bw', '-d', 'uroce0', '-x', '1', '-D', '60', '-p', port];
    const server = exec(home, writes, ['--no-agent']);
    await untilListening(port);
    const { ended } = exec(home, [...writes, '127.0.0.1']);
    const runId = await started(recorder, 'ib_write_bw');
    await recorder.until(() => recorder.frames.some((frame) => decodeHeader(frame).kind === 'completions'));
    server.child.kill('SIGTERM');
    expect((await server.ended).signal).toBe('SIGTERM');
    expect((await ended).code).not.toBe(0);
    const run = await finished(recorder, runId);
    expect(run).toMatchObject({ state: 'failed', error: { code: 'PROGRAM_FAILED' } });
    expect(ofKind(recorder, 'completion')).toMatchObject([{ wc: { statusName: 'RETRY_EXC_ERR' } }]);
    expect(ofKind(recorder, 'qp').map(({ to }) => to)).toContain('ERR');
    const leaks = ofKind(recorder, 'finding').filter(({ id }) => id === 'object-leaked');
    expect(leaks.map(({ call }) => call)).toContain('ibv_create_qp');
    // Both exec and `runs show` report the problems, also to a script.
    expect((await ended).err).toContain(
      `${run.result!.problems} problems found; see ${agent.url}/runs/view?id=${runId} or verbslab runs show ${run.number}.`,
    );
    const show = async (...options: string[]): Promise<string> =>
      (
        await promisify(execFile)(process.execPath, [verbslab, 'runs', 'show', runId, ...options], {
          env: { ...process.env, NO_COLOR: '1', VERBSLAB_HOME: home },
        })
      ).stdout;
    expect(await show()).toMatch(/^Problems\n1\. RDMA_WRITE of .* failed: RETRY_EXC_ERR\.\n {3}/m);
    expect(await show()).toMatch(/^Objects left behind\n.*QP 0x/m);
    const { problems, left } = JSON.parse(await show('--json')) as {
      problems: { what: string; more: string[] }[];
      left: { rows: string[][] };
    };
    // Objects that were left behind count as one problem.
    expect(problems).toHaveLength(run.result!.problems! - 1);
    expect(problems[0]!.more.length).toBeGreaterThan(0);
    expect(left.rows).toHaveLength(leaks.length);
  });

  it('has a problem when it gets the system’s library, and none with the device’s, linked or loaded', async () => {
    const { home, recorder } = await withAgent();
    const load = "import ctypes; ctypes.CDLL('libibverbs.so.1')";
    const system = 'export UROCE_LOAD=system';
    const { ended } = exec(home, ['sh', '-c', `${system}; python3 -c "${load}"; python3 -c "${load}"`]);
    const run = await finished(recorder, await started(recorder, 'sh'));
    const { code, err } = await ended;
    expect(code, err).toBe(0);
    expect(err.match(/^uroce: .* loaded .*libibverbs\.so\.1 with dlopen\(\)/gm), err).toHaveLength(1);
    const found = ofKind(recorder, 'finding');
    expect(found.map(({ id }) => id)).toEqual(['system-library-loaded']);
    expect(found[0]!.detail).toContain('libibverbs.so.1');
    expect(run.result?.problems).toBe(1);
    const others = [['ibv_devinfo'], ['python3', '-c', load]];
    for (const other of others) {
      const { code: ok, err: said } = await exec(home, other, ['--no-agent']).ended;
      expect([ok, said]).toEqual([0, '']);
    }
  });

  it('is interrupted when exec is killed, and the program continues without it', async () => {
    const { home, recorder } = await withAgent();
    const { child } = exec(home, ['ibv_rc_pingpong', '-g', '1', '-p', nextPort()]);
    const runId = await started(recorder, 'ibv_rc_pingpong');
    await recorder.until(() => ofKind(recorder, 'endpoint').length > 0);
    const pid = ofKind(recorder, 'endpoint')[0]!.pid!;
    onTestFinished(() => void process.kill(pid, 'SIGKILL'));
    child.kill('SIGKILL');
    expect(await finished(recorder, runId)).toMatchObject({
      state: 'interrupted',
      error: { code: 'PROGRAM_LOST' },
    });
    expect(() => process.kill(pid, 0)).not.toThrow();
  });

  it('knows the other run that its queue pairs were connected to', async () => {
    const { home, recorder } = await withAgent();
    const at = nextPort();
    const pingpong = ['ibv_rc_pingpong', '-g', '1', '-n', '10', '-p', at];
    const alone = exec(home, ['ibv_devinfo']);
    expect((await alone.ended).code).toBe(0);
    const server = exec(home, pingpong);
    await untilListening(at);
    const client = exec(home, [...pingpong, '127.0.0.1']);
    for (const { ended } of [server, client]) expect((await ended).code).toBe(0);
    const { runs } = await recorder.client.request('run.list', {});
    expect(runs.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    const peers = runs.map((run) => peerRuns(run, runs).map(({ title }) => title));
    expect(peers).toEqual([[pingpong.join(' ')], [[...pingpong, '127.0.0.1'].join(' ')], []]);
    const { stdout } = await promisify(execFile)(process.execPath, [verbslab, 'runs', 'show', '2'], {
      env: { ...process.env, NO_COLOR: '1', VERBSLAB_HOME: home },
    });
    expect(stdout).toContain(`Connected to run 3: ${pingpong.join(' ')} 127.0.0.1\n`);
  });

  it('is ended by a cancel, and exec says so', async () => {
    const { home, recorder } = await withAgent();
    const { ended } = exec(home, ['ibv_rc_pingpong', '-g', '1', '-p', nextPort()]);
    const runId = await started(recorder, 'ibv_rc_pingpong');
    await recorder.until(() => ofKind(recorder, 'endpoint').length > 0);
    const { run } = await recorder.client.request('run.cancel', { runId });
    expect(run).toMatchObject({ state: 'cancelled', error: { code: 'CANCELLED' } });
    const result = await ended;
    expect(result.signal).toBe('SIGTERM');
    expect(result.err).toMatch(/cancelled in the dashboard/);
  });

  it('keeps running when the agent disappears, and exec prints one line', async () => {
    const { home, agent, recorder } = await withAgent();
    const { child, ended } = exec(home, ['sh', '-c', 'read word; ibv_devinfo >/dev/null; echo "$word"']);
    const runId = await started(recorder, 'sh -c');
    await agent.close();
    child.stdin!.end('still here\n');
    const result = await ended;
    expect(result).toMatchObject({ code: 0, out: 'still here\n' });
    expect(result.err).toMatch(/^verbslab: The dashboard no longer shows this program: .*\n$/);
    const again = await testAgent({ home });
    const reader = await Recorder.connect(again.agent);
    expect((await reader.client.request('run.get', { runId })).run.state).toBe('interrupted');
  });

  it('is not shown with --no-agent, nor when no agent runs', async () => {
    const { home, recorder } = await withAgent();
    const quiet = await exec(home, ['sh', '-c', 'echo "[$UROCE_FEED]"'], ['--no-agent']).ended;
    expect(quiet).toMatchObject({ code: 0, out: '[]\n', err: '' });
    const alone = await exec(newHome(), ['sh', '-c', 'echo "[$UROCE_FEED]"']).ended;
    expect(alone).toMatchObject({ code: 0, out: '[]\n', err: '' });
    expect((await recorder.client.request('run.list', {})).runs).toEqual([]);
  });
});
