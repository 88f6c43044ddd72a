import { findLab } from '@verbslab/labs';
import type { Simulated } from '@verbslab/protocol';
import { expect, it } from 'vitest';
import { failedChecks, finishLab, onFabric, withResult } from './helpers/lab-results.js';

const livelock = findLab('go-back-0-livelock');

const withGoodput = (done: Simulated, goodput_gbps: number): Simulated => withResult(done, { goodput_gbps });
const recoveryOf = ({ transport }: Record<string, unknown>) => (transport as { recovery: string }).recovery;

it('notices messages that get through above the limit', async () => {
  const lab = onFabric(livelock, (done) => (done.result.goodput_gbps === 0 ? withGoodput(done, 1) : done));
  expect(failedChecks(await finishLab(lab))).toEqual(['stops']);
});

it('notices go-back-N that is slower, and a formula that does not hold', async () => {
  const lab = onFabric(livelock, (done, scenario) =>
    recoveryOf(scenario) === 'go-back-n' ? withGoodput(done, 10) : done,
  );
  const run = await finishLab(lab);
  expect(failedChecks(run)).toEqual(['recovers', 'formula']);
  expect(run.answer).toContain('2 checks failed');
});

it('finds the limit where the losses are rarer, and finds none in short messages', async () => {
  const rare = await finishLab(livelock, { params: { every: 2048, duration: 20 } });
  expect(failedChecks(rare)).toEqual([]);
  expect(rare.results.figures).toMatchObject({
    limit: { value: (2048 - 14) * 4096 },
    completed: { value: 4 * 1024 * 1024 },
  });
  const short = await finishLab(livelock, { params: { largest: '256KiB' } });
  expect(short.checks.find(({ id }) => id === 'stops')).toMatchObject({ applies: false });
  expect(short.answer).toContain('still fit between two losses');
});

it('is the same again', async () => {
  const once = await finishLab(livelock);
  expect(await finishLab(livelock)).toEqual(once);
});
