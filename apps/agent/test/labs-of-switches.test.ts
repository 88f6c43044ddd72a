/** Checks of the labs about switches notice a fabric that behaves differently. */
import { findLab } from '@verbslab/labs';
import type { Scenario, Simulated } from '@verbslab/protocol';
import { expect, it } from 'vitest';
import {
  failedChecks,
  finishLab,
  onFabric,
  withResult,
  type ChangedFabric,
  type FinishedLab,
} from './helpers/lab-results.js';

/** Runs a lab with one seed on a fabric that behaves differently. */
const changed = (
  id: string,
  change: ChangedFabric,
  params: Record<string, string | number> = { seeds: 1 },
): Promise<FinishedLab> => finishLab(onFabric(findLab(id), change), { params });

const pfcOf = ({ switch: settings }: Scenario): boolean => (settings as { pfc?: boolean }).pfc === true;
const lossy = (done: Simulated): Simulated => withResult(done, { drops: { 'headroom full': 3 } });

it('fabric-incast: drops with PFC, answers that are missing, a loss without repair, another run', async () => {
  const params = { seeds: 1, hosts: 8, bytes: 524_288 };
  const failing = async (change: ChangedFabric) =>
    failedChecks(await changed('fabric-incast', change, params));
  expect(await failing((done) => done)).toEqual([]);
  expect(await failing((done, scenario) => (pfcOf(scenario) ? lossy(done) : done))).toEqual([
    'lossless',
    'repaired',
  ]);
  expect(await failing((done) => withResult(done, { flows_unfinished: 1 }))).toEqual(['answered']);
  expect(await failing((done, _, nth) => withResult(done, { trace: String(nth) }))).toEqual(['repeatable']);
});

it('dcqcn-fairness: drops, no CNP, and more than the link carries', async () => {
  const params = { seeds: 1, join: 5, duration: 20 };
  const failing = async (change: ChangedFabric) =>
    failedChecks(await changed('dcqcn-fairness', change, params));
  expect(await failing(lossy)).toEqual(['lossless']);
  expect(await failing((done) => withResult(done, { cnps: 0 }))).toEqual(['notified']);
  const faster = ({ samples, ...rest }: Simulated): Simulated => ({
    ...rest,
    samples: samples.map((one) => ({ ...one, received_gbps: one.received_gbps.map((rate) => rate * 1.2) })),
  });
  expect(await failing(faster)).toEqual(['line']);
});

it('ecn-or-pfc: drops, another queue at the first PAUSE, and a queue above it without one', async () => {
  const failing = async (change: ChangedFabric) => failedChecks(await changed('ecn-or-pfc', change));
  expect(await failing(lossy)).toEqual(['lossless']);
  const longer = (done: Simulated): Simulated =>
    withResult(done, { queue_max_bytes: 2 * done.result.queue_max_bytes });
  expect(await failing(longer)).toEqual(['formula', 'below']);
});

it('pfc-victim: drops, a fabric that does not pause, and other shares', async () => {
  const params = { seeds: 1, duration: 20, most: 2 };
  const failing = async (change: ChangedFabric) => failedChecks(await changed('pfc-victim', change, params));
  expect(await failing(lossy)).toEqual(['lossless']);
  expect(await failing((done) => withResult(done, { pauses: 0 }))).toEqual(['paused']);
  const slower = ({ samples, ...rest }: Simulated): Simulated => ({
    ...rest,
    samples: samples.map((one) => ({
      ...one,
      flows: (one.flows ?? []).map((flow) => ({
        ...flow,
        acknowledged_bytes: flow.acknowledged_bytes / 2,
      })),
    })),
  });
  expect(await failing(slower)).toEqual(['formula']);
});

it('pfc-headroom: loss with the headroom of the formula, and none with half of it', async () => {
  const failing = async (change: ChangedFabric) => failedChecks(await changed('pfc-headroom', change));
  expect(await failing((done) => withResult(done, { drops: {} }))).toEqual(['lossy']);
  const short = await changed('pfc-headroom', lossy);
  expect(failedChecks(short)).toEqual(['enough']);
  // No headroom was enough.
  expect(short.results.figures.needed).toMatchObject({ value: null });
});

it('pause-storm: another cycle, drops without a watchdog, and a watchdog that sleeps', async () => {
  const params = { seeds: 1, hosts: 2 };
  const failing = async (change: ChangedFabric) => failedChecks(await changed('pause-storm', change, params));
  expect(await failing((done) => withResult(done, { pauses: 2 * done.result.pauses }))).toEqual(['cycle']);
  expect(await failing(lossy)).toEqual(['lossless']);
  const asleep = ({ mechanisms, ...rest }: Simulated): Simulated => ({
    ...rest,
    mechanisms: mechanisms.map((one) => ({ ...one, fired: 0 })),
  });
  expect(await failing(asleep)).toEqual(['watchdog']);
});

it('microburst: a longer queue, drops with PFC, and answers that are missing', async () => {
  const failing = async (change: ChangedFabric) => failedChecks(await changed('microburst', change, {}));
  const longer = (done: Simulated): Simulated =>
    withResult(done, { queue_max_bytes: 2 * done.result.queue_max_bytes });
  expect(await failing(longer)).toEqual(['peak']);
  expect(await failing(lossy)).toEqual(['lossless']);
  expect(await failing((done) => withResult(done, { flows_unfinished: 1 }))).toEqual(['arrived']);
});
