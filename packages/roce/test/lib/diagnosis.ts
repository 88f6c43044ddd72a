// Helpers for tests of the diagnosis, and packets that these tests share.
import { expect } from 'vitest';
import { buildPacket, RC, reth, type Diagnosis, type Finding } from '../../src/index.js';
import { Wire } from './wire.js';

export const ids = ({ findings }: Diagnosis): string[] => findings.map(({ id }) => id);
export const unusual = ({ findings }: Diagnosis): string[] =>
  findings.filter(({ severity }) => severity !== 'note').map(({ id }) => id);
/** Returns the only finding with this ID. */
export const one = (diagnosis: Diagnosis, id: string): Finding => {
  const found = diagnosis.findings.filter((each) => each.id === id);
  expect(found, `${id} among ${ids(diagnosis).join(', ')}`).toHaveLength(1);
  return found[0]!;
};

/** A WRITE of four packets and its ACK. */
export const good = (wire: Wire, psn: number): Wire => wire.write(psn, 4).response(RC.acknowledge, psn + 3);
export const start = (): Wire => good(new Wire(), 100);

/** Builds a packet of a WRITE again, for another QP. */
export function retargeted(data: Uint8Array): Uint8Array {
  const { src, dst } = { src: '10.0.0.1', dst: '10.0.0.2' };
  const bth = data.subarray(28);
  const psn = (bth[9]! << 16) | (bth[10]! << 8) | bth[11]!;
  const first = bth[0] === RC.writeFirst;
  return buildPacket({
    src,
    dst,
    bth: { opcode: bth[0]!, destQp: 0x33, psn },
    headers: first ? [reth.bytes({ va: 0n, rkey: 1, dmaLength: 1024 })] : [],
    payload: new Uint8Array(256),
  });
}
