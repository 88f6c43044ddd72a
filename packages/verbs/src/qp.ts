import { randomInt } from 'node:crypto';
import * as check from './check.js';
import type { Cq } from './cq.js';
import {
  accessFlags,
  accessNames,
  ALL_ACCESS,
  mtuBytes,
  mtuNumber,
  qpStateName,
  qpStateNumber,
  SEND_FLAGS,
  sendOpcodeNumber,
} from './enums.js';
import { argumentError } from './errors.js';
import { parseGid } from './gid.js';
import { Mr } from './mr.js';
import type { NativeQp, NativeQpAttr, NativeRecvWr, NativeSendWr, NativeSge } from './native.js';
import type { Pd } from './pd.js';
import type {
  ConnectOptions,
  QpAttributes,
  QpInfo,
  QpState,
  QpStatus,
  QpType,
  RecvWr,
  RemoteQp,
  SendWr,
  Sge,
} from './types.js';

const U24 = 0xff_ffff;
const U32 = 0xffff_ffff;

/** A queue pair. Made by {@link Pd.createQp}; {@link connect} brings it to RTS. */
export class Qp {
  readonly #native: NativeQp;
  readonly #psn = randomInt(0, U24 + 1);

  /** @internal */
  constructor(
    /** The protection domain that it belongs to. */
    readonly pd: Pd,
    native: NativeQp,
    /** Transport service. */
    readonly type: QpType,
    /** CQ of the send queue. */
    readonly sendCq: Cq,
    /** CQ of the receive queue. */
    readonly recvCq: Cq,
  ) {
    this.#native = native;
  }

  /** @internal */
  get native(): NativeQp {
    return this.#native;
  }
  /** Number of the QP, 24 bits. */
  get qpn(): number {
    return this.#native.qpn;
  }
  /** Work requests that the queues hold, and bytes that can be posted inline, as the device gave them. */
  get capabilities(): { maxSendWr: number; maxRecvWr: number; maxInlineData: number } {
    const { maxSendWr, maxRecvWr, maxInlineData } = this.#native;
    return { maxSendWr, maxRecvWr, maxInlineData };
  }
  /** Whether {@link close} was called. */
  get closed(): boolean {
    return this.#native.closed;
  }
  /** Current state, as the device reports it. */
  get state(): QpState {
    return qpStateName(this.#native.query().state);
  }

  /**
   * What the peer needs to connect: plain JSON. The PSN is drawn at random when the QP is made.
   *
   * @param gidIndex default: the GID that {@link Context.defaultGid} chooses
   */
  info(options: { port?: number; gidIndex?: number } = {}): QpInfo {
    const port = options.port ?? 1;
    const { context } = this.pd;
    const { lid, activeMtu } = context.queryPort(port);
    const gid = context.gid(port, options.gidIndex);
    return { qpn: this.qpn, psn: this.#psn, gid: gid.gid, gidIndex: gid.index, lid, mtu: activeMtu };
  }

  /**
   * `ibv_modify_qp` with the attributes given, and no others.
   *
   * @throws VerbsError EINVAL when the state does not allow the step, or attributes are missing or out of range
   */
  modify(attributes: QpAttributes): void {
    const call = 'ibv_modify_qp';
    const attr: NativeQpAttr = {};
    const small = (param: keyof QpAttributes & keyof NativeQpAttr, max: number): void => {
      const value = attributes[param];
      if (value !== undefined) (attr[param] as number) = check.integer(call, param, value, 0, max);
    };
    if (attributes.state !== undefined) attr.state = qpStateNumber(attributes.state);
    if (attributes.curState !== undefined) attr.curState = qpStateNumber(attributes.curState);
    if (attributes.access !== undefined) attr.accessFlags = accessFlags(call, attributes.access);
    if (attributes.pathMtu !== undefined) attr.pathMtu = mtuNumber(attributes.pathMtu);
    small('pkeyIndex', 0xffff);
    small('port', 255);
    small('qkey', U32);
    small('destQpn', U24);
    small('rqPsn', U24);
    small('sqPsn', U24);
    small('timeout', 31);
    small('retryCount', 7);
    small('rnrRetry', 7);
    small('minRnrTimer', 31);
    small('maxRdAtomic', 255);
    small('maxDestRdAtomic', 255);
    if (attributes.address !== undefined) {
      const { gid, lid, gidIndex, hopLimit, trafficClass, flowLabel, serviceLevel, port } =
        attributes.address;
      attr.ah = {
        gidIndex: check.integer(call, 'address.gidIndex', gidIndex ?? 0, 0, 0xffff),
        dlid: check.integer(call, 'address.lid', lid ?? 0, 0, 0xffff),
        hopLimit: check.integer(call, 'address.hopLimit', hopLimit ?? 64, 0, 255),
        trafficClass: check.integer(call, 'address.trafficClass', trafficClass ?? 0, 0, 255),
        flowLabel: check.integer(call, 'address.flowLabel', flowLabel ?? 0, 0, 0xf_ffff),
        sl: check.integer(call, 'address.serviceLevel', serviceLevel ?? 0, 0, 15),
        port: check.integer(call, 'address.port', port ?? 1, 1, 255),
      };
      if (gid !== undefined) attr.ah.gid = parseGid(gid);
    }
    this.#native.modify(attr);
  }

  /** RESET to INIT. */
  toInit(options: ConnectOptions = {}): void {
    this.modify({
      state: 'INIT',
      pkeyIndex: 0,
      port: options.port ?? 1,
      access: options.access ?? ALL_ACCESS,
    });
  }

  /** INIT to RTR: ready to receive from `remote`. */
  toRtr(remote: RemoteQp, options: ConnectOptions = {}): void {
    const port = options.port ?? 1;
    const { context } = this.pd;
    const own = context.queryPort(port);
    this.modify({
      state: 'RTR',
      address: {
        gid: remote.gid,
        lid: remote.lid ?? 0,
        gidIndex: options.gidIndex ?? context.gid(port).index,
        hopLimit: options.hopLimit ?? 64,
        trafficClass: options.trafficClass ?? 0,
        serviceLevel: options.serviceLevel ?? 0,
        port,
      },
      pathMtu: options.mtu ?? Math.min(own.activeMtu, remote.mtu ?? own.activeMtu),
      destQpn: remote.qpn,
      rqPsn: remote.psn,
      ...(this.type === 'RC' && {
        maxDestRdAtomic: options.maxDestRdAtomic ?? Math.min(16, context.attributes.maxQpRdAtom),
        minRnrTimer: options.minRnrTimer ?? 12,
      }),
    });
  }

  /** RTR to RTS: ready to send. */
  toRts(options: ConnectOptions = {}): void {
    this.modify({
      state: 'RTS',
      sqPsn: options.psn ?? this.#psn,
      ...(this.type === 'RC' && {
        timeout: options.timeout ?? 14,
        retryCount: options.retryCount ?? 7,
        rnrRetry: options.rnrRetry ?? 7,
        maxRdAtomic: options.maxRdAtomic ?? Math.min(16, this.pd.context.attributes.maxQpInitRdAtom),
      }),
    });
  }

  /** RESET to RTS in three steps. `remote` is what {@link info} returned on the other side. */
  connect(remote: RemoteQp, options: ConnectOptions = {}): void {
    this.toInit(options);
    this.toRtr(remote, options);
    this.toRts(options);
  }

  /** `ibv_query_qp`. */
  query(): QpStatus {
    const { state, pathMtu, accessFlags: access, ...rest } = this.#native.query();
    return { ...rest, state: qpStateName(state), pathMtu: mtuBytes(pathMtu), access: accessNames(access) };
  }

  /**
   * `ibv_post_send`, one call for the whole list.
   *
   * @throws VerbsError ENOMEM when the send queue is full, EINVAL when the QP or the request does not allow it; the
   *   message says how many of the list were accepted
   */
  postSend(wrs: SendWr | readonly SendWr[]): void {
    this.#native.postSend(list(wrs).map(toNativeSend));
  }

  /** `ibv_post_recv`, one call for the whole list. @throws VerbsError ENOMEM when the receive queue is full */
  postRecv(wrs: RecvWr | readonly RecvWr[]): void {
    this.#native.postRecv(
      list(wrs).map((wr): NativeRecvWr => ({
        wrId: check.u64('ibv_post_recv', 'wrId', wr.wrId ?? 0),
        sges: toSges('ibv_post_recv', wr.local),
      })),
    );
  }

  /** `ibv_destroy_qp`. @throws VerbsError EBUSY while a measuring loop uses it */
  close(): void {
    this.#native.close();
  }
  [Symbol.dispose](): void {
    this.close();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve().then(() => {
      this.close();
    });
  }
}

const list = <T>(value: T | readonly T[]): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T];

function toSges(call: string, local: Sge | readonly Sge[] | undefined): NativeSge[] {
  if (local === undefined) return [];
  return list(local).map((sge) => {
    const { mr } = sge;
    check.instance(call, 'local.mr', mr, Mr);
    const offset = check.integer(call, 'local.offset', sge.offset ?? 0, 0, mr.length);
    const length = check.integer(call, 'local.length', sge.length ?? mr.length - offset, 0, U32);
    // Reaching beyond the region is left to the device: LOC_PROT_ERR is a lesson, too.
    return {
      addr: mr.addr + BigInt(offset),
      length,
      lkey: check.integer(call, 'local.lkey', sge.lkey ?? mr.lkey, 0, U32),
    };
  });
}

function toNativeSend(wr: SendWr): NativeSendWr {
  const call = 'ibv_post_send';
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
    flags:
      (wr.fence ? SEND_FLAGS.fence : 0) |
      ((wr.signaled ?? true) ? SEND_FLAGS.signaled : 0) |
      (wr.solicited ? SEND_FLAGS.solicited : 0) |
      (wr.inline ? SEND_FLAGS.inline : 0),
    sges: toSges(call, wr.local),
    remoteAddr: 0n,
    rkey: 0,
    immediate: 0,
    compareAdd: 0n,
    swap: 0n,
  };
  if ('remote' in wr) {
    native.remoteAddr = check.u64(call, 'remote.addr', wr.remote.addr);
    native.rkey = check.integer(call, 'remote.rkey', wr.remote.rkey, 0, U32);
  } else if (wr.opcode !== 'SEND' && wr.opcode !== 'SEND_WITH_IMM') {
    throw argumentError(call, 'remote', 'it is missing', 'Give address and rkey of the peer’s memory.');
  }
  if ('immediate' in wr) native.immediate = check.integer(call, 'immediate', wr.immediate, 0, U32);
  if (wr.opcode === 'ATOMIC_FETCH_AND_ADD') native.compareAdd = check.u64(call, 'add', wr.add);
  if (wr.opcode === 'ATOMIC_CMP_AND_SWP') {
    native.compareAdd = check.u64(call, 'compare', wr.compare);
    native.swap = check.u64(call, 'swap', wr.swap);
  }
  return native;
}
