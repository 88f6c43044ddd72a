/** The owner of a packet seen on a device's network interface, which also carries packets of others. */

const address = (gid: string): string => (gid.startsWith('::ffff:') ? gid.slice('::ffff:'.length) : gid);

/** What of a packet decides it; IP addresses as text. */
export interface Passing {
  src: string;
  dst: string;
  destQp?: number;
  /** Of datagrams only. */
  srcQp?: number;
}

/**
 * The connections (RC, UC) of an endpoint, and its QPs of UD. A packet of RC or UC names the QP that it goes to and not
 * the one that it comes from, so it belongs to a connection when that QP and both addresses do. A datagram names both.
 */
export class OwnPackets {
  readonly #own = new Set<string>();
  readonly #receiving = new Set<string>();
  readonly #sending = new Set<string>();
  readonly #datagrams = new Set<number>();

  /** The GIDs of the endpoint's port, in IPv6 notation. */
  constructor(gids: readonly string[]) {
    for (const gid of gids) this.#own.add(address(gid));
  }

  /** `qpn` was connected; both stay known after it is gone, since its last packets are read later. */
  add(qpn: number, peerQpn: number, peerGid: string): void {
    const peer = address(peerGid);
    this.#receiving.add(`${peer} ${qpn}`);
    this.#sending.add(`${peer} ${peerQpn}`);
  }

  /** A QP of UD. */
  addDatagrams(qpn: number): void {
    this.#datagrams.add(qpn);
  }

  /** Whether a packet was sent or received by the endpoint's machine, and whether it is the endpoint’s own. */
  classify({ src, dst, destQp, srcQp }: Passing): { direction: 'sent' | 'received'; own: boolean } {
    const from = this.#own.has(src);
    const to = this.#own.has(dst);
    if (to && this.#receiving.has(`${src} ${destQp}`)) return { direction: 'received', own: true };
    if (from && this.#sending.has(`${dst} ${destQp}`)) return { direction: 'sent', own: true };
    if (srcQp !== undefined && destQp !== undefined) {
      if (from && this.#datagrams.has(srcQp)) return { direction: 'sent', own: true };
      if (to && this.#datagrams.has(destQp)) return { direction: 'received', own: true };
    }
    return { direction: from ? 'sent' : 'received', own: false };
  }
}
