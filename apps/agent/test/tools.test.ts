/** Programs of the fixed list, started by the agent: both ends as one run. */
import { TOOLS } from '@verbslab/labs/tools';
import type { RunEvent, RunRecord } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Agent } from '../src/agent.js';
import { AgentClient } from '../src/client/client.js';
import { newHome, Recorder, testAgent, peerAddress } from './helpers/agent.js';
import { verbslab } from './helpers/cli.js';
import { installed, nextPort } from './helpers/exec.js';

const programs = ['ibv_devinfo', 'ibv_rc_pingpong', 'ib_write_bw', 'rping', 'ibv_asyncwatch'];
const missing = programs.filter((program) => !installed(program));
if (missing.length > 0) console.warn(`not installed, so tools are not tested: ${missing.join(', ')}`);

interface Ended {
  run: RunRecord;
  /** Output of each command. */
  printed: string[];
  events: RunEvent[];
}

/** Tools end long before their limit, which a busy machine may reach, but where a test has another. */
const LIMIT_S = 250;

const port = (): number => Number(nextPort());

async function start(recorder: Recorder, tool: string, params: Record<string, unknown>): Promise<string> {
  const { run } = await recorder.client.request('tool.start', { tool, params: params as never });
  await recorder.client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
  return run.id;
}

async function ended(recorder: Recorder, runId: string): Promise<Ended> {
  await recorder.untilMessage('run.complete', (message) => message.runId === runId);
  const { run } = await recorder.client.request('run.get', { runId });
  const events = recorder.messages.flatMap((message) =>
    message.type === 'run.events' && message.runId === runId ? (message.events as RunEvent[]) : [],
  );
  const printed: string[] = [];
  for (const event of events)
    if (event.kind === 'output')
      printed[event.command ?? 0] = (printed[event.command ?? 0] ?? '') + event.text;
  return { run, printed, events };
}

async function setUp(options: { toolLimit?: number } = {}): Promise<{ agent: Agent; recorder: Recorder }> {
  const { agent } = await testAgent({ home: newHome(), toolLimit: LIMIT_S, ...options });
  return { agent, recorder: await Recorder.connect(agent) };
}

it.skipIf(!installed('ibv_devinfo'))(
  'a tool that cannot be started ends its run with the reason, and keeps no lab waiting',
  async () => {
    const { recorder } = await setUp();
    vi.stubEnv('VERBSLAB_UROCE_NETNS', 'gone');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { run } = await ended(recorder, await start(recorder, 'ibv_devinfo', {}));
    expect(run).toMatchObject({ state: 'failed', error: { code: 'NETNS' } });
    vi.unstubAllEnvs();
    const lab = await recorder.client.request('run.start', { lab: 'quick', params: {}, mode: 'all' });
    expect(lab.run.lab).toBe('quick');
  },
);

describe.skipIf(missing.length > 0)('tools of the fixed list', () => {
  it('are run as one run each: ibv_devinfo, ibv_rc_pingpong, ib_write_bw, rping', async () => {
    const { recorder } = await setUp();
    const facts = await ended(recorder, await start(recorder, 'ibv_devinfo', {}));
    expect(facts.run).toMatchObject({ state: 'done', lab: 'program', title: 'ibv_devinfo -v' });
    expect(facts.run.parameters['tool']).toEqual({
      name: 'ibv_devinfo',
      params: { verbose: true },
      link: 'auto',
    });
    expect(facts.printed[0]).toMatch(/PORT_ACTIVE/);

    const ping = await ended(
      recorder,
      await start(recorder, 'ibv_rc_pingpong', { iterations: 300, port: port() }),
    );
    expect(ping.run).toMatchObject({ state: 'done', result: { program: { exitCode: 0 } } });
    expect(ping.run.result!.program!.commands).toHaveLength(2);
    expect(ping.run.result!.program!.work).toMatchObject({ processes: 2, bytes: 2 * 300 * 4096 });
    for (const text of ping.printed) expect(text).toMatch(/^2457600 bytes in /m);
    expect(ping.events.filter(({ kind }) => kind === 'endpoint')).toHaveLength(2);
    expect(recorder.frames.length).toBeGreaterThan(0);

    const bw = await ended(
      recorder,
      await start(recorder, 'ib_write_bw', { iterations: 20_000, port: port() }),
    );
    expect(bw.run.state).toBe('done');
    const [, mib] = /^ 65536 +20000 +[\d.]+ +([\d.]+)/m.exec(bw.printed[1]!)!;
    const { seconds, bytes } = bw.run.result!.program!.work!;
    expect(bytes).toBe(20_000 * 65_536);
    // Both figures are of the same requests, from the first post to the last completion, by readings of two clocks. The
    // program reads its clock outside of the other readings, and may have to wait for a CPU in between.
    expect(Number(mib) * 2 ** 20 * seconds!).toBeGreaterThan(0.5 * bytes);
    expect(Number(mib) * 2 ** 20 * seconds!).toBeLessThan(1.25 * bytes);

    const rping = await ended(recorder, await start(recorder, 'rping', { count: 3, port: port() }));
    expect(rping.run.state).toBe('done');
    expect(rping.printed[1]).toContain('ping data: rdma-ping-2:');
    expect((await recorder.client.request('run.list', {})).total).toBe(4);
  });

  it.each(TOOLS.filter((tool) => tool.package === 'perftest').map(({ name }) => name))(
    '%s measures with its defaults',
    async (name) => {
      const { recorder } = await setUp();
      const { run, printed } = await ended(recorder, await start(recorder, name, { port: port() }));
      expect([run.state, printed[1]]).toEqual(['done', expect.stringMatching(/^ *\d+ +1000 +[\d.]+/m)]);
    },
  );

  it('are ended as intended, when they take too long, and by a cancel; nothing of them is left', async () => {
    const { recorder } = await setUp();
    const watched = await ended(recorder, await start(recorder, 'ibv_asyncwatch', { seconds: 3 }));
    expect(watched.run).toMatchObject({ state: 'done', result: { program: { signal: 'SIGTERM' } } });
    expect(watched.printed[0]).toContain('async event FD');

    const at = port();
    const runId = await start(recorder, 'ibv_rc_pingpong', { iterations: 100_000, size: 65_536, port: at });
    await expect(
      recorder.client.request('tool.start', { tool: 'ibv_devices', params: {} }),
    ).rejects.toMatchObject({
      info: { code: 'RUN_BUSY' },
    });
    await recorder.until(() => recorder.events.some(({ kind }) => kind === 'endpoint'));
    expect((await recorder.client.request('run.cancel', { runId })).run.state).toBe('cancelled');
    // The port is free again, or this would be TOOL_PORT.
    const again = await ended(
      recorder,
      await start(recorder, 'ibv_rc_pingpong', { iterations: 10, port: at }),
    );
    expect(again.run.error ?? null).toBeNull();

    const hasty = (await setUp({ toolLimit: 1 })).recorder;
    const slow = await ended(
      hasty,
      await start(hasty, 'ib_write_bw', { mode: 'duration', duration: 20, port: port() }),
    );
    expect(slow.run).toMatchObject({ state: 'failed', error: { code: 'TOOL_TIME' } });
  });

  it('refuse an option that no program would get, before anything starts', async () => {
    const refused = await verbslab(newHome(), ['tools', 'run', 'ib_write_bw', '--duration', '4s']);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(
      'The option --duration changes nothing here: the program would not get it.',
    );
    expect(refused.err).toContain('Leave it out, or add --mode duration.');
  });

  it('are refused with the reason: an unknown one, a bad field, a port in use, another agent', async () => {
    const { agent, recorder } = await setUp();
    const asked = (tool: string, params: Record<string, unknown>) =>
      recorder.client.request('tool.start', { tool, params: params as never });
    await expect(asked('bash', {})).rejects.toMatchObject({ info: { code: 'UNKNOWN_TOOL' } });
    await expect(asked('rping', { command: '-P' })).rejects.toMatchObject({
      info: { code: 'UNKNOWN_FIELD' },
    });
    await expect(asked('rping', { size: '-P' })).rejects.toMatchObject({ info: { code: 'BAD_PARAM' } });
    await expect(asked('ibv_rc_pingpong', { port: agent.port })).rejects.toMatchObject({
      info: { code: 'TOOL_PORT' },
    });
    const peer = await AgentClient.connect(peerAddress(agent), {}, { as: 'peer' });
    await expect(
      peer.client.request('tool.start', { tool: 'ibv_devices', params: {} }),
    ).rejects.toMatchObject({ info: { code: 'NOT_FOR_PEERS' } });
    await peer.client.close();
    const { tools } = await recorder.client.request('tools.list', {});
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    expect((await recorder.client.request('run.list', {})).total).toBe(0);
  });
});
