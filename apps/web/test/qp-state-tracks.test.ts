import type { RunEvent, RunEventOf } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { RunModel } from '../src/model/run-model';
import { TrackEvents } from '../src/parts/timeline/model/track-events';
import { stateTracks } from '../src/parts/timeline/tracks/qp-states';
import { events } from './machine/recorded';
import { record } from './stream';

const all = events('minimal-flow');
const destroyed = all.find(
  (e): e is RunEventOf<'verb'> & RunEvent =>
    e.kind === 'verb' && e.call === 'ibv_destroy_qp' && e.endpoint === 'client',
)!;
const qpn = 7578;

/** The states of the client’s QP as the timeline draws them, up to the end of the run. */
function drawn(list: readonly RunEvent[]): [state: string, from: number, to: number][] {
  const model = new RunModel(record({ lab: 'minimal-flow', state: 'done' }));
  for (const event of list) model.event(event);
  const track = stateTracks(model, new TrackEvents(model).update(), 1e12).find(
    ({ group }) => group === 'client',
  )!;
  return track.rows[0]!.map(({ label, from, to }) => [label, from, to]);
}

describe('states of a QP on the timeline', () => {
  it('end when the QP is destroyed', () => {
    const states = drawn(all);
    expect(states.map(([state]) => state)).toEqual(['RESET', 'INIT', 'RTR', 'RTS']);
    expect(states.at(-1)![2]).toBe(destroyed.t);
  });

  it('show the error that a failed completion implies', () => {
    const at = destroyed.t - 1000;
    const wc = { wrId: 9, status: 12, statusName: '', opcode: 'RDMA_WRITE', byteLen: 0, qpn };
    const failed = { kind: 'completion', endpoint: 'client', wc, t: at, seq: destroyed.seq } as RunEvent;
    const before = all.filter(({ seq }) => seq < destroyed.seq);
    const after = all.filter(({ seq }) => seq >= destroyed.seq).map((e) => ({ ...e, seq: e.seq + 1 }));
    const states = drawn([...before, failed, ...after]);
    expect(states.slice(-2)).toEqual([
      ['RTS', expect.any(Number), at],
      ['ERR', at, destroyed.t],
    ]);
  });
});
