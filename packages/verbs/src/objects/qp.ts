import { randomInt } from 'node:crypto';
import { toAddress } from './ah.js';
import * as check from '../base/check.js';
import type { Cq } from './cq.js';
import {
  accessFlags,
  accessNames,
  ALL_ACCESS,
  mtuBytes,
  mtuNumber,
  qpStateName,
  qpStateNumber,
} from './enums.js';
import { argumentError } from '../base/errors.js';
import { parseGid } from '../base/gid.js';
import type { Mw } from './mw.js';
import type { NativeQp, NativeQpAttr, NativeSendWr } from '../native/binding.js';
import type { Pd } from './pd.js';
import type { Srq } from './srq.js';
import type {
  Access,
  ConnectOptions,
  QpAttributes,
  QpInfo,
  QpState,
  QpStatus,
  QpType,
  RecvWr,
  RemoteQp,
  SendWr,
  WindowRange,
} from './types.js';
import { list, remember, sendFlags, toBind, toNativeRecv, toNativeSend } from './work.js';

const U24 = 0xff_ffff;
const U32 = 0xffff_ffff;

/** Default Q_Key of a UD QP, the same as perftest's. */
export const DEFAULT_QKEY = 0x1111_1111;

/** Default access of the peer. UC has no READs and no atomics. */
const ACCESS_OF: Readonly<Record<'RC' | 'UC', readonly Access[]>> = {
  RC: ALL_ACCESS,
  UC: ['LOCAL_WRITE', 'REMOTE_WRITE'],
};

/** A queue pair. Made by {@link Pd.createQp}; {@link connect}, or {@link activate} for UD, brings it to RTS. */
export class Qp {
  readonly #native: NativeQp;
  readonly #psn = randomInt(0, U24 + 1);

  /** @internal */
  constructor(
    /** Protection domain of the QP. */
    readonly pd: Pd,
    native: NativeQp,
    /** Transport service. */
    readonly type: QpType,
    /** CQ of the send queue. */
    readonly sendCq: Cq,
    /** CQ of the receive queue. */
    readonly recvCq: Cq,
    /** Shared receive queue; `null` if the QP has its own receive queue. */
    readonly srq: Srq | null,
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
  /** Limits that the device provides: work requests per queue, and bytes that can be posted inline. */
  get capabilities(): { maxSendWr: number; maxRecvWr: number; maxInlineData: number } {
    const { maxSendWr, maxRecvWr, maxInlineData } = this.#native;
    return { maxSendWr, maxRecvWr, maxInlineData };
  }
  /** True after {@link close}. */
  get closed(): boolean {
    return this.#native.closed;
  }
  /** Current state from `ibv_query_qp`. */
  get state(): QpState {
    return qpStateName(this.#native.query().state);
  }

  /**
   * Data that the peer needs to connect, as plain JSON. The PSN is drawn at random when the QP is made.
   *
   * @param options `gidIndex`: default, the GID that {@link Context.gid} chooses
   */
  info(options: { port?: number; gidIndex?: number } = {}): QpInfo {
    const port = options.port ?? 1;
    const { context } = this.pd;
    const { lid, activeMtu } = context.queryPort(port);
    const gid = context.gid(port, options.gidIndex);
    return { qpn: this.qpn, psn: this.#psn, gid: gid.gid, gidIndex: gid.index, lid, mtu: activeMtu };
  }

  /**
   * `ibv_modify_qp` with only the given attributes.
   *
   * @throws VerbsError EINVAL if the state does not allow the transition, or attributes are missing or out of range
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
    if (attributes.address !== undefined) attr.ah = toAddress(call, attributes.address);
    this.#native.modify(attr);
  }

  /** Moves the QP from RESET to INIT. A UD QP gets its Q_Key here. */
  toInit(options: ConnectOptions = {}): void {
    this.modify({
      state: 'INIT',
      pkeyIndex: 0,
      port: options.port ?? 1,
      ...(this.type === 'UD'
        ? { qkey: options.qkey ?? DEFAULT_QKEY }
        : { access: options.access ?? ACCESS_OF[this.type] }),
    });
  }

  /** Moves the QP from INIT to RTR: ready to receive from `remote`. */
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

  /** Moves the QP from RTR to RTS: ready to send. */
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

  /**
   * Moves a UD QP from RESET to RTS. The QP has no peer: every datagram names its target.
   *
   * @param options `qkey`: key that datagrams to this QP must carry (default {@link DEFAULT_QKEY}); `port`; `psn`
   * @throws VerbsError EINVAL for a QP of another type
   */
  activate(options: Pick<ConnectOptions, 'qkey' | 'port' | 'psn'> = {}): void {
    if (this.type !== 'UD')
      throw argumentError(
        'ibv_modify_qp',
        'type',
        `the QP is ${this.type}, which needs a peer`,
        'Use connect() with the info() of the peer.',
      );
    this.toInit(options);
    this.modify({ state: 'RTR' });
    this.toRts(options);
  }

  /**
   * Moves an RC or UC QP from RESET to RTS in three steps. `remote` is the result of {@link info} on the other side.
   */
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
   * @throws VerbsError ENOMEM if the send queue is full, EINVAL if the QP or the request does not allow it; the message
   *   says how many requests of the list were accepted
   */
  postSend(wrs: SendWr | readonly SendWr[]): void {
    this.#native.postSend(this.#sends('ibv_post_send', wrs));
    remember(wrs);
  }

  /**
   * Extended posting: `ibv_wr_start`, one builder call per request, `ibv_wr_complete`. The device accepts the whole
   * list or nothing. The QP must have been created with `extended`.
   *
   * @throws VerbsError EOPNOTSUPP for an opcode that the QP was not created with; ENOMEM if the send queue is full;
   *   EINVAL if the QP or a request does not allow it
   */
  postExtended(wrs: SendWr | readonly SendWr[]): void {
    this.#native.postExtended(this.#sends('ibv_wr_complete', wrs));
    remember(wrs);
  }

  #sends(call: string, wrs: SendWr | readonly SendWr[]): NativeSendWr[] {
    return list(wrs).map((wr) => toNativeSend(call, wr, this.type === 'UD'));
  }

  /**
   * `ibv_post_recv`, one call for the whole list.
   *
   * @throws VerbsError ENOMEM if the receive queue is full; EINVAL if the QP has a shared receive queue
   */
  postRecv(wrs: RecvWr | readonly RecvWr[]): void {
    this.#native.postRecv(toNativeRecv('ibv_post_recv', wrs));
  }

  /**
   * `ibv_bind_mw`: opens a part of a region through a type 1 window. The window has its new key at once; the device
   * uses it when the bind completes (BIND_MW).
   *
   * @throws VerbsError EINVAL for a type 2 window or a region without MW_BIND; EPERM if window and region belong to
   *   different protection domains
   */
  bindMw(
    mw: Mw,
    range: WindowRange,
    options: { wrId?: bigint | number; signaled?: boolean; fence?: boolean } = {},
  ): void {
    const call = 'ibv_bind_mw';
    this.#native.bindMw({
      ...toBind(call, mw, 0, range),
      wrId: check.u64(call, 'wrId', options.wrId ?? 0),
      flags: sendFlags(options),
    });
    mw.range = range;
  }

  /**
   * `ibv_attach_mcast`: a UD QP also receives packets for the group.
   *
   * @param group GID of the group in IPv6 notation, or an IPv4 address such as 239.1.2.3
   * @param lid InfiniBand multicast LID of the group; 0 on Ethernet
   * @throws VerbsError EINVAL if the QP is not UD or the address is not a multicast address
   */
  attachMulticast(group: string, lid = 0): void {
    const call = 'ibv_attach_mcast';
    this.#native.attachMcast(parseGid(group, call), check.integer(call, 'lid', lid, 0, 0xffff));
  }

  /** `ibv_detach_mcast`. @throws VerbsError EINVAL if the QP is not attached to the group */
  detachMulticast(group: string, lid = 0): void {
    const call = 'ibv_detach_mcast';
    this.#native.detachMcast(parseGid(group, call), check.integer(call, 'lid', lid, 0, 0xffff));
  }

  /**
   * `ibv_destroy_qp`, after leaving its multicast groups. @throws VerbsError EBUSY while a measuring loop uses the QP
   */
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
