import { u16, u24, u32 } from '../bytes.js';
import { CmAttribute, mtuBytes } from '../cm/attributes.js';
import { CM_LENGTH } from '../cm/common.js';
import { MAD_HEADER_LENGTH } from '../headers/mad.js';
import type { PacketFacts } from './facts.js';
import { Sample } from './types.js';

/** Connection requests that are remembered until their reply. */
const MOST = 1 << 14;

interface Request {
  src: number;
  dst: number;
  qp: number;
  mtu: number;
  number: number;
  answered: boolean;
}

/** A connection that a REQ and its REP have made. */
export interface Agreed {
  a: { address: number; qp: number };
  b: { address: number; qp: number };
  mtu: number;
  number: number;
}

/** Connection management in a capture: who connected with whom, who refused, who said goodbye. */
export class Exchanges {
  readonly agreed: Agreed[] = [];
  readonly refused = new Map<number, Sample>();
  readonly repeated = new Sample();
  /** `address qp` of ends that a DREQ named. */
  readonly #ended = new Set<string>();
  readonly #requests = new Map<string, Request>();
  readonly unanswered = new Sample();

  /** The connection that this message completes, if it does. */
  see(p: PacketFacts): Agreed | null {
    const { data, payloadOffset } = p;
    if (data.length - payloadOffset < MAD_HEADER_LENGTH + CM_LENGTH) return null;
    const m = payloadOffset + MAD_HEADER_LENGTH;
    switch (u16(data, payloadOffset + 16)) {
      case CmAttribute.REQ:
        this.#request(p, m);
        return null;
      case CmAttribute.REP:
        return this.#reply(p, m);
      case CmAttribute.REJ: {
        const reason = u16(data, m + 10);
        let sample = this.refused.get(reason);
        if (!sample && this.refused.size < 64) this.refused.set(reason, (sample = new Sample()));
        sample?.add(p.number);
        const request = this.#requests.get(`${p.dst} ${u32(data, m + 4)}`);
        if (request) request.answered = true;
        return null;
      }
      case CmAttribute.DREQ:
        if (this.#ended.size < MOST) this.#ended.add(`${p.dst} ${u24(data, m + 8)}`);
        return null;
      default:
        return null;
    }
  }

  #request(p: PacketFacts, m: number): void {
    const key = `${p.src} ${u32(p.data, m)}`;
    if (this.#requests.has(key)) {
      this.repeated.add(p.number);
      return;
    }
    if (this.#requests.size >= MOST) return;
    this.#requests.set(key, {
      src: p.src,
      dst: p.dst,
      qp: u24(p.data, m + 32),
      mtu: mtuBytes(p.data[m + 50]! >>> 4) ?? 0,
      number: p.number,
      answered: false,
    });
  }

  #reply(p: PacketFacts, m: number): Agreed | null {
    const request = this.#requests.get(`${p.dst} ${u32(p.data, m + 4)}`);
    if (!request || request.answered) return null;
    request.answered = true;
    const agreed: Agreed = {
      a: { address: request.src, qp: request.qp },
      b: { address: p.src, qp: u24(p.data, m + 12) },
      mtu: request.mtu,
      number: p.number,
    };
    this.agreed.push(agreed);
    return agreed;
  }

  /** Whether a DREQ named one of the ends. */
  hasEnd({ a, b }: Agreed): boolean {
    return this.#ended.has(`${a.address} ${a.qp}`) || this.#ended.has(`${b.address} ${b.qp}`);
  }

  end(): void {
    for (const request of this.#requests.values()) if (!request.answered) this.unanswered.add(request.number);
  }
}
