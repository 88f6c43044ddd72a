import {
  aeth,
  analyze,
  buildPacket,
  diagnoseFile,
  LinkType,
  packetRows,
  reth,
  writePcapng,
} from '../../src/index.js';
import type { Analysis, Diagnosis, KnownConnection } from '../../src/index.js';

/** Two QPs, 0x11 the client and 0x22 the server. Each call adds one packet, a microsecond after the last. */
export class Wire {
  readonly records: { timeNs: bigint; linkType: number; data: Uint8Array }[] = [];
  private t = 1_000_000n;
  constructor(
    readonly client = '10.0.0.1',
    readonly server = '10.0.0.2',
    readonly mtu = 1024,
  ) {}

  private put(
    fromClient: boolean,
    opcode: number,
    psn: number,
    headers: Uint8Array[] = [],
    payload = 0,
    ecn = 0,
  ): this {
    const [src, dst] = fromClient ? [this.client, this.server] : [this.server, this.client];
    const data = buildPacket({
      src,
      dst,
      ecn,
      srcPort: fromClient ? 0xc011 : 0xc022,
      bth: { opcode, destQp: fromClient ? 0x22 : 0x11, psn: psn & 0xffffff },
      headers,
      payload: new Uint8Array(payload),
    });
    this.records.push({ timeNs: (this.t += 1000n), linkType: LinkType.RAW, data });
    return this;
  }
  /** Leaves the wire idle for a time. */
  wait(ns: number): this {
    this.t += BigInt(ns);
    return this;
  }
  /** Removes the last packets, as if they had not been captured. */
  uncaptured(n = 1): this {
    this.records.splice(-n, n);
    return this;
  }
  request(opcode: number, psn: number, payload = 0, headers: Uint8Array[] = [], ecn = 0): this {
    return this.put(true, opcode, psn, headers, payload, ecn);
  }
  response(opcode: number, psn: number, syndrome = 0x1f, payload = 0, more: Uint8Array[] = []): this {
    const withAeth = opcode !== 0x0e;
    return this.put(false, opcode, psn, withAeth ? [aeth.bytes({ syndrome, msn: 1 }), ...more] : [], payload);
  }
  /** A WRITE of `packets` packets; `only` picks those that are on the wire. */
  write(psn: number, packets: number, only = (_k: number) => true): this {
    for (let k = 0; k < packets; k++) {
      if (!only(k)) continue;
      const opcode = packets === 1 ? 0x0a : k === 0 ? 0x06 : k === packets - 1 ? 0x08 : 0x07;
      const first = k === 0 ? [reth.bytes({ va: 4096n, rkey: 1, dmaLength: packets * this.mtu })] : [];
      this.request(opcode, psn + k, this.mtu, first);
    }
    return this;
  }
  bytes(): Uint8Array {
    return writePcapng([{ linkType: LinkType.RAW }], this.records);
  }
  diagnose(): Diagnosis {
    return diagnoseFile(this.bytes());
  }
  analyze(connections?: KnownConnection[]): Analysis {
    return analyze(packetRows(this.records), connections ? { connections } : {});
  }
}
