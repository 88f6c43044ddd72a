import type { RunEventOf } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { ObjectStore } from '../src/model/object-store';
import { TrafficStore } from '../src/model/traffic';

const endpoints = new Map([
  ['pid 1', { gids: ['::1', '::ffff:127.0.0.1'] }],
  ['pid 2', { gids: ['::1', '::ffff:127.0.0.1'] }],
]);

function objects(...qps: [endpoint: string, qpn: number][]): ObjectStore {
  const store = new ObjectStore();
  qps.forEach(([endpoint, number], index) =>
    store.add({
      kind: 'object',
      phase: 'made',
      object: 'QP',
      number,
      call: 'ibv_create_qp',
      attrs: {},
      seq: index + 1,
      t: 0,
      endpoint,
    }),
  );
  return store;
}

const traffic = (
  endpoint: string,
  peers: [qpn: number, gid: string, peerQpn: number, messages: number, bytes: number][],
  others = 0,
): RunEventOf<'traffic'> => ({
  kind: 'traffic',
  seq: 1,
  t: 0,
  endpoint,
  peers: peers.map(([qpn, gid, peerQpn, messages, bytes]) => ({ qpn, gid, peerQpn, messages, bytes })),
  otherMessages: others,
  otherBytes: others * 10,
});

describe('the message matrix', () => {
  it('finds the process of a queue pair by address and number', () => {
    const store = new TrafficStore();
    store.add(traffic('pid 1', [[0x11, '::ffff:127.0.0.1', 0x21, 3, 300]]));
    // A QP with this number at another address belongs to another program.
    store.add(traffic('pid 2', [[0x21, '::ffff:10.0.0.9', 0x11, 5, 50]]));
    const matrix = store.matrix(endpoints, objects(['pid 1', 0x11], ['pid 2', 0x21]));
    expect(matrix.processes).toEqual(['pid 1', 'pid 2']);
    expect(matrix.cells[0]).toEqual([undefined, { messages: 3, bytes: 300 }, undefined]);
    expect(matrix.cells[1]).toEqual([undefined, undefined, { messages: 5, bytes: 50 }]);
    expect(matrix.elsewhere).toBe(true);
  });

  it('takes the latest sums of a peer, and adds up the peers of one process', () => {
    const store = new TrafficStore();
    const peers = (messages: number): Parameters<typeof traffic>[1] => [
      [0x11, '::1', 0x21, messages, messages * 100],
      [0x12, '::1', 0x22, messages, messages * 100],
    ];
    store.add(traffic('pid 1', peers(1)));
    store.add(traffic('pid 1', peers(4)));
    const matrix = store.matrix(endpoints, objects(['pid 2', 0x21], ['pid 2', 0x22]));
    expect(matrix.cells[0]![1]).toEqual({ messages: 8, bytes: 800 });
    expect(matrix.elsewhere).toBe(false);
  });

  it('counts what went to too many peers as gone elsewhere', () => {
    const store = new TrafficStore();
    store.add(traffic('pid 1', [], 7));
    expect(store.matrix(endpoints, objects()).cells[0]![2]).toEqual({ messages: 7, bytes: 70 });
  });
});
