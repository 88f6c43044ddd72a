/** Work requests between the protocol, packages/verbs and the reader. */
import type { SendWr, Sge, WindowRange } from '@verbslab/verbs';
import { hex } from './memory-operations.js';
import type { Parsed } from './operations.js';
import type { JsonObject } from './recorder.js';
import type { Session } from './session.js';

/** The range that a memory window opens. */
export function windowOf(session: Session, bind: NonNullable<Parsed<'postSend'>['wr']['bind']>): WindowRange {
  const { mr, offset, length, access } = bind;
  return {
    mr: session.mrs.get(mr),
    ...(offset === undefined ? {} : { offset }),
    ...(length === undefined ? {} : { length }),
    ...(access === undefined ? {} : { access }),
  };
}

export const sgesOf = (session: Session, local: NonNullable<Parsed<'postRecv'>['wr']['local']> = []): Sge[] =>
  local.map(({ mr, offset, length, lkey }) => ({
    mr: session.mrs.get(mr),
    ...(offset === undefined ? {} : { offset }),
    ...(length === undefined ? {} : { length }),
    ...(lkey === undefined ? {} : { lkey }),
  }));

export const shownSges = (sges: readonly Sge[]): JsonObject[] =>
  sges.map(({ mr, offset = 0, length, lkey }) => ({
    addr: hex(mr.addr + BigInt(offset)),
    length: length ?? mr.length - offset,
    lkey: hex(lkey ?? mr.lkey),
  }));

export function toSendWr(session: Session, wr: Parsed<'postSend'>['wr']): SendWr {
  const { local, remote, imm, compare, swap, add, ah, bind, ...rest } = wr;
  const full: Record<string, unknown> = { ...rest, local: sgesOf(session, local) };
  if (remote) full.remote = { addr: BigInt(remote.addr), rkey: remote.rkey };
  if (imm !== undefined) full.immediate = imm;
  if (compare !== undefined) full.compare = BigInt(compare);
  if (swap !== undefined) full.swap = BigInt(swap);
  if (add !== undefined) full.add = BigInt(add);
  if (ah !== undefined) full.ah = session.ahs.get(ah);
  if (bind !== undefined) {
    const mw = session.mws.get(bind.mw);
    Object.assign(full, { mw, rkey: mw.nextRkey, range: windowOf(session, bind) });
  }
  // packages/verbs checks the members that an operation needs, and names the missing ones.
  return full as unknown as SendWr;
}

export function shownSend(wr: Parsed<'postSend'>['wr'], sges: readonly Sge[]): JsonObject {
  const flags = [
    (wr.signaled ?? true) && 'SIGNALED',
    wr.fence && 'FENCE',
    wr.solicited && 'SOLICITED',
    wr.inline && 'INLINE',
  ].filter((flag) => typeof flag === 'string');
  return {
    wr_id: wr.wrId ?? 0,
    opcode: wr.opcode,
    send_flags: flags,
    sg_list: shownSges(sges),
    ...(wr.remote ? { remote_addr: wr.remote.addr, rkey: hex(wr.remote.rkey) } : {}),
    ...(wr.ah === undefined
      ? {}
      : { ah: `AH ${wr.ah}`, remote_qpn: wr.remoteQpn ?? null, remote_qkey: hex(wr.remoteQkey ?? 0) }),
    ...(wr.invalidateRkey === undefined ? {} : { invalidate_rkey: hex(wr.invalidateRkey) }),
    ...(wr.bind === undefined ? {} : { mw: `MW ${wr.bind.mw}`, mr: `MR ${wr.bind.mr}` }),
    ...(wr.imm === undefined ? {} : { imm_data: hex(wr.imm) }),
    ...(wr.compare === undefined ? {} : { compare: wr.compare }),
    ...(wr.swap === undefined ? {} : { swap: wr.swap }),
    ...(wr.add === undefined ? {} : { add: wr.add }),
  };
}
