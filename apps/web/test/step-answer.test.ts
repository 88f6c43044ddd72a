/** Answers to the questions before the steps, over a run with packets that was recorded on the embedded device. */
import { LABS } from '@verbslab/labs';
import type { RunEvent } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { RunModel } from '../src/model/run-model';
import { stepAnswer } from '../src/model/step-answer';
import { stepFacts } from '../src/model/step-facts';
import { stepLog } from '../src/model/step-log';
import { keptRun } from './lib/kept-run';

const labOf = (name: string) => LABS.find(({ description }) => description.id === name)!.description;
const lab = labOf('minimal-flow');

const KEPT = await keptRun('minimal-flow');

/** A run, with changed events. Null leaves one out. */
function modelOf(change: (event: RunEvent) => RunEvent | null = (event) => event, kept = KEPT): RunModel {
  const model = new RunModel(kept.run);
  for (const item of kept.items) {
    if (item instanceof Uint8Array) {
      model.frame(item);
      continue;
    }
    const changed = change(item);
    if (changed) model.event(changed);
  }
  return model;
}

function answers(model: RunModel, of = lab): Record<string, string | null | undefined> {
  const steps = stepLog(model, of);
  return Object.fromEntries(
    steps.map((step) => [step.id, stepAnswer(model, steps, step, step.question!)?.right]),
  );
}

const RIGHT = {
  ...{ device: 'gid', memory: 'server', queues: 'one', exchange: 'out-of-band', init: 'nothing' },
  ...{ rtr: 'none', rts: 'retry', write: 'several', look: 'nothing', read: 'data', verify: 'two' },
  teardown: 'never',
};

describe('the answer of a run to the question before a step', () => {
  it('follows from what it recorded, for every step of the minimal flow', () => {
    expect(answers(modelOf())).toEqual(RIGHT);
  });

  it('is another one where the run recorded something else', () => {
    const withRight = modelOf((event) =>
      event.kind === 'verb' && event.call === 'ibv_reg_mr'
        ? { ...event, args: { ...event.args, access: ['LOCAL_WRITE', 'REMOTE_WRITE'] } }
        : event,
    );
    expect(answers(withRight).memory).toBe('both');
    let looked = false;
    const withCompletion = modelOf((event) => {
      if (event.kind === 'step' && event.id === 'look') looked = event.phase === 'begin';
      return looked && event.kind === 'verb' && event.endpoint === 'server'
        ? {
            ...{ seq: event.seq, t: event.t, endpoint: 'server', kind: 'completion' },
            wc: { wrId: 9, status: 0, statusName: 'SUCCESS', opcode: 'RECV', byteLen: 1, qpn: 1 },
          }
        : event;
    });
    expect(answers(withCompletion)).toMatchObject({ look: 'completion', verify: 'four' });
  });

  it('tells symptoms of a failure apart by what failed, and by what the packets say', async () => {
    const kept = await keptRun('clinic');
    const clinic = labOf('clinic');
    const found = modelOf(undefined, kept);
    expect(answers(found, clinic)).toEqual({ symptoms: 'completion', reveal: 'rnr', fix: 'success' });
    const worked = modelOf(
      (event) =>
        event.kind === 'completion'
          ? { ...event, wc: { ...event.wc, status: 0, statusName: 'SUCCESS' } }
          : event,
      kept,
    );
    expect(answers(worked, clinic)).toMatchObject({ symptoms: 'neither', fix: 'success' });
    const refused = modelOf((event) => {
      if (event.kind === 'completion') return null;
      return event.kind === 'verb' && event.call === 'ibv_post_send'
        ? { ...event, error: { code: 'VERBS_FAILED', message: 'EINVAL', cure: '', detail: {} } as never }
        : event;
    }, kept);
    expect(answers(refused, clinic)).toMatchObject({ symptoms: 'call', fix: 'silent' });
  });

  it('is none where the run did not record what decides it', () => {
    // A run without a tap says nothing about packets.
    const blind = answers(modelOf((event) => (event.kind === 'source' ? null : event)));
    expect(blind).toMatchObject({ rtr: null, write: null, read: null, teardown: null, exchange: null });
    expect(blind).toMatchObject({ memory: 'server', look: 'nothing' });
  });

  it('is not there before the step is over', () => {
    const open = modelOf((event) =>
      event.kind === 'step' && event.id === 'look' && event.phase === 'end' ? null : event,
    );
    expect(answers(open)).toEqual({ ...RIGHT, look: undefined });
  });

  it('says what was counted', () => {
    const model = modelOf();
    const steps = stepLog(model, lab);
    const step = (id: string) => steps.find((one) => one.id === id)!;
    const counted = (id: string) => stepAnswer(model, steps, step(id), step(id).question!)!.counted;
    expect(counted('write')).toEqual(['3 packets (WRITE) by the client']);
    expect(counted('look')).toEqual(['1 call of ibv_poll_cq by the server', '0 completions at the server']);
    expect(counted('verify')).toEqual([
      '2 completions at the client so far',
      '0 completions at the server so far',
    ]);
  });
});

it('gives the figures of a step', () => {
  const model = modelOf();
  const step = stepLog(model, lab).find(({ id }) => id === 'write')!;
  const facts = Object.fromEntries(stepFacts(model, lab, step).map(({ name, value }) => [name, value]));
  expect(facts.packets).toBe('WRITE First +0, WRITE Middle +1, WRITE Last +2, ACK +2');
  expect(facts.completions).toBe('1 by the client, 0 by the server');
  expect(facts.request).toMatch(/^CQE [\d.]+\s[µm]s after the post$/);
});
