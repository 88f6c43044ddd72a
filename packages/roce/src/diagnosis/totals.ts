import type { PacketFacts } from './facts.js';
import { Sample } from './types.js';

/** What is counted over all packets, whatever connection they belong to. */
export class Totals {
  packets = 0;
  roce = 0;
  endT = 0;
  notFollowed = 0;
  arrivals = 0;
  readonly other = new Sample();
  readonly cut = new Sample();
  readonly malformed = new Sample();
  readonly icrcBad = new Sample();
  readonly icrcUnchecked = new Sample();
  icrcOk = 0;
  /** Packets with an IP fragment, a wrong order of times: what makes figures doubtful. */
  readonly backInTime = new Sample();
  #lastT = -Infinity;

  see(p: PacketFacts): void {
    this.packets++;
    this.endT = Math.max(this.endT, p.t);
    if (p.t < this.#lastT) this.backInTime.add(p.number);
    this.#lastT = p.t;
    if (p.cut) this.cut.add(p.number);
    if (p.malformed) this.malformed.add(p.number);
    if (!p.roce) {
      this.other.add(p.number);
      return;
    }
    this.roce++;
    if (p.icrc === 'bad') this.icrcBad.add(p.number);
    else if (p.icrc === 'unchecked') this.icrcUnchecked.add(p.number);
    else if (p.icrc !== '') this.icrcOk++;
  }
}
