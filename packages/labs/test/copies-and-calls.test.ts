import type { EndpointLoopResult } from '@verbslab/protocol';
import { expect, it } from 'vitest';
import { copiesOf } from '../src/copies-and-calls/copies.js';
import { cpuPerMessage, perKiB, switchesPerMessage, type Round } from '../src/copies-and-calls/costs.js';

const loop = (appNs: number, nicNs: number | null, kernelNs: number): EndpointLoopResult =>
  ({ cpu: { appNs, nicNs, kernelNs, switches: { voluntary: 8, involuntary: 2 } } }) as EndpointLoopResult;

it('divides what both ends spent by their messages', () => {
  const round: Round = {
    client: loop(1000, 500, 500),
    server: loop(3000, null, 1000),
    messages: 10,
    deviceSwitches: 5,
  };
  expect(cpuPerMessage(round)).toBe(600);
  expect(switchesPerMessage(round)).toBe(2.5);
  expect(perKiB({ size: 1024, ns: 100 }, { size: 5120, ns: 500 })).toBe(100);
});

it('knows the copies by way and device', () => {
  expect(copiesOf('tcp', 'hardware')).toHaveLength(2);
  expect(copiesOf('write', 'hardware')).toEqual([]);
  expect(copiesOf('send', 'kernel')).toHaveLength(2);
  expect(copiesOf('write', 'user-space')).toHaveLength(4);
  expect(copiesOf('write-shm', 'user-space')).not.toContain('packet → kernel');
  expect(copiesOf('write', 'unknown')).toBeNull();
});
