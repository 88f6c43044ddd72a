import { psnDistance } from '../models/psn.js';
import type { PacketFacts } from './facts.js';
import { Sample } from '../base/sample.js';

/** Limit of sending QPs that are followed. */
const MOST = 1 << 12;
/** A jump further than this is another program with the same QP number. */
const FAR = 1 << 12;
/** QPs 0 and 1 belong to several programs at once. */
const GENERAL = 1;

/** A sending datagram QP. Its PSNs count all its packets, to all destinations. */
export interface DatagramSource {
  src: number;
  qp: number;
  dst: number;
  destQp: number;
  /** True if the QP also sent to others. Packets to them may not pass the place of capture. */
  several: boolean;
  next: number;
  packets: number;
  missing: number;
  /** The packets right after the gaps. */
  readonly behind: Sample;
}

/** PSNs of datagram QPs. Lost datagrams are not sent again. */
export class Datagrams {
  readonly #sources = new Map<string, DatagramSource>();

  see(p: PacketFacts): void {
    if (p.srcQp <= GENERAL) return;
    const key = `${p.src} ${p.srcQp}`;
    const source = this.#sources.get(key);
    if (!source) {
      if (this.#sources.size >= MOST) return;
      const { src, srcQp: qp, dst, destQp } = p;
      const next = (p.psn + 1) & 0xffffff;
      this.#sources.set(key, {
        src,
        qp,
        dst,
        destQp,
        several: false,
        next,
        packets: 1,
        missing: 0,
        behind: new Sample(),
      });
      return;
    }
    source.packets++;
    if (source.dst !== p.dst || source.destQp !== p.destQp) source.several = true;
    const skipped = psnDistance(source.next, p.psn);
    // A late packet fills its gap.
    if (skipped < 0 && -skipped <= FAR) {
      if (source.missing > 0) source.missing--;
      return;
    }
    if (skipped > 0 && skipped <= FAR) {
      source.missing += skipped;
      source.behind.add(p.number);
    }
    source.next = (p.psn + 1) & 0xffffff;
  }

  get lossy(): DatagramSource[] {
    return [...this.#sources.values()].filter(({ missing }) => missing > 0);
  }
}
