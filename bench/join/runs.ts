// Runs of programs that were in progress at the same time, written by the agent's own recording.
import { encodePackets, type PacketRecord, type RunRecord } from '@verbslab/protocol';
import { buildPacket, reth } from '@verbslab/roce';
import { openHome, type Home } from '../../apps/agent/src/config/home.js';
import { bootId } from '../../apps/agent/src/base/boot-id.js';
import { createLogger } from '../../apps/agent/src/base/log.js';
import { capturePath } from '../../apps/agent/src/store/capture-files.js';
import { Recording } from '../../apps/agent/src/runs/recording.js';
import { RunStore } from '../../apps/agent/src/store/store.js';

/** Kind of the records of a run: packets come many per frame, events one by one. */
export type Kind = 'packets' | 'events';

const GAP_NS = 1000;
const IN_FRAME = 500;
const QP = 0x11;

const BYTES = buildPacket({
  ...{ src: '127.0.0.1', dst: '127.0.0.2' },
  bth: { opcode: 0x0a, destQp: QP, psn: 0 },
  headers: [reth.bytes({ va: 0x1000n, rkey: 0x1234, dmaLength: 64 })],
  payload: new Uint8Array(64),
});

function begun(store: RunStore, home: Home, name: string): Recording {
  const clock = process.hrtime.bigint();
  const record = store.create({
    ...{ lab: 'program', title: name, mode: 'all', device: 'uroce0', parameters: { command: [name] } },
    clock: { boot: bootId() ?? '', ns: clock.toString() },
  });
  const recording = new Recording({
    ...{ record, store, captureFile: capturePath(home, record.id), interfaces: ['uroce0'], clock },
    ...{ logger: createLogger('silent'), onChange: () => undefined },
    onFailure: (error) => {
      throw error;
    },
  });
  recording.created();
  for (const state of ['preparing', 'running'] as const) recording.move(state);
  const source = { kind: 'source', source: 1, what: 'tap', transport: 'rdma', role: 'process' } as const;
  recording.emit({ ...source, label: name }, name);
  return recording;
}

function fill(recording: Recording, kind: Kind, records: number, endpoint: string): void {
  for (let from = 0; from < records; from += IN_FRAME) {
    const count = Math.min(IN_FRAME, records - from);
    const times = Array.from({ length: count }, (_, i) => (from + i) * GAP_NS);
    if (kind === 'packets') {
      const packets = times.map((t, i): PacketRecord => ({
        ...{ t, tapSeq: from + i, direction: 'sent', flags: 0, origLen: BYTES.length, bytes: BYTES },
      }));
      recording.frame(encodePackets({ source: 1, t: times[0]! }, packets), endpoint);
    } else
      for (const posted of times) {
        const stamps = { firstTx: posted + 1, lastTx: posted + 2, acked: null, cqe: null, polled: null };
        const request = { wrId: 1, opcode: 'SEND', byteLen: 64, status: 0 };
        recording.emit({ kind: 'wr', t: posted, qpn: QP, ...request, posted, ...stamps }, endpoint);
      }
  }
}

function end(recording: Recording): RunRecord {
  recording.move('draining');
  const { lab, parameters } = recording.record;
  recording.finish('done', null, () => ({
    ...{
      lab,
      state: 'done',
      provider: 'user-space',
      device: 'uroce0',
      parameters,
      transports: {},
      checks: [],
    },
    program: { exitCode: 0, signal: null },
    captureFile: recording.captureFile,
  }));
  return recording.record;
}

/** Writes two runs with as many records together. Returns their records. */
export function writePair(folder: string, kind: Kind, records: number): RunRecord[] {
  const home = openHome(folder);
  const store = RunStore.open(home);
  try {
    const names = ['server', 'client'];
    const recordings = names.map((name) => begun(store, home, name));
    recordings.forEach((recording, i) => fill(recording, kind, records / 2, names[i]!));
    return recordings.map(end);
  } finally {
    store.close();
  }
}
