/** Checks of the labs about recovery and paths notice a fabric that behaves differently. */
import { findLab } from '@verbslab/labs';
import type { Scenario, Simulated } from '@verbslab/protocol';
import { expect, it } from 'vitest';
import {
  failedChecks,
  finishLab,
  onFabric,
  tampered,
  withResult,
  type ChangedFabric,
} from './helpers/lab-results.js';

type Params = Record<string, string | number>;

/** The failed checks of a lab on a fabric that behaves differently. */
const failing = async (id: string, params: Params, change: ChangedFabric): Promise<string[]> =>
  failedChecks(await finishLab(onFabric(findLab(id), change), { params }));

const slower =
  (times: number): ChangedFabric =>
  (done) => ({
    ...withResult(done, { us: done.result.us * times }),
    flows: done.flows.map(({ time_us, ...rest }) =>
      time_us === undefined ? rest : { ...rest, time_us: time_us * times },
    ),
  });
const asIs: ChangedFabric = (done) => done;
const unfinished: ChangedFabric = (done) => withResult(done, { flows_unfinished: 1 });
const failed: ChangedFabric = (done) => withResult(done, { flows_failed: 1 });

it('ack-timeout: needless timeouts, another goodput, a last packet that costs more', async () => {
  const of = (change: ChangedFabric) => failing('ack-timeout', { longest: '10' }, change);
  expect(await of(asIs)).toEqual([]);
  expect(await of((done) => withResult(done, { timeouts: 1 }))).toEqual(['queue']);
  expect(await of((done) => withResult(done, { goodput_gbps: done.result.goodput_gbps / 2 }))).toEqual([
    'loss',
  ]);
  expect(await of(slower(2))).toEqual(['tail']);
});

it('loss-policies: other goodputs, one recovery too good, packets sent again in vain', async () => {
  const of = (change: ChangedFabric) => failing('loss-policies', { seeds: 3, live: 0.5 }, change);
  const only =
    (recovery: string, change: (done: Simulated) => Simulated): ChangedFabric =>
    (done, { transport }) =>
      (transport as { recovery?: string } | undefined)?.recovery === recovery ? change(done) : done;
  const goodput = (times: number) => (done: Simulated) =>
    withResult(done, { goodput_gbps: done.result.goodput_gbps * times });
  expect(await of(asIs)).toEqual([]);
  expect(await of(only('go-back-n', goodput(1.3)))).toEqual(['formula', 'order']);
  expect(await of(only('go-back-0', goodput(1.3)))).toContain('formula');
  expect(
    await of(
      only('selective-repeat', (done) => withResult(done, { retransmitted: 2 * done.result.retransmitted })),
    ),
  ).toEqual(['selective']);
});

it('loss-policies: a live device that loses packets and is faster than they allow', async () => {
  let lossy = false;
  const lab = tampered(findLab('loss-policies'), {
    args: (op, args) => {
      if (op === 'faults' && 'rates' in args) lossy = (args.rates?.drop ?? 0) > 0;
      return args;
    },
    result: (op, result) =>
      op === 'loop.wait' && 'elapsedNs' in result && lossy
        ? { ...result, elapsedNs: result.elapsedNs / 5 }
        : result,
  });
  expect(failedChecks(await finishLab(lab, { params: { seeds: 1, live: 1 } }))).toEqual(['live']);
});

it('amplification-loop: drops below the limit, drops without repair, failed connections', async () => {
  const of = (change: ChangedFabric) => failing('amplification-loop', { load: 40 }, change);
  expect(await of(asIs)).toEqual([]);
  expect(await of((done) => withResult(done, { drops: {} }))).toEqual(['threshold']);
  expect(await of((done) => withResult(done, { retransmitted: 0 }))).toEqual(['multiplied']);
  expect(await of(failed)).toEqual(['alive']);
});

it('ecmp-collisions: unfinished flows, idle uplinks, other times', async () => {
  const of = (change: ChangedFabric) => failing('ecmp-collisions', { qps: '2', seeds: 2 }, change);
  expect(await of(asIs)).toEqual([]);
  expect(await of(unfinished)).toEqual(['whole']);
  expect(await of((done) => ({ ...done, samples: [] }))).toEqual(['used']);
  expect(await of(slower(3))).toEqual(['formula']);
  expect(await of(slower(1 / 4))).toEqual(['formula', 'polarized']);
});

it('topology-pressure: unfinished flows, and times that are too long', async () => {
  const of = (change: ChangedFabric) => failing('topology-pressure', { servers: '4', seeds: 1 }, change);
  expect(await of(unfinished)).toEqual(['whole']);
  expect(await of(slower(2))).toEqual(['local', 'formula', 'order']);
});

it('all-reduce-loss: failed flows, delays that no timeout explains, too many timeouts', async () => {
  const lossy = ({ link }: Scenario): boolean => (link as { loss: number }).loss > 0;
  const of = (change: ChangedFabric) => failing('all-reduce-loss', { hosts: '16', seeds: 3 }, change);
  expect(await of(asIs)).toEqual([]);
  expect(await of(failed)).toEqual(['whole']);
  expect(
    await of((done, scenario) =>
      lossy(scenario) ? withResult(done, { us: 1000 * done.result.us, timeouts: 0 }) : done,
    ),
  ).toContain('timers');
  expect(await of((done) => withResult(done, { timeouts: done.result.timeouts + 10 }))).toEqual(['expected']);
});

it('pfc-deadlock: packets that arrive after all, late pauses, a ring that goes on, a tree that stops', async () => {
  const of = (change: ChangedFabric) => failing('pfc-deadlock', {}, change);
  const arriving: ChangedFabric = (done) => {
    const { raw, ...packets } = done.result.packets;
    return raw && raw.made > 0
      ? withResult(done, { packets: { ...packets, raw: { ...raw, delivered: raw.made } } })
      : done;
  };
  expect(await of(asIs)).toEqual([]);
  expect(await of(arriving)).toEqual(['limit']);
  expect(await of(slower(2))).toEqual(['pause']);
  expect(
    await of((done) => ({ ...done, samples: done.samples.map((one) => ({ ...one, paused: [] })) })),
  ).toEqual(['stands']);
  expect(await of((done) => withResult(done, { goodput_gbps: 0 }))).toEqual(['tree']);
});
