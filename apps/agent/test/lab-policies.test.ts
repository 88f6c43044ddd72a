/** Recovery and congestion control as parameters of a lab: its queue pairs have them, and the run has their series. */
import { findLab } from '@verbslab/labs';
import { expect, it, vi } from 'vitest';
import { startLab } from './endpoint-harness.js';

const bulk = findLab('bulk');
const ENDLESS = { transport: 'rdma', duration: 600, repeat: 1, omit: 0 };
const SEEN = { timeout: 120_000, interval: 50 };

it('the bulk lab under DCQCN slows down while its packets are marked, and recovers', async () => {
  const params = { ...ENDLESS, congestion: 'dcqcn-nic', recovery: 'go-back-0' };
  const run = await startLab(bulk, { params });
  const states = () => run.recording.of('policies', 'client').flatMap(({ qps }) => qps);
  const { client, server } = run.endpoints;
  await vi.waitFor(() => expect(run.recording.of('policies', 'server').length).toBeGreaterThan(0), SEEN);
  await vi.waitFor(() => expect(run.recording.frames.length).toBeGreaterThan(2), SEEN);
  const chosen = { congestion: 'dcqcn-nic', recovery: 'go-back-0', lineRate: 10e9 };
  expect(states()[0]).toMatchObject(chosen);
  await client!.call('faults', { rates: { mark: 0.05, seed: '0x7' } });
  await vi.waitFor(() => {
    const limited = states().filter(({ rate }) => rate !== undefined);
    expect(limited.length).toBeGreaterThan(1);
    expect(Math.min(...limited.map(({ rate }) => rate!))).toBeLessThan(5e9);
  }, SEEN);
  expect(states().at(-1)!.cnps).toBeGreaterThan(0);
  await client!.call('faults', {});
  await vi.waitFor(() => expect(states().at(-1)!.rate).toBeUndefined(), SEEN);
  await Promise.all([client, server].map((endpoint) => endpoint!.close(150)));
  await expect(run.finished).rejects.toThrow();
});

it('the bulk lab asks nothing of a device for the default policy', async () => {
  const run = await startLab(bulk, { params: { ...ENDLESS, duration: 0.2, capturePackets: 0 } });
  await run.finished;
  expect(run.recording.of('policies')).toEqual([]);
  expect(run.recording.calls()).not.toContain('uroce_set_qp_policy');
  await run.close();
});
