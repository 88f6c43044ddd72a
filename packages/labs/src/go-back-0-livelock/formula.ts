/** Goodput of a link that loses one packet in every n, for both kinds of recovery. */
import { fullGoodput, packetsUntilNak, type Path } from '../fabric/frames.js';

export const PATH: Omit<Path, 'mtu'> = { gbps: 100, delayNs: 1000, latencyNs: 500 };

const pathOf = (mtu: number): Path => ({ mtu, ...PATH });

/** Packets of every n that are lost, or discarded because they follow the lost one. */
export const wasted = (mtu: number): number => packetsUntilNak(pathOf(mtu));

/** Packets that get through in a row between two losses. */
export const between = (mtu: number, every: number): number => Math.max(0, every - wasted(mtu));

/** Largest message that go-back-0 can complete, in bytes. */
export const limitOf = (mtu: number, every: number): number => between(mtu, every) * mtu;

/** Gb/s of go-back-N: everything between two losses counts. */
export const goBackN = (mtu: number, every: number): number =>
  (fullGoodput(mtu, PATH.gbps) * between(mtu, every)) / every;

/** Gb/s of go-back-0: only the messages that fit between two losses as a whole count. */
export function goBack0(mtu: number, every: number, bytes: number): number {
  const packets = Math.ceil(bytes / mtu);
  const whole = Math.floor(between(mtu, every) / packets);
  return (fullGoodput(mtu, PATH.gbps) * whole * packets) / every;
}
