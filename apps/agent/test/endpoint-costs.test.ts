/** Work of the kernel for an endpoint: system calls and context switches, and the energy of the machine. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallCount } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { readEnergy } from '../src/endpoint/energy.js';
import { CallCounter } from '../src/endpoint/call-counter.js';
import type { HostedEndpoint } from '../src/endpoint/hosted-endpoint.js';
import { Recording } from './endpoint-harness.js';
import { testEndpoint } from './helpers/test-endpoint.js';

async function openTwo(): Promise<readonly [HostedEndpoint, HostedEndpoint]> {
  const recording = new Recording();
  return Promise.all([testEndpoint(recording, 'client'), testEndpoint(recording, 'server')]);
}

const ofProgram = (calls: readonly CallCount[], name: string): number =>
  calls.find(({ part, call }) => part === 'program' && call === name)?.count ?? 0;

describe('system calls of an endpoint', () => {
  it.each([50, 75])('are counted: %s messages there and back over TCP', async (iterations) => {
    const [client, server] = await openTwo();
    for (const end of [client, server]) expect(await end.call('calls.start', {})).toEqual({ refused: null });
    const common = {
      transport: 'tcp',
      measure: 'latency',
      source: 0,
      size: 64,
      wait: 'event',
      iterations,
    } as const;
    const target = await server.call('loop.start', { ...common, role: 'target', port: 0 });
    const initiator = await client.call('loop.start', { ...common, role: 'initiator', port: target.port });
    const { cpu } = await client.call('loop.wait', { loop: initiator.loop });
    await server.call('loop.wait', { loop: target.loop });
    for (const end of [client, server]) {
      const { calls } = await end.call('calls.stop', {});
      expect(ofProgram(calls, 'sendto')).toBe(iterations);
      expect(ofProgram(calls, 'recvfrom')).toBeGreaterThanOrEqual(iterations);
      expect(calls.some(({ part }) => part === 'control')).toBe(true);
    }
    expect(cpu.switches?.voluntary).toBeGreaterThan(0);
    // The endpoint works on without the counter, and its calls can be counted again.
    expect(await client.call('calls.start', {})).toEqual({ refused: null });
    await client.call('query', {});
    expect((await client.call('calls.stop', {})).calls.length).toBeGreaterThan(0);
  });

  it('are not counted twice at once, nor stopped before they are', async () => {
    const [client] = await openTwo();
    await expect(client.call('calls.stop', {})).rejects.toMatchObject({ code: 'BAD_HANDLE' });
    await client.call('calls.start', {});
    await expect(client.call('calls.start', {})).rejects.toMatchObject({ code: 'LIMIT' });
  });

  it('says why there is no counter', async () => {
    expect(await CallCounter.start('/nowhere/vlcalls')).toContain('ENOENT');
    expect(await CallCounter.start('/bin/false')).toBe('vlcalls ended without a message');
  });
});

it('knows the context switches of the device’s thread', async () => {
  const [client] = await openTwo();
  const { switches } = await client.call('deviceSwitches', {});
  expect(switches).not.toBeNull();
  expect(switches?.voluntary).toBeGreaterThanOrEqual(0);
});

describe('energy', () => {
  it('is read from the packages alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'powercap-'));
    for (const [zone, name, energy] of [
      ['intel-rapl:0', 'package-0', '123'],
      ['intel-rapl:0:0', 'core', '99'],
      ['intel-rapl:1', 'package-1', '456'],
    ] as const) {
      mkdirSync(join(folder, zone));
      writeFileSync(join(folder, zone, 'name'), `${name}\n`);
      writeFileSync(join(folder, zone, 'energy_uj'), `${energy}\n`);
      writeFileSync(join(folder, zone, 'max_energy_range_uj'), '1000\n');
    }
    expect(readEnergy(folder)).toEqual({
      packages: [
        { name: 'package-0', microjoules: 123, range: 1000 },
        { name: 'package-1', microjoules: 456, range: 1000 },
      ],
      refused: null,
    });
  });

  it('says why there is none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'powercap-'));
    const { packages, refused } = readEnergy(folder);
    expect(packages).toEqual([]);
    expect(refused).toContain('intel-rapl:0');
    mkdirSync(join(folder, 'intel-rapl:0'));
    expect(readEnergy(folder).refused).toContain('chmod');
  });
});
