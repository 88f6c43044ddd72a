import { writeFileSync } from 'node:fs';
import { aeth, buildPacket, LinkType, reth, writePcap, type RecordToWrite } from '@verbslab/roce';

const WRITE_ONLY = 0x0a;
const ACKNOWLEDGE = 0x11;
/** WRITEs that one ACK covers. */
const COVERED = 7;

/** RDMA WRITEs of one packet each with an ACK for every seven, until the file has `bytes` bytes. */
function* records(payloadBytes: number, bytes: number): Generator<RecordToWrite> {
  const payload = new Uint8Array(payloadBytes).fill(7);
  let written = 0;
  let timeNs = 1_700_000_000_000_000_000n;
  for (let psn = 0; written < bytes;) {
    for (let i = 0; i < COVERED; i++, psn++) {
      const data = buildPacket({
        src: '10.0.0.1',
        dst: '10.0.0.2',
        bth: { opcode: WRITE_ONLY, destQp: 0x22, psn: psn & 0xffffff, ackReq: i === COVERED - 1 },
        headers: [reth.bytes({ va: 0x7f0000001000n, rkey: 0x1234, dmaLength: payloadBytes })],
        payload,
      });
      written += data.length + 16;
      yield { timeNs: (timeNs += 1_000n), data };
    }
    const data = buildPacket({
      src: '10.0.0.2',
      dst: '10.0.0.1',
      bth: { opcode: ACKNOWLEDGE, destQp: 0x11, psn: (psn - 1) & 0xffffff },
      headers: [aeth.bytes({ syndrome: 0x1f, msn: psn & 0xffffff })],
    });
    written += data.length + 16;
    yield { timeNs: (timeNs += 1_000n), data };
  }
}

/** Writes a pcap file of this size, of packets with this much payload. */
export function makeCapture(path: string, payloadBytes: number, bytes: number): void {
  writeFileSync(path, writePcap(LinkType.RAW, records(payloadBytes, bytes)));
}
