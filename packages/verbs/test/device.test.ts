import { describe, expect, it } from 'vitest';
import { listDevices, listProviders, openDevice, VerbsError } from '../src/index.js';
import { DEVICE, inProcess, thrown } from './helpers.js';

describe('devices', () => {
  it('are those of the embedded library and of the machine', () => {
    const device = listDevices().find(({ name }) => name === DEVICE);
    expect(device).toMatchObject({ provider: 'embedded', providerClass: 'user-space' });
    expect(Object.entries(device!.capabilities).filter(([, has]) => !has)).toEqual([]);
    expect(device!.guid).toBeTypeOf('bigint');
    const system = listProviders().find(({ provider }) => provider === 'system')!;
    // A machine without RDMA gives a reason; a machine with RDMA has devices.
    if (system.error === null) expect(system.devices).toBeInstanceOf(Array);
    else expect(system.error).toBeInstanceOf(VerbsError);
  });

  it('unknown ones are named together with those that there are', () => {
    const error = thrown(() => openDevice('mlx5_9'));
    expect(error).toMatchObject({ code: 'ENODEV', call: 'openDevice' });
    expect(error.message).toContain('mlx5_9');
    expect(error.hint).toContain(DEVICE);
  });

  it('tell attributes, port and GIDs', () => {
    using ctx = openDevice(DEVICE);
    expect(ctx.attributes).toMatchObject({ ports: 1, atomic: 'hca' });
    expect(ctx.queryPort()).toMatchObject({ state: 'ACTIVE', linkLayer: 'ethernet', activeMtu: 4096 });
    const gids = ctx.gids();
    expect(gids.map(({ type }) => type)).toEqual(gids.map(() => 'RoCEv2'));
    expect(ctx.gid().gid).toMatch(/^::ffff:/);
    expect(ctx.gid(1, gids[0]!.index)).toEqual(gids[0]);
    expect(thrown(() => ctx.gid(1, 999)).hint).toContain(String(gids[0]!.index));
    expect(thrown(() => ctx.queryPort(7)).code).toBe('EINVAL');
    expect(thrown(() => ctx.queryPort('1' as never)).message).toContain('port');
  });

  it('on another address when asked', async () => {
    const source = `import { openDevice } from './src/index.ts';
      console.log(openDevice('${DEVICE}').gid().address);`;
    const { stdout } = await inProcess(source, { UROCE_ADDR: '127.0.0.2' });
    expect(stdout.trim()).toBe('127.0.0.2');
  });
});
