/** The owner of a packet seen on a device's network interface, which also carries packets of others. */

const address = (gid: string): string => (gid.startsWith('::ffff:') ? gid.slice('::ffff:'.length) : gid);

/** Fields of a packet that decide its owner; IP addresses as text. */
export interface Passing {
  src: string;
  dst: string;
  destQp?: number;
  /** Present in datagrams only. */
  srcQp?: number;
}

/**
 * The connections (RC, UC) and the UD QPs of an endpoint. An RC or UC packet names the QP at its destination and not
 * the one at its source, so it belongs to a connection if that QP and both addresses match. A datagram names both QPs.
 */
export class OwnPackets {
  readonly #own = new Set<string>();
  readonly #receiving = new Set<string>();
  readonly #sending = new Set<string>();
  readonly #datagrams = new Set<number>();

  /** `gids`: the GIDs of the endpoint's port, in IPv6 notation. */
  constructor(gids: readonly string[]) {
    for (const gid of gids) this.#own.add(address(gid));
  }

  /** Adds a connected QP. The pair stays known after the QP is gone, since its last packets are read later. */
  add(qpn: number, peerQpn: number, peerGid: string): void {
    const peer = address(peerGid);
    this.#receiving.add(`${peer} ${qpn}`);
    this.#sending.add(`${peer} ${peerQpn}`);
  }

  /** Adds a UD QP. */
  addDatagrams(qpn: number): void {
    this.#datagrams.add(qpn);
  }

  /** Returns the direction of a packet, seen from the endpoint's machine, and if the packet is the endpoint’s own. */
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
