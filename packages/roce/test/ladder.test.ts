import { describe, expect, it } from 'vitest';
import { ladderModel } from '../src/index.js';
import type { KnownConnection } from '../src/index.js';
import { Wire } from './lib/wire.js';

describe('the ladder', () => {
  it('has one lane per host', () => {
    const ladder = ladderModel(new Wire().write(1, 1).response(0x11, 1).analyze(), {
      names: { '10.0.0.1': 'client' },
    });
    expect(ladder.lanes.map((l) => l.label)).toEqual(['client', '10.0.0.2']);
    expect(ladder.packets.map((p) => [p.from, p.to, p.label, p.message])).toEqual([
      [0, 1, 'WRITE Only 1', 0],
      [1, 0, 'ACK 1', 0],
    ]);
  });

  it('has one lane per QP when both ends share an address', () => {
    const ladder = ladderModel(new Wire('::1', '::1').write(1, 2).response(0x11, 2).analyze());
    expect(ladder.lanes).toMatchObject([
      { label: '::1 QP 0x000011', qpn: 0x11 },
      { label: '::1 QP 0x000022', qpn: 0x22 },
    ]);
    expect(ladder.packets.map((p) => [p.from, p.to])).toEqual([
      [0, 1],
      [0, 1],
      [1, 0],
    ]);
  });

  it('uses what the caller knows', () => {
    // Only requests in one direction: the capture alone does not show the sender's QP.
    const wire = new Wire('127.0.0.1', '127.0.0.1').write(1, 1);
    expect(wire.analyze().connections[0]!.ends).toEqual([
      { ip: '127.0.0.1' },
      { ip: '127.0.0.1', qpn: 0x22 },
    ]);
    const known: KnownConnection = {
      ends: [
        { ip: '::ffff:127.0.0.1', qpn: 0x22, name: 'server' },
        { ip: '::ffff:127.0.0.1', qpn: 0x11, name: 'client' },
      ],
      mtu: 4096,
    };
    const ladder = ladderModel(wire.analyze([known]));
    expect(ladder.connections).toMatchObject([{ mtu: 4096 }]);
    expect(ladder.lanes.map((l) => l.label)).toEqual(['client QP 0x000011', 'server QP 0x000022']);
  });

  it('keeps several connections between two hosts apart', () => {
    const a = new Wire().write(1000, 2).response(0x11, 1001);
    for (const r of new Wire('10.0.0.1', '10.0.0.2').write(77, 2).response(0x11, 78).records) {
      const data = r.data.slice();
      data[35]! += 1; // the other pair of QPs: 0x12 and 0x23
      a.records.push({ ...r, data });
    }
    const { connections, messages } = a.analyze();
    expect(connections.map((c) => c.ends.map((e) => e.qpn))).toEqual([
      [0x11, 0x22],
      [0x12, 0x23],
    ]);
    expect(messages.map((m) => [m.connection, m.status])).toEqual([
      [0, 'acknowledged'],
      [1, 'acknowledged'],
    ]);
  });
});
