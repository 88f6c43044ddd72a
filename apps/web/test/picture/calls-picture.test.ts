/** The picture of calls: every slot, region and lit part follows from the record. */
import { LABS } from '@verbslab/labs';
import type { RunEventOf } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { callsPicture, endsOf, stillPicture, type CallsPicture } from '../../src/model/picture/calls-picture';
import { stepLog } from '../../src/model/step-log';
import { recorded } from '../machine/recorded';

const lab = LABS.find(({ description }) => description.id === 'minimal-flow')!.description;
const run = recorded('minimal-flow');
const steps = stepLog(run, lab);

function pictureOf(id: string): CallsPicture {
  const step = steps.find((one) => one.id === id)!;
  const events = step.events.filter(
    (e): e is RunEventOf<'verb'> | RunEventOf<'exchange'> => e.kind === 'verb' || e.kind === 'exchange',
  );
  return callsPicture(run, endsOf(run, lab), `Calls of ${id}`, events)!;
}
const names = (id: string) => pictureOf(id).stages.map(({ name }) => name);

describe('the picture of calls', () => {
  it('has a stage for each call and each exchange, in order', () => {
    expect(names('memory')).toEqual(['alloc_pd', 'reg_mr', 'alloc_pd', 'reg_mr']);
    expect(names('exchange')).toEqual(['To the server', 'To the client']);
    for (const { id } of steps) {
      const { stages } = pictureOf(id);
      for (const [i, { from, to }] of stages.entries()) {
        expect(to).toBeGreaterThanOrEqual(from);
        expect(from).toBeGreaterThanOrEqual(stages[i - 1]?.to ?? 0);
      }
    }
  });

  it('lights a program and its library while its call is under way, and nothing else', () => {
    for (const { id } of steps) {
      const { stages, stateAt, startsAt } = pictureOf(id);
      for (const { from, to } of stages) {
        const t = (from + to) / 2;
        const { hosts } = stateAt(t);
        for (const side of ['client', 'server'] as const) {
          const busy = run.trace.some(
            (e) =>
              e.kind === 'verb' &&
              e.endpoint === side &&
              e.t - startsAt <= t &&
              t < e.t + e.durationNs - startsAt,
          );
          expect(hosts[side].lit).toEqual(busy ? ['program', 'library'] : []);
        }
      }
    }
  });

  it('shows a region once its call has returned, and a queue with its pair', () => {
    const memory = pictureOf('memory');
    const [, register] = memory.stages;
    expect(memory.stateAt(register!.from + 1).hosts.client.memory).toBeNull();
    expect(memory.stateAt(register!.to).hosts.client.memory).toMatchObject({ length: 20_000 });
    expect(memory.stateAt(register!.to).hosts.server.memory).toBeNull();
    expect(memory.stages[3]!.caption).toContain('a memory region of 10,000 B with rkey 0x1b9d489d');
    const queues = pictureOf('queues');
    const made = queues.stages.at(-1)!;
    expect(queues.stateAt(0).hosts.server.qp).toBeNull();
    expect(queues.stateAt(made.to).hosts.server.rings.sq).toMatchObject({ capacity: 16, used: 0 });
    expect(queues.stateAt(made.to).hosts.server.qp).toMatchObject({ state: 'RESET' });
  });

  it('moves the state of a QP with its call, and takes objects away as they are destroyed', () => {
    const rtr = pictureOf('rtr');
    const [server, client] = rtr.stages;
    expect(rtr.stateAt(server!.from).hosts.server.qp?.state).toBe('INIT');
    expect(rtr.stateAt(server!.to).hosts.server.qp?.state).toBe('RTR');
    expect(rtr.stateAt(server!.to).hosts.client.qp?.state).toBe('INIT');
    expect(rtr.stateAt(client!.to).hosts.client.qp?.state).toBe('RTR');
    expect(server!.caption).toContain('is now in RTR.');
    const { stateAt, stages } = pictureOf('teardown');
    expect(stateAt(stages.at(-1)!.to).hosts.client).toMatchObject({ qp: null, memory: null });
  });

  it('knows that the queues of a lab are empty before its first post', () => {
    // The run waits for its WRITE.
    const waiting = recorded('minimal-flow', { mode: 'step' }, 56);
    const { hosts } = stillPicture(waiting, endsOf(waiting, lab), 'The hosts', Infinity).stateAt(0);
    for (const side of ['client', 'server'] as const)
      for (const queue of ['sq', 'rq', 'cq'] as const)
        expect(hosts[side].rings[queue]).toMatchObject({ capacity: 16, used: 0 });
  });

  it('says what was passed on outside of RDMA', () => {
    expect(pictureOf('exchange').stages[1]!.caption).toMatch(/QPN.*rkey.*outside of RDMA/);
  });

  it('stands still where nothing was called', () => {
    const still = stillPicture(run, endsOf(run, lab), 'The hosts', 0);
    expect(still.stateAt(0).hosts.client).toMatchObject({ lit: [], qp: null, memory: null, rings: {} });
  });
});
