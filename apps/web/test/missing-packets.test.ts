import { describe, expect, it } from 'vitest';
import { missingPackets } from '../src/model/missing-packets';
import { PacketStore } from '../src/model/packet-store';

const sources = new Map([1, 2].map((source) => [source, { endpoint: `pid ${source}` }])) as never;

describe('packets that were not captured', () => {
  it('are said of each endpoint, since both ends of a connection miss the same ones', () => {
    const packets = new PacketStore();
    expect(missingPackets({ packets, sources })).toBe('');
    packets.push(1, [], 1200);
    expect(missingPackets({ packets, sources })).toBe('1,200 packets were not captured.');
    packets.push(2, [], 1100);
    packets.push(1, [], 3);
    expect(missingPackets({ packets, sources })).toBe(
      'Packets that were not captured: 1,203 at pid 1, 1,100 at pid 2. One that both ends missed counts at each.',
    );
    packets.addDropped(5);
    expect(missingPackets({ packets, sources })).toContain('1,100 at pid 2, 5 by the recorder.');
  });
});

describe('the packets of a page', () => {
  it('count their times from the earliest, which may have come later from another process', () => {
    const packets = new PacketStore();
    const at = (t: number) => ({ t }) as never;
    expect(packets.earliest).toBe(Infinity);
    packets.push(1, [at(20), at(30)], 0);
    expect([packets.earliest, packets.taps]).toEqual([20, 1]);
    packets.push(2, [at(10)], 0);
    expect([packets.earliest, packets.taps]).toEqual([10, 2]);
  });
});
