import { readConnect, type ConnectMessage } from '../cm/connect.js';
import type { PacketFacts } from './facts.js';
import { Sample } from '../base/sample.js';

/** Connection requests that are kept until their reply. */
const MOST = 1 << 14;
/** Time after which a reply to a disconnect is late. */
const LATE_NS = 1_000_000_000;

type Message<K extends ConnectMessage['kind']> = Extract<ConnectMessage, { kind: K }>;

interface Request {
  src: number;
  dst: number;
  qp: number;
  mtu: number;
  number: number;
  answered: boolean;
}

/** A connection that a REQ and a REP established. */
export interface Agreed {
  a: { address: number; qp: number };
  b: { address: number; qp: number };
  mtu: number;
  number: number;
}

/** Connection management in a capture: connections made, refused and closed. */
export class Exchanges {
  readonly agreed: Agreed[] = [];
  readonly refused = new Map<number, Sample>();
  readonly repeated = new Sample();
  /** Ends (`address qp`) that a DREQ named. */
  readonly #ended = new Set<string>();
  readonly #requests = new Map<string, Request>();
  /** Time of the first DREQ of each end, by address and communication ID. */
  readonly #disconnects = new Map<string, number>();
  readonly lateReplies = new Sample();
  longestReplyNs = 0;
  readonly unanswered = new Sample();

  /** Returns the connection that this message completes, or null. */
  see(p: PacketFacts): Agreed | null {
    const message = readConnect(p.data, p.payloadOffset);
    switch (message?.kind) {
      case 'REQ':
        this.#request(p, message);
        return null;
      case 'REP':
        return this.#reply(p, message);
      case 'REJ': {
        const { reason, remoteId } = message;
        let sample = this.refused.get(reason);
        if (!sample && this.refused.size < 64) this.refused.set(reason, (sample = new Sample()));
        sample?.add(p.number);
        const request = this.#requests.get(`${p.dst} ${remoteId}`);
        if (request) request.answered = true;
        return null;
      }
      case 'DREP': {
        const sent = this.#disconnects.get(`${p.dst} ${message.remoteId}`);
        if (sent === undefined) return null;
        this.#disconnects.delete(`${p.dst} ${message.remoteId}`);
        if (p.t - sent < LATE_NS) return null;
        this.lateReplies.add(p.number);
        this.longestReplyNs = Math.max(this.longestReplyNs, p.t - sent);
        return null;
      }
      case 'DREQ':
        if (this.#disconnects.size < MOST && !this.#disconnects.has(`${p.src} ${message.localId}`))
          this.#disconnects.set(`${p.src} ${message.localId}`, p.t);
        if (this.#ended.size < MOST) this.#ended.add(`${p.dst} ${message.remoteQpn}`);
        return null;
      case undefined:
        return null;
    }
  }

  #request({ src, dst, number }: PacketFacts, { localId, qpn, mtu = 0 }: Message<'REQ'>): void {
    const key = `${src} ${localId}`;
    if (this.#requests.has(key)) {
      this.repeated.add(number);
      return;
    }
    if (this.#requests.size >= MOST) return;
    this.#requests.set(key, { src, dst, qp: qpn, mtu, number, answered: false });
  }

  #reply({ src, dst, number }: PacketFacts, { remoteId, qpn }: Message<'REP'>): Agreed | null {
    const request = this.#requests.get(`${dst} ${remoteId}`);
    if (!request || request.answered) return null;
    request.answered = true;
    const agreed: Agreed = {
      a: { address: request.src, qp: request.qp },
      b: { address: src, qp: qpn },
      mtu: request.mtu,
      number,
    };
    this.agreed.push(agreed);
    return agreed;
  }

  /** True if a DREQ named one of the ends. */
  hasEnd({ a, b }: Agreed): boolean {
    return this.#ended.has(`${a.address} ${a.qp}`) || this.#ended.has(`${b.address} ${b.qp}`);
  }

  end(): void {
    for (const request of this.#requests.values()) if (!request.answered) this.unanswered.add(request.number);
  }
}
