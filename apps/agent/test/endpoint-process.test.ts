import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AppError, type AnyErrorCode } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import type { HostedEndpoint } from '../src/endpoint/hosted-endpoint.js';
import { alive, eventually, Recording } from './endpoint-harness.js';
import { testEndpoint } from './helpers/test-endpoint.js';

async function open(
  recording: Recording,
  ...rest: Parameters<Recording['spawn']> extends [string, ...infer R] ? R : never
): Promise<HostedEndpoint> {
  const endpoint = await testEndpoint(recording, 'client', ...rest);
  return endpoint;
}

async function codeOf(promise: Promise<unknown>): Promise<AnyErrorCode> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  return (error as AppError).code;
}

describe('an endpoint process', () => {
  it('opens its device, describes it, and leaves nothing when closed', async () => {
    const recording = new Recording();
    const endpoint = await open(recording);
    expect(endpoint.device).toMatchObject({ name: 'uroce0', providerClass: 'user-space' });
    expect(endpoint.has('tap')).toBe(true);
    expect(recording.events).toEqual([]);
    await endpoint.call('query', {});
    expect(recording.calls()).toEqual([
      'ibv_get_device_list',
      'ibv_open_device',
      'ibv_query_device',
      'ibv_query_port',
      'ibv_query_gid',
    ]);
    await endpoint.close(2000);
    expect(await endpoint.exited).toEqual({ code: 0, signal: null });
    expect(recording.calls().at(-1)).toBe('ibv_close_device');
    expect(alive(endpoint.pid)).toBe(false);
  });

  it('says which devices there are when asked for another, and ends', async () => {
    const error = await new Recording()
      .spawn('client', { device: 'mlx5_9' })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).info).toMatchObject({
      code: 'UNKNOWN_DEVICE',
      message: 'There is no device “mlx5_9”.',
      cure: expect.stringContaining('uroce0') as string,
    });
  });

  it('reports a failing call as an event and as the answer', async () => {
    const recording = new Recording();
    const endpoint = await open(recording);
    const { pd } = await endpoint.call('allocPd', {});
    const { mr } = await endpoint.call('regMr', { pd, length: 4096, access: ['LOCAL_WRITE'] });
    const refused = endpoint.call('destroy', { what: 'pd', handle: pd });
    expect(await codeOf(refused)).toBe('VERBS');
    const event = recording.of('verb').at(-1);
    expect(event).toMatchObject({ call: 'ibv_dealloc_pd', error: { code: 'VERBS' } });
    expect(event?.error?.message).toContain('EBUSY');
    await endpoint.call('destroy', { what: 'mr', handle: mr });
    await endpoint.call('destroy', { what: 'pd', handle: pd });
    expect(await codeOf(endpoint.call('destroy', { what: 'pd', handle: pd }))).toBe('BAD_HANDLE');
  });

  it('rejects arguments that are not as documented, and keeps running', async () => {
    const endpoint = await open(new Recording());
    for (const bad of [{}, { pd: 'x', length: 1, access: [] }, { pd: 1, length: 0, access: [] }, null, 7])
      expect(await codeOf(endpoint.call('regMr', bad as never))).toBe('BAD_MESSAGE');
    // A wait that no timer can have is its caller's mistake, and no reason to give the endpoint up.
    for (const timeoutMs of [2 ** 53, 1e308, -1, 'long'])
      expect(await codeOf(endpoint.call('waitCq', { cq: 1, count: 1, timeoutMs } as never))).toBe(
        'BAD_MESSAGE',
      );
    expect(await codeOf(endpoint.call('nonsense' as never, {} as never))).toBe('BAD_MESSAGE');
    expect(await endpoint.call('allocPd', {})).toHaveProperty('pd');
  });

  it('does not take a handle of one kind for another', async () => {
    const endpoint = await open(new Recording());
    const { pd } = await endpoint.call('allocPd', {});
    expect(await codeOf(endpoint.call('pollCq', { cq: pd }))).toBe('BAD_HANDLE');
    expect(await codeOf(endpoint.call('readMemory', { mr: pd, offset: 0, length: 1 }))).toBe('BAD_HANDLE');
  });

  it('keeps to the bounds of a region', async () => {
    const endpoint = await open(new Recording());
    const { pd } = await endpoint.call('allocPd', {});
    const { mr } = await endpoint.call('regMr', { pd, length: 100, access: ['LOCAL_WRITE'] });
    await endpoint.call('writeMemory', { mr, offset: 98, base64: Buffer.from('ab').toString('base64') });
    const read = await endpoint.call('readMemory', { mr, offset: 97, length: 3 });
    expect([...Buffer.from(read.base64, 'base64')]).toEqual([0, 97, 98]);
    expect(await codeOf(endpoint.call('readMemory', { mr, offset: 98, length: 3 }))).toBe('LIMIT');
    expect(await codeOf(endpoint.call('fillMemory', { mr, offset: 0, length: 101, seed: 1 }))).toBe('LIMIT');
  });

  it('fills memory by seed and position alone', async () => {
    const endpoint = await open(new Recording());
    const { pd } = await endpoint.call('allocPd', {});
    const { mr } = await endpoint.call('regMr', { pd, length: 20_000, access: ['LOCAL_WRITE'] });
    await endpoint.call('fillMemory', { mr, offset: 0, length: 5001, seed: 7 });
    await endpoint.call('fillMemory', { mr, offset: 8000, length: 5001, seed: 7 });
    const hash = async (offset: number, length = 5001): Promise<string> =>
      (await endpoint.call('hashMemory', { mr, offset, length })).sha256;
    expect(await hash(0)).toBe(await hash(8000));
    await endpoint.call('fillMemory', { mr, offset: 8000, length: 5001, seed: 8 });
    expect(await hash(0)).not.toBe(await hash(8000));
  });

  it('destroys what is left in the order of the verbs when it is closed', async () => {
    const recording = new Recording();
    const endpoint = await open(recording);
    const { pd } = await endpoint.call('allocPd', {});
    await endpoint.call('regMr', { pd, length: 4096, access: ['LOCAL_WRITE'] });
    const { cq } = await endpoint.call('createCq', { depth: 4, events: true });
    await endpoint.call('createQp', { pd, sendCq: cq });
    await endpoint.close(2000);
    expect(recording.calls().slice(-6)).toEqual([
      'ibv_destroy_qp',
      'ibv_destroy_cq',
      'ibv_dereg_mr',
      'ibv_dealloc_pd',
      'ibv_destroy_comp_channel',
      'ibv_close_device',
    ]);
    expect(recording.of('verb').filter(({ error }) => error)).toEqual([]);
    expect(await endpoint.exited).toEqual({ code: 0, signal: null });
  });
});

describe('the end of an endpoint process', () => {
  it('rejects everything that is pending when it is killed', async () => {
    const endpoint = await open(new Recording());
    const { cq } = await endpoint.call('createCq', { depth: 4 });
    const waiting = [1, 2].map(() => codeOf(endpoint.call('waitCq', { cq, count: 1, timeoutMs: 60_000 })));
    process.kill(endpoint.pid, 'SIGKILL');
    expect(await Promise.all(waiting)).toEqual(['ENDPOINT_DIED', 'ENDPOINT_DIED']);
    expect(await endpoint.exited).toMatchObject({ signal: 'SIGKILL', error: { code: 'ENDPOINT_DIED' } });
    expect(await codeOf(endpoint.call('allocPd', {}))).toBe('ENDPOINT_DIED');
  });

  it('does not wait for one that is stuck', async () => {
    const endpoint = await open(new Recording(), { callTimeoutMs: 500 });
    process.kill(endpoint.pid, 'SIGSTOP');
    expect(await codeOf(endpoint.call('allocPd', {}))).toBe('ENDPOINT_TIMEOUT');
    await endpoint.exited;
    expect(alive(endpoint.pid)).toBe(false);
  });

  it('is enforced when closing takes too long', async () => {
    const endpoint = await open(new Recording());
    process.kill(endpoint.pid, 'SIGSTOP');
    await endpoint.close(200);
    expect(await endpoint.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('comes in order with SIGTERM', async () => {
    const recording = new Recording();
    const endpoint = await open(recording);
    await endpoint.call('allocPd', {});
    process.kill(endpoint.pid, 'SIGTERM');
    expect(await endpoint.exited).toMatchObject({ code: 0, signal: null });
    expect(recording.calls().slice(-2)).toEqual(['ibv_dealloc_pd', 'ibv_close_device']);
  });

  it('comes at once when its start is aborted', async () => {
    const abort = new AbortController();
    const starting = new Recording().spawn('client', { signal: abort.signal });
    abort.abort();
    expect(await codeOf(starting)).toBe('ENDPOINT_DIED');
  });

  it('follows the death of its agent', async () => {
    const parent = spawn(
      process.execPath,
      ['--import', 'tsx', fileURLToPath(new URL('./endpoint-parent.ts', import.meta.url))],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const child = Number(line.toString());
    expect(alive(child)).toBe(true);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await eventually('the endpoint ends', () => !alive(child));
  });
});
