import { LABS } from '@verbslab/labs';
import type { PacketRecord } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { RunModel } from '../src/model/run-model';
import { stepLog } from '../src/model/step-log';
import { showValue } from '../src/run/value';
import { record, Stream } from './stream';

const lab = LABS.find((l) => l.description.id === 'minimal-flow')!.description;
const index = (id: string) => lab.steps!.findIndex((s) => s.id === id);
const packet = (t: number): PacketRecord => ({
  t,
  tapSeq: 0,
  direction: 'sent',
  flags: 0,
  origLen: 4,
  bytes: new Uint8Array([0x45, 0, 0, 4]),
});

function run() {
  const model = new RunModel(record({ lab: 'minimal-flow', mode: 'step', waitingFor: 'read' }));
  const s = new Stream();
  const step = (id: string, phase: 'begin' | 'end', t: number, ok = true) =>
    model.event(
      s.event({ kind: 'step', phase, id, index: index(id), t, ...(phase === 'end' ? { ok } : {}) }),
    );
  const verb = (call: string, endpoint: string) =>
    model.event(s.event({ kind: 'verb', call, endpoint, args: {}, durationNs: 1 }));
  verb('ibv_open_device', 'client');
  step('queues', 'begin', 100);
  verb('ibv_create_qp', 'client');
  step('queues', 'end', 200);
  step('init', 'begin', 300);
  model.event(
    s.event({ kind: 'qp', endpoint: 'client', qpn: 1, from: 'RESET', to: 'INIT', attrs: {}, t: 310 }),
  );
  step('init', 'end', 400);
  step('write', 'begin', 500);
  verb('ibv_post_send', 'client');
  step('write', 'end', 600, false);
  model.frame(s.packets(1, [packet(510), packet(590), packet(650)]));
  return { model, s, steps: stepLog(model, lab) };
}

describe('what happened in each step', () => {
  const { steps } = run();
  const step = (id: string) => steps[index(id)]!;

  it('has every step of the lab, done or not', () => {
    expect(steps.map((s) => s.id)).toEqual(lab.steps!.map((s) => s.id));
    expect([step('queues').state, step('write').state, step('read').state, step('verify').state]).toEqual([
      'done',
      'failed',
      'waiting',
      'pending',
    ]);
  });

  it('gives what came before the first step to the first', () => {
    expect(steps[0]!.events.map((e) => e.kind === 'verb' && e.call)).toEqual(['ibv_open_device']);
  });

  it('knows the QP states after each step and the transitions in it', () => {
    expect(step('queues').states).toEqual({ client: 'RESET', server: null });
    expect(step('init').states.client).toBe('INIT');
    expect(step('init').moves.client).toEqual([['RESET', 'INIT']]);
    expect(step('write').moves.client).toBeUndefined();
    expect(step('teardown').states.client).toBe('INIT');
  });

  it('puts packets where they belong by their time', () => {
    expect(step('write').packets).toEqual([0, 1, 2]);
    expect(step('init').packets).toEqual([]);
  });
});

describe('arguments in C’s manner', () => {
  it.each([
    [{ wr_id: 1, opcode: 'RDMA_WRITE' }, 'wr', '{.wr_id = 1, .opcode = RDMA_WRITE}'],
    [4660, 'rkey', '0x1234'],
    [4660, 'length', '4660'],
    [5611, 'qp_num', '0x0015eb (5611)'],
    [4660, 'rq_psn', '4660 (0x001234)'],
    ['QP 5611', 'qp', 'QP 0x0015eb (5611)'],
    [['LOCAL_WRITE', 'REMOTE_READ'], 'access', 'LOCAL_WRITE | REMOTE_READ'],
    [[], 'access', '0'],
    [null, 'result', 'NULL'],
    [2 ** 64, 'max_mr_size', '1.84e+19'],
  ])('%j', (value, name, shown) => expect(showValue(value, name)).toBe(shown));
});
