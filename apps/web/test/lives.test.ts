import type { RunEvent } from '@verbslab/protocol';
import { expect, it } from 'vitest';
import { RunModel } from '../src/model/run-model';
import { TrackEvents } from '../src/parts/timeline/model/track-events';
import { requestsByQp } from '../src/parts/timeline/tracks/requests';
import { record } from './stream';

it('a page keeps work requests of every process, however busy the later ones are', () => {
  const model = new RunModel({ ...record(), lab: 'program' });
  const each = 5_000;
  const processes = 40;
  for (let process = 0; process < processes; process++)
    for (let index = 0; index < each; index++) {
      const seq = process * each + index + 1;
      const life = {
        ...{ seq, t: seq, kind: 'wr', endpoint: `process ${process}`, qpn: 17, wrId: String(index) },
        ...{ opcode: 'SEND', byteLen: 1, status: 0, posted: seq },
        ...{ firstTx: null, lastTx: null, acked: null, cqe: seq, polled: seq },
      };
      model.event(life as unknown as RunEvent);
    }
  expect(model.livesSeen).toBe(each * processes);
  expect(model.lives.length).toBeLessThanOrEqual(80_000);
  const shown = requestsByQp(model, new TrackEvents(model, { whole: true }).update());
  expect(shown.map(({ endpoint }) => endpoint).toSorted()).toEqual(
    Array.from({ length: processes }, (_, process) => `process ${process}`).toSorted(),
  );
  // Order of arrival, with the latest requests of each process.
  const seqs = model.lives.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  for (const { requests, endpoint } of shown) {
    expect(requests.length).toBeGreaterThanOrEqual(1_000);
    expect(requests.at(-1)!.seq).toBe((Number(endpoint.slice(8)) + 1) * each);
  }
});
