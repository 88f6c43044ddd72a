import { Ah } from './ah.js';
import * as check from '../base/check.js';
import { accessFlags, SEND_FLAGS, sendOpcodeNumber } from './enums.js';
import { argumentError } from '../base/errors.js';
import { Mr } from './mr.js';
import { Mw } from './mw.js';
import type { NativeBind, NativeRecvWr, NativeSendWr, NativeSge } from '../native/binding.js';
import type { RecvWr, SendWr, Sge, WindowRange } from './types.js';

/** Work requests in the addon's format. */

const U24 = 0xff_ffff;
const U32 = 0xffff_ffff;

export const list = <T>(value: T | readonly T[]): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T];

function toSges(call: string, local: Sge | readonly Sge[] | undefined): NativeSge[] {
  if (local === undefined) return [];
  return list(local).map((sge) => {
    const { mr } = sge;
    check.instance(call, 'local.mr', mr, Mr);
    const offset = check.integer(call, 'local.offset', sge.offset ?? 0, 0, mr.length);
    const length = check.integer(call, 'local.length', sge.length ?? mr.length - offset, 0, U32);
    // The device reports access beyond the region: LOC_PROT_ERR is a lesson, too.
    return {
      addr: mr.iova + BigInt(offset),
      length,
      lkey: check.integer(call, 'local.lkey', sge.lkey ?? mr.lkey, 0, U32),
    };
  });
}

/** Flags that are the same for every request. */
export const sendFlags = (wr: {
  fence?: boolean;
  signaled?: boolean;
  solicited?: boolean;
  inline?: boolean;
}): number =>
  (wr.fence ? SEND_FLAGS.fence : 0) |
  ((wr.signaled ?? true) ? SEND_FLAGS.signaled : 0) |
  (wr.solicited ? SEND_FLAGS.solicited : 0) |
  (wr.inline ? SEND_FLAGS.inline : 0);

export function toBind(call: string, mw: Mw, rkey: number, range: WindowRange): NativeBind {
  check.instance(call, 'mw', mw, Mw);
  const { mr } = range;
  check.instance(call, 'range.mr', mr, Mr);
  const offset = check.integer(call, 'range.offset', range.offset ?? 0, 0, mr.length);
  const length = check.integer(
    call,
    'range.length',
    range.length ?? mr.length - offset,
    0,
    mr.length - offset,
  );
  return {
    mw: mw.native,
    rkey: check.integer(call, 'rkey', rkey, 0, U32),
    mr: mr.native,
    addr: mr.iova + BigInt(offset),
    length: BigInt(length),
    access: accessFlags(call, range.access ?? ['REMOTE_WRITE', 'REMOTE_READ']),
  };
}

function fillTarget(call: string, wr: SendWr, native: NativeSendWr, datagram: boolean): void {
  const target = wr as Extract<SendWr, { opcode: 'SEND' }>;
  if (!datagram) {
    if (target.ah !== undefined)
      throw argumentError(call, 'ah', 'the QP is connected', 'Leave it out, or use a UD queue pair.');
    return;
  }
  if (target.ah === undefined)
    throw argumentError(
      call,
      'ah',
      'it is missing, and a UD queue pair has no peer',
      'Give ah, remoteQpn and remoteQkey.',
    );
  native.ah = check.instance(call, 'ah', target.ah, Ah).native;
  native.remoteQpn = check.integer(call, 'remoteQpn', target.remoteQpn, 0, U24);
  native.remoteQkey = check.integer(call, 'remoteQkey', target.remoteQkey, 0, U32);
}

/** Converts a send work request. @param datagram true for a UD queue pair: every request must name its target */
export function toNativeSend(call: string, wr: SendWr, datagram: boolean): NativeSendWr {
  const opcode = sendOpcodeNumber(wr.opcode);
  if (opcode < 0)
    throw argumentError(
      call,
      'opcode',
      `“${String(wr.opcode)}” is not an opcode`,
      'See the type SendOpcode.',
    );
  const native: NativeSendWr = {
    wrId: check.u64(call, 'wrId', wr.wrId ?? 0),
    opcode,
    flags: sendFlags(wr),
    sges: toSges(call, wr.local),
    remoteAddr: 0n,
    rkey: 0,
    immediate: 0,
    compareAdd: 0n,
    swap: 0n,
    invalidateRkey: 0,
    remoteQpn: 0,
    remoteQkey: 0,
  };
  fillTarget(call, wr, native, datagram);
  switch (wr.opcode) {
    case 'SEND':
      return native;
    case 'SEND_WITH_IMM':
      native.immediate = check.integer(call, 'immediate', wr.immediate, 0, U32);
      return native;
    case 'SEND_WITH_INV':
    case 'LOCAL_INV':
      native.invalidateRkey = check.integer(call, 'invalidateRkey', wr.invalidateRkey, 0, U32);
      return native;
    case 'BIND_MW':
      native.bind = toBind(call, wr.mw, wr.rkey, wr.range);
      return native;
    case 'RDMA_WRITE_WITH_IMM':
      native.immediate = check.integer(call, 'immediate', wr.immediate, 0, U32);
      break;
    case 'ATOMIC_FETCH_AND_ADD':
      native.compareAdd = check.u64(call, 'add', wr.add);
      break;
    case 'ATOMIC_CMP_AND_SWP':
      native.compareAdd = check.u64(call, 'compare', wr.compare);
      native.swap = check.u64(call, 'swap', wr.swap);
      break;
    case 'RDMA_WRITE':
    case 'RDMA_READ':
      break;
  }
  if ((wr.remote as unknown) === undefined)
    throw argumentError(call, 'remote', 'it is missing', 'Give address and rkey of the peer’s memory.');
  native.remoteAddr = check.u64(call, 'remote.addr', wr.remote.addr);
  native.rkey = check.integer(call, 'remote.rkey', wr.remote.rkey, 0, U32);
  return native;
}

/** Keeps the regions of windows that accepted requests bind. */
export function remember(wrs: SendWr | readonly SendWr[]): void {
  for (const wr of list(wrs)) if (wr.opcode === 'BIND_MW') wr.mw.range = wr.range;
}

export function toNativeRecv(call: string, wrs: RecvWr | readonly RecvWr[]): NativeRecvWr[] {
  return list(wrs).map((wr) => ({
    wrId: check.u64(call, 'wrId', wr.wrId ?? 0),
    sges: toSges(call, wr.local),
  }));
}
