import { createHash } from 'node:crypto';
import { AppError } from '@verbslab/protocol';
import type { Mr } from '@verbslab/verbs';
import type { Operations } from './operations.js';
import { fillPattern } from './pattern.js';

/** Work on memory is done in slices, so that the endpoint keeps listening. */
const SLICE_BYTES = 8 * 1024 * 1024;

/** A part of a region's memory. Throws LIMIT when it ends beyond it. */
export function piece(mr: Mr, offset: number, length: number): Uint8Array {
  if (offset + length > mr.length)
    throw new AppError('LIMIT', {
      what: 'The range ends beyond the memory region',
      value: offset + length,
      limit: mr.length,
    });
  return mr.bytes.subarray(offset, offset + length);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function inSlices(bytes: Uint8Array, work: (slice: Uint8Array, at: number) => void): Promise<void> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    work(bytes.subarray(at, at + SLICE_BYTES), at);
    await turn();
  }
}

type MemoryOps =
  | 'allocPd'
  | 'regMr'
  | 'readMemory'
  | 'writeMemory'
  | 'fillMemory'
  | 'hashMemory'
  | 'replacePages'
  | 'destroy';

export const memoryOperations: Operations<MemoryOps> = {
  allocPd(session, { cm }) {
    const { recorder, pds } = session;
    const context = session.contextOf(cm);
    const pd = recorder.verb('ibv_alloc_pd', { context: context.device.name }, () => context.allocPd());
    return { pd: pds.add(pd) };
  },

  regMr({ recorder, pds, mrs }, { pd, length, access, hugePages = false }) {
    // The region brings its memory along, so its address is known after the call only.
    const args = { pd: `PD ${pd}`, addr: 'a new buffer', length, access };
    const mr = recorder.verb(
      'ibv_reg_mr',
      args,
      () => {
        const made = pds.get(pd).regMr(length, access, { hugePages });
        args.addr = hex(made.addr);
        return made;
      },
      ({ lkey, rkey }) => ({ lkey: hex(lkey), rkey: hex(rkey) }),
    );
    const handle = mrs.add(mr);
    return { mr: handle, addr: hex(mr.addr), length: mr.length, lkey: mr.lkey, rkey: mr.rkey };
  },

  readMemory({ mrs }, { mr, offset, length }) {
    const bytes = piece(mrs.get(mr), offset, length);
    return { base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') };
  },

  writeMemory({ mrs }, { mr, offset, base64 }) {
    const bytes = Buffer.from(base64, 'base64');
    piece(mrs.get(mr), offset, bytes.length).set(bytes);
    return {};
  },

  async fillMemory({ mrs }, { mr, offset, length, seed }) {
    await inSlices(piece(mrs.get(mr), offset, length), (slice, at) => fillPattern(slice, at, seed));
    return {};
  },

  async hashMemory({ mrs }, { mr, offset, length }) {
    const hash = createHash('sha256');
    await inSlices(piece(mrs.get(mr), offset, length), (slice) => hash.update(slice));
    return { sha256: hash.digest('hex') };
  },

  replacePages({ recorder, mrs }, { mr }) {
    const region = mrs.get(mr);
    recorder.verb('mmap', { addr: hex(region.addr), length: region.length, flags: 'MAP_FIXED' }, () =>
      region.replacePages(),
    );
    return {};
  },

  destroy(session, { what, handle }) {
    ({
      qp: () => session.destroyQp(handle),
      cq: () => session.destroyCq(handle),
      mr: () => session.deregMr(handle),
      pd: () => session.deallocPd(handle),
      srq: () => session.destroySrq(handle),
      ah: () => session.destroyAh(handle),
      mw: () => session.deallocMw(handle),
      cm: () => session.destroyId(handle),
    })[what]();
    return {};
  },
};

export const hex = (value: bigint | number): string => `0x${value.toString(16)}`;
