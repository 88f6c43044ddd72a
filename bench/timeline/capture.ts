import { closeSync, openSync, writeSync } from 'node:fs';
import { aeth, buildPacket, LinkType, reth } from '@verbslab/roce';

const WRITE_ONLY = 0x0a;
const ACKNOWLEDGE = 0x11;
const PAYLOAD = 1024;
/** Bytes of a packet that are captured, as with `tcpdump -s 64`: headers. */
const SNAP = 64;
const QPS = 4;
/** WRITEs that one ACK covers, and that one QP sends in a row. */
const COVERED = 7;
/** Every burst of this number loses its first packet: a NAK, and the burst again. */
const LOSS = 601;
const SEQUENCE_ERROR = 0x60;
const ACK_SYNDROME = 0x1f;
const GAP_NS = 900;
/** Bytes gathered for one write. */
const CHUNK = 1 << 22;
const RECORD = 16;

const requesterQp = (qp: number) => 0x100 + qp;
const responderQp = (qp: number) => 0x200 + qp;

/** A file that grows by captured packets. */
class Writer {
  readonly #file: number;
  readonly #chunk = new Uint8Array(CHUNK);
  readonly #view = new DataView(this.#chunk.buffer);
  #at = 0;
  #t = 0;
  packets = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
    const header = [0xa1b23c4d, 0x0004_0002, 0, 0, SNAP, LinkType.RAW];
    for (const value of header) this.#u32(value);
  }

  #u32(value: number): void {
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  packet(bytes: Uint8Array): void {
    const captured = Math.min(SNAP, bytes.length);
    if (this.#at + RECORD + captured > CHUNK) this.#flush();
    this.#t += GAP_NS;
    this.#u32(1_700_000_000 + Math.floor(this.#t / 1e9));
    this.#u32(this.#t % 1e9);
    this.#u32(captured);
    this.#u32(bytes.length);
    this.#chunk.set(captured === bytes.length ? bytes : bytes.subarray(0, captured), this.#at);
    this.#at += captured;
    this.packets++;
  }

  /** A pause before the next packet, ns. */
  pause(ns: number): void {
    this.#t += ns;
  }

  #flush(): void {
    writeSync(this.#file, this.#chunk, 0, this.#at);
    this.#at = 0;
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }
}

/** Headers of a WRITE: the PSN is put into them for each packet, and what is captured ends before the ICRC. */
function writeOf(qp: number): (psn: number, ackReq: boolean) => Uint8Array {
  const bytes = buildPacket({
    src: '10.0.0.1',
    dst: '10.0.0.2',
    bth: { opcode: WRITE_ONLY, destQp: responderQp(qp), psn: 0 },
    headers: [reth.bytes({ va: 0x7f0000001000n, rkey: 0x1234, dmaLength: PAYLOAD })],
    payload: new Uint8Array(PAYLOAD),
  });
  // IPv4 and UDP are in front of the BTH.
  const bth = 28;
  return (psn, ackReq) => {
    bytes[bth + 8] = ackReq ? 0x80 : 0;
    bytes[bth + 9] = psn >>> 16;
    bytes[bth + 10] = psn >>> 8;
    bytes[bth + 11] = psn;
    return bytes;
  };
}

const answer = (qp: number, psn: number, syndrome: number, msn: number): Uint8Array =>
  buildPacket({
    src: '10.0.0.2',
    dst: '10.0.0.1',
    bth: { opcode: ACKNOWLEDGE, destQp: requesterQp(qp), psn },
    headers: [aeth.bytes({ syndrome, msn })],
  });

/**
 * Writes the capture of a sender with four QPs: bursts of RDMA WRITEs, an ACK for each, and now and then a loss, with
 * the NAK and the retransmissions that follow it. Returns the number of packets.
 */
export function makeLongCapture(path: string, packets: number): number {
  const file = new Writer(path);
  const writes = Array.from({ length: QPS }, (_, qp) => writeOf(qp));
  const psns = Array.from({ length: QPS }, (_, qp) => 0xfff000 + qp * 4096);
  const mask = 0xffffff;
  for (let burst = 0; file.packets < packets; burst++) {
    const qp = burst % QPS;
    const first = psns[qp]!;
    const last = (first + COVERED - 1) & mask;
    const send = () => {
      for (let i = 0; i < COVERED; i++) file.packet(writes[qp]!((first + i) & mask, i === COVERED - 1));
    };
    send();
    if (burst % LOSS === LOSS - 1) {
      file.packet(answer(qp, first & mask, SEQUENCE_ERROR, first & mask));
      file.pause(20_000);
      send();
    }
    file.packet(answer(qp, last, ACK_SYNDROME, last));
    psns[qp] = (last + 1) & mask;
    if (burst % 50_000 === 49_999) file.pause(5_000_000);
  }
  file.close();
  return file.packets;
}
