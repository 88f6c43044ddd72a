/** Sends WRITEs one after the other and times the parts of each: registered memory for it, and the transfer. */
import { callFailed, completionFailed, WC_STATUS, type TimedWrite } from '@verbslab/protocol';
import type { Cq, Mr, Pd, Qp } from '@verbslab/verbs';
import { fillPattern } from './pattern.js';
import { RegionCache, type Eviction } from './region-cache.js';
import type { Recorder } from './recorder.js';

export interface TimedWritesOptions {
  recorder: Recorder;
  pd: Pd;
  qp: Qp;
  cq: Cq;
  remote: { addr: bigint; rkey: number };
  lengths: readonly number[];
  seed: number;
  memory: { kind: 'cache'; capacity: number; evict: Eviction } | { kind: 'copy'; mr: Mr };
}

/** Source of the bytes of a message, with the steps after its completion. */
interface Source {
  take: (length: number) => { mr: Mr; hit: boolean; evictions: number };
  release: () => number;
  left: () => number;
  clear: () => void;
}

const COMPLETION_LIMIT_NS = 10_000_000_000n;
/** Messages between two turns, in which the endpoint reads its commands. */
const MESSAGES_PER_TURN = 64;

const hex = (value: number): string => `0x${value.toString(16)}`;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Makes a buffer per length, like the memory of an application. */
function buffersOf(lengths: readonly number[], seed: number): Map<number, Uint8Array> {
  const buffers = new Map<number, Uint8Array>();
  for (const length of lengths) {
    if (buffers.has(length)) continue;
    const bytes = new Uint8Array(length);
    fillPattern(bytes, 0, seed);
    buffers.set(length, bytes);
  }
  return buffers;
}

function sourceOf({ recorder, pd, lengths, seed, memory }: TimedWritesOptions): Source {
  const buffers = buffersOf(lengths, seed);
  if (memory.kind === 'copy') {
    const { mr } = memory;
    return {
      take: (length) => {
        mr.bytes.set(buffers.get(length)!);
        return { mr, hit: true, evictions: 0 };
      },
      release: () => 0,
      left: () => 0,
      clear: () => undefined,
    };
  }
  const cache = new RegionCache<number, Mr>(
    memory.capacity,
    memory.evict,
    (length) =>
      recorder.verb(
        'ibv_reg_mr',
        { addr: 'a buffer of the program', length, access: ['LOCAL_WRITE'] },
        () => pd.regMr(buffers.get(length)!, ['LOCAL_WRITE']),
        ({ lkey, rkey }) => ({ lkey: hex(lkey), rkey: hex(rkey) }),
      ),
    (mr) => recorder.verb('ibv_dereg_mr', { length: mr.length, lkey: hex(mr.lkey) }, () => mr.close()),
  );
  return {
    take: (length) => {
      const { value, hit, evictions } = cache.take(length);
      return { mr: value, hit, evictions };
    },
    release: () => cache.release(),
    left: () => cache.size,
    clear: () => cache.clear(),
  };
}

/** Polls without sleeping. Throws AppError COMPLETION, or ETIMEDOUT. */
function awaitCompletion(cq: Cq, since: bigint): void {
  for (;;) {
    const [completion] = cq.poll(1);
    if (completion) {
      if (completion.status === 'SUCCESS') return;
      const status = WC_STATUS.find(({ name }) => name === completion.status)?.status ?? 0;
      throw completionFailed('RDMA WRITE', status);
    }
    if (process.hrtime.bigint() - since > COMPLETION_LIMIT_NS)
      throw callFailed(
        'SYSTEM',
        'Waiting for the completion of an RDMA WRITE',
        'ETIMEDOUT',
        'Check that the peer’s queue pair is connected.',
      );
  }
}

export async function timeWrites(
  options: TimedWritesOptions,
): Promise<{ writes: TimedWrite[]; left: number }> {
  const { qp, cq, remote, lengths } = options;
  const source = sourceOf(options);
  const writes: TimedWrite[] = [];
  try {
    for (const [index, length] of lengths.entries()) {
      if (index % MESSAGES_PER_TURN === MESSAGES_PER_TURN - 1) await turn();
      const begun = process.hrtime.bigint();
      const { mr, hit, evictions } = source.take(length);
      const prepared = process.hrtime.bigint();
      qp.postSend({
        opcode: 'RDMA_WRITE',
        wrId: index + 1,
        local: mr.sge(0, length),
        remote,
        signaled: true,
      });
      awaitCompletion(cq, prepared);
      const sent = process.hrtime.bigint();
      const dropped = source.release();
      writes.push({
        hit,
        evictions: evictions + dropped,
        prepareNs: Number(prepared - begun + (process.hrtime.bigint() - sent)),
        transferNs: Number(sent - prepared),
      });
    }
    return { writes, left: source.left() };
  } finally {
    source.clear();
  }
}
