import { describe, expect, it } from 'vitest';
import { OwnPackets } from '../src/endpoint/own-packets.js';

const OWN = '10.0.0.1';
const PEER = '10.0.0.2';

describe('a packet on the interface', () => {
  const packets = new OwnPackets([`::ffff:${OWN}`, 'fe80::1']);
  packets.add(17, 33, `::ffff:${PEER}`);
  packets.add(18, 34, 'fe80::2');
  const of = (src: string, dst: string, destQp?: number) =>
    packets.classify({ src, dst, ...(destQp === undefined ? {} : { destQp }) });

  it('belongs to the connection with its QP and both addresses', () => {
    expect(of(PEER, OWN, 17)).toEqual({ direction: 'received', own: true });
    expect(of(OWN, PEER, 33)).toEqual({ direction: 'sent', own: true });
    expect(of('fe80::2', 'fe80::1', 18)).toEqual({ direction: 'received', own: true });
    expect(of('fe80::1', 'fe80::2', 34)).toEqual({ direction: 'sent', own: true });
  });

  it('belongs to another connection if one of them differs', () => {
    expect(of(PEER, OWN, 33)).toEqual({ direction: 'received', own: false });
    expect(of(OWN, PEER, 17)).toEqual({ direction: 'sent', own: false });
    expect(of('10.0.0.3', OWN, 17).own).toBe(false);
    expect(of(PEER, '10.0.0.4', 33).own).toBe(false);
    expect(of(OWN, PEER)).toEqual({ direction: 'sent', own: false });
    expect(of('fe80::2', 'fe80::1', 17).own).toBe(false);
  });

  it('belongs to a QP of UD if that sent it, or it is sent to it', () => {
    const here = new OwnPackets([`::ffff:${OWN}`]);
    here.addDatagrams(21);
    const datagram = (src: string, dst: string, srcQp: number, destQp: number) =>
      here.classify({ src, dst, srcQp, destQp });
    expect(datagram(OWN, '239.1.2.3', 21, 0xff_ffff)).toEqual({ direction: 'sent', own: true });
    expect(datagram(PEER, OWN, 40, 21)).toEqual({ direction: 'received', own: true });
    expect(datagram(OWN, PEER, 22, 21)).toEqual({ direction: 'sent', own: false });
    expect(datagram(PEER, OWN, 21, 22)).toEqual({ direction: 'received', own: false });
    expect(here.classify({ src: PEER, dst: OWN, destQp: 21 }).own).toBe(false);
  });

  it('belongs to the destination QP if both QPs are on one address', () => {
    const inside = new OwnPackets([OWN]);
    inside.add(5, 6, OWN);
    expect(inside.classify({ src: OWN, dst: OWN, destQp: 5 })).toEqual({ direction: 'received', own: true });
    expect(inside.classify({ src: OWN, dst: OWN, destQp: 6 })).toEqual({ direction: 'sent', own: true });
  });
});
