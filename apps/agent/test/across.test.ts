import { isFinal, type AppError, type RunRecord } from '@verbslab/protocol';
import { describe, expect, it, vi } from 'vitest';
import { alive, eventually } from './endpoint-harness.js';
import type { Recorder } from './helpers/agent.js';
import { ownAddress } from './helpers/own-address.js';
import { OUTSIDE, OWN_ADDRESS, otherAgent, ownAgent, type OtherAgent } from './helpers/pair.js';

// Each test starts an agent or two and their endpoints, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
ownAddress(OWN_ADDRESS);

interface Two {
  recorder: Recorder;
  other: OtherAgent;
}

async function pair(env: Record<string, string> = {}): Promise<Two> {
  const other = await otherAgent(OUTSIDE, env);
  const { recorder } = await ownAgent();
  await recorder.client.request('peers.add', { join: other.join, name: 'b' });
  return { recorder, other };
}

async function start(
  { recorder }: Two,
  lab: string,
  endpoints: Record<string, string>,
  params: Record<string, string | number> = {},
): Promise<string> {
  const { run } = await recorder.client.request('run.start', { lab, params, mode: 'all', endpoints });
  await recorder.client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
  return run.id;
}

async function ended({ recorder }: Two, runId: string): Promise<RunRecord> {
  await recorder.untilMessage('run.complete', (message) => message.runId === runId);
  return (await recorder.client.request('run.get', { runId })).run;
}

const pids = ({ recorder }: Two): number[] =>
  recorder.events.flatMap((event) => (event.kind === 'endpoint' && event.pid ? [event.pid] : []));

const broken = (run: RunRecord) => run.result?.checks.filter(({ ok }) => !ok);
const SHORT = { duration: 0.5, omit: 0.2, repeat: 3 };

describe('labs across two agents', () => {
  it.each([
    ['server', { server: 'b/uroce0', client: 'local/uroce0' }],
    ['client', { client: 'b' }],
    ['both', { client: 'b/uroce0', server: 'b/uroce0' }],
  ])('the minimal flow holds with the %s on the other', async (_, endpoints: Record<string, string>) => {
    const two = await pair();
    const run = await ended(two, await start(two, 'minimal-flow', endpoints));
    expect(run.error).toBeNull();
    expect(broken(run)).toEqual([]);
    expect(run.result?.checks.length).toBe(9);
    const remote = Object.keys(endpoints).filter((role) => endpoints[role]?.startsWith('b'));
    for (const role of ['client', 'server']) {
      const event = two.recorder.events.find((one) => one.kind === 'endpoint' && one.role === role);
      const away = remote.includes(role);
      expect(event).toMatchObject(away ? { host: 'b', clockErrorNs: expect.any(Number) as number } : {});
      expect(run.result?.endpoints?.find((one) => one.role === role)?.host).toBe(away ? 'b' : 'local');
    }
    // All times are on one clock: a WRITE is acknowledged after it was posted and before the run ended.
    const times = two.recorder.events.map(({ t }) => t);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
    expect(run.capture?.packets).toBeGreaterThan(0);
    for (const pid of pids(two)) expect(alive(pid)).toBe(false);
  });

  it('bulk measures RDMA and TCP between the two', async () => {
    const two = await pair();
    const run = await ended(two, await start(two, 'bulk', { server: 'b/uroce0' }, SHORT));
    expect(run.error).toBeNull();
    expect(broken(run)).toEqual([]);
    expect(run.result?.transports.rdma?.goodputGbps).toBeGreaterThan(0);
    expect(run.result?.transports.tcp?.goodputGbps).toBeGreaterThan(0);
    const remote = two.recorder.events.filter((event) => event.kind === 'source' && event.role === 'server');
    expect(remote.length).toBeGreaterThan(0);
    expect(two.recorder.frames.length).toBeGreaterThan(10);
  });

  it('a peer that is killed in the middle fails the run with its name, and leaves nothing', async () => {
    const two = await pair();
    const runId = await start(two, 'bulk', { server: 'b/uroce0' }, { duration: 60, omit: 0 });
    await two.recorder.until(() => two.recorder.frames.length > 4);
    await two.other.kill();
    const run = await ended(two, runId);
    expect(run.state).toBe('failed');
    expect(run.error?.code).toBe('PEER_LOST');
    expect(run.error?.message).toContain('“b”');
    for (const pid of pids(two)) await eventually(`${pid} is gone`, () => !alive(pid));
    // The recorded part stays. A run at the lost peer is refused.
    expect(run.lastSeq).toBeGreaterThan(4);
    const refused = await two.recorder.client
      .request('run.start', { lab: 'bulk', params: {}, mode: 'all', endpoints: { server: 'b' } })
      .catch((error: unknown) => (error as AppError).code);
    expect(refused).toBe('PEER_UNREACHABLE');
  });

  it('a killed endpoint of the other agent ends the run and not that agent', async () => {
    const two = await pair();
    const runId = await start(two, 'bulk', { server: 'b' }, { duration: 60, omit: 0, transport: 'rdma' });
    await two.recorder.until(() => two.recorder.frames.length > 4);
    const server = two.recorder.events.find((event) => event.kind === 'endpoint' && event.role === 'server');
    process.kill((server as { pid: number }).pid, 'SIGKILL');
    const run = await ended(two, runId);
    expect(run.state).toBe('failed');
    expect(['ENDPOINT_DIED', 'COMPLETION']).toContain(run.error?.code);
    const { peers } = await two.recorder.client.request('peers.list', {});
    expect(peers[0]?.state).toBe('up');
  });

  it('cancel ends both sides', async () => {
    const two = await pair();
    const runId = await start(two, 'bulk', { client: 'b/uroce0' }, { duration: 60 });
    await two.recorder.until(() => two.recorder.frames.length > 4);
    const { run } = await two.recorder.client.request('run.cancel', { runId });
    expect(run.state).toBe('cancelled');
    expect(isFinal(run.state)).toBe(true);
    for (const pid of pids(two)) await eventually(`${pid} is gone`, () => !alive(pid));
    const again = await ended(two, await start(two, 'minimal-flow', { server: 'b' }));
    expect(again.state).toBe('done');
  });

  it('says what cannot be placed', async () => {
    const two = await pair();
    const refused = (endpoints: Record<string, string>): Promise<AppError> =>
      two.recorder.client.request('run.start', { lab: 'bulk', params: {}, mode: 'all', endpoints }).then(
        () => expect.fail('it started'),
        (error: unknown) => error as AppError,
      );
    expect((await refused({ server: 'c/uroce0' })).code).toBe('UNKNOWN_HOST');
    expect((await refused({ server: 'b/mlx5_0' })).message).toContain('b/mlx5_0');
    expect((await refused({ nobody: 'b' })).info.cure).toContain('client, server');
  });
});

describe('the path check', () => {
  const check = async ({ recorder }: Two, to = 'b') =>
    (await recorder.client.request('peers.check', { from: 'local', to })).check;

  it('ends with a WRITE that was compared', async () => {
    const two = await pair();
    const found = await check(two);
    expect(found).toMatchObject({ from: 'local/uroce0', to: 'b/uroce0', ok: true });
    expect(found.steps.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'devices ok',
      'gids ok',
      'ping ok',
      'mtu ok',
      'write ok',
    ]);
    expect(found.steps[4]?.detail).toContain('packets of 4096 B');
  });

  it('stops where it fails, and says what to do', async () => {
    const two = await pair(OUTSIDE === '0.0.0.0' ? { UROCE_ADDR: '::1' } : { UROCE_ADDR: OUTSIDE });
    const found = await check(two, 'b/uroce0');
    expect(found.ok).toBe(false);
    expect(found.steps.map(({ state }) => state)).toEqual(['ok', 'failed', 'skipped', 'skipped', 'skipped']);
    expect(found.steps[1]?.cure).toMatch(/UROCE_NETDEV|IPv4/);
    await two.other.kill();
    await two.recorder.untilMessage('peers.changed', ({ peers }) => peers[0]?.state === 'down');
    const gone = await check(two);
    expect(gone.steps[0]).toMatchObject({ state: 'failed' });
    expect(gone.steps[0]?.detail).toContain('does not answer');
  });
});
