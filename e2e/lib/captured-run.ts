// A run of two programs with many packets, written by the agent's own recording before an agent is started on it.
import { encodePackets, type PacketRecord, type RunRecord } from '@verbslab/protocol';
import { aeth, buildPacket, reth } from '@verbslab/roce';
import { openHome } from '../../apps/agent/src/config/home.js';
import { createLogger } from '../../apps/agent/src/base/log.js';
import { capturePath } from '../../apps/agent/src/store/capture-files.js';
import { Recording } from '../../apps/agent/src/runs/recording.js';
import { RunStore } from '../../apps/agent/src/store/store.js';

const COMMAND = ['writer', '--twice'];
const QP = { client: 0x11, server: 0x22 };
const GAP_NS = 1000;
/** Pairs of a WRITE and its ACK that a process reports at a time. */
const REPORTED = 500;
const ACK_SYNDROME = 0x1f;

const writeOf = (psn: number): Uint8Array =>
  buildPacket({
    ...{ src: '127.0.0.1', dst: '127.0.0.2' },
    bth: { opcode: 0x0a, destQp: QP.server, psn, ackReq: true },
    headers: [reth.bytes({ va: 0x1000n, rkey: 0x1234, dmaLength: 8 })],
    payload: new Uint8Array(8),
  });

const ackOf = (psn: number): Uint8Array =>
  buildPacket({
    ...{ src: '127.0.0.2', dst: '127.0.0.1' },
    bth: { opcode: 0x11, destQp: QP.client, psn },
    headers: [aeth.bytes({ syndrome: ACK_SYNDROME, msn: psn + 1 })],
  });

/**
 * Writes an ended run of `pairs` WRITEs and their ACKs. Each of its two processes reports its sent packets many at a
 * time, so the run has them out of order.
 */
export function writeCaptured(home: string, pairs: number): RunRecord {
  const folder = openHome(home);
  const store = RunStore.open(folder);
  try {
    const record = store.create({
      ...{ lab: 'program', title: COMMAND.join(' '), mode: 'all', device: 'uroce0' },
      parameters: { command: COMMAND },
    });
    const recording = new Recording({
      ...{ record, store, captureFile: capturePath(folder, record.id), interfaces: ['uroce0'] },
      ...{ logger: createLogger('silent'), clock: process.hrtime.bigint(), onChange: () => undefined },
      onFailure: (error) => {
        throw error;
      },
    });
    recording.created();
    for (const state of ['preparing', 'running'] as const) recording.move(state);
    const taps = [
      { source: 1, endpoint: 'pid 1', after: 0, bytesOf: writeOf },
      { source: 2, endpoint: 'pid 2', after: GAP_NS / 2, bytesOf: ackOf },
    ];
    for (const { source, endpoint } of taps)
      recording.emit({
        ...{ kind: 'source', source, what: 'tap', transport: 'rdma', role: 'process', label: endpoint },
        endpoint,
      });
    for (let from = 0; from < pairs; from += REPORTED)
      for (const { source, endpoint, after, bytesOf } of taps) {
        const packets = Array.from({ length: Math.min(REPORTED, pairs - from) }, (_, i): PacketRecord => {
          const bytes = bytesOf(from + i);
          const t = (from + i) * GAP_NS + after;
          return { t, tapSeq: from + i, direction: 'sent', flags: 0, origLen: bytes.length, bytes };
        });
        recording.frame(encodePackets({ source, t: packets[0]!.t }, packets), endpoint);
      }
    recording.move('draining');
    recording.finish('done', null, () => ({
      ...{ lab: record.lab, state: 'done', provider: 'user-space', device: 'uroce0' },
      ...{ parameters: record.parameters, transports: {}, checks: [] },
      program: { exitCode: 0, signal: null },
      captureFile: recording.captureFile,
    }));
    return store.get(record.id)!;
  } finally {
    store.close();
  }
}
