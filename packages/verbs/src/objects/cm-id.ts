import { isIPv4 } from 'node:net';
import * as check from '../base/check.js';
import { CM_FAILURES, cmError } from './cm-events.js';
import type { Context } from './context.js';
import { argumentError, callError, timeoutError } from '../base/errors.js';
import type { EventChannel } from './event-channel.js';
import { Feed } from '../base/feed.js';
import { isIpv6 } from '../base/gid.js';
import type { NativeCmId, NativeConnParam } from '../native/binding.js';
import { Pd } from './pd.js';
import type { Qp } from './qp.js';
import type { CmConnectOptions, CmEvent, CmEventType, CmService, QpOptions, SocketAddress } from './types.js';

const ENODEV = 19;
const ECANCELED = 125;
/** Default time to resolve the neighbor (ARP) or the path, ms. */
const RESOLVE_MS = 2000;

interface Waiter {
  call: string;
  wanted: CmEventType;
  resolve: (event: CmEvent) => void;
  reject: (error: Error) => void;
}

/**
 * An id of the connection manager: a connection, a listener, or a datagram service. Made by
 * {@link EventChannel.createId}, or by a request to a listener.
 *
 * Client: {@link resolveAddr}, {@link resolveRoute}, {@link createQp}, {@link connect}. Server: {@link bind},
 * {@link listen}, {@link requests}; then {@link createQp} and {@link accept}, or {@link reject}, on the request's id.
 * Only one of these may wait at a time.
 */
export class CmId {
  readonly #native: NativeCmId;
  readonly #token: number;
  readonly #feed: Feed<CmEvent>;
  #waiter: Waiter | undefined;
  #qp: Qp | undefined;
  #disconnected = false;

  /** @internal */
  constructor(
    /** Channel of the id's events. */
    readonly channel: EventChannel,
    native: NativeCmId,
    /** Service of the id: connections or datagrams. */
    readonly service: CmService,
  ) {
    this.#native = native;
    this.#token = native.token;
    this.#feed = new Feed<CmEvent>((on) => channel.hold(this, on));
  }

  /** True after {@link close}. */
  get closed(): boolean {
    return this.#native.closed;
  }
  /** QP from {@link createQp}. */
  get qp(): Qp | undefined {
    return this.#qp;
  }
  /** Own address and port, once the id is bound. */
  get localAddress(): SocketAddress | null {
    return this.#native.bound().local;
  }
  /** Address and port of the peer, once the id is resolved or connected. */
  get remoteAddress(): SocketAddress | null {
    return this.#native.bound().remote;
  }
  /** Port of the device, from 1; 0 before the id has a device. */
  get port(): number {
    return this.#native.bound().port;
  }

  /**
   * The device of the id, as the connection manager opened it. PDs and CQs for {@link createQp} come from this context.
   * All ids of a channel with the same device share it.
   *
   * @throws VerbsError ENODEV before {@link resolveAddr}, or while the id listens on every address
   */
  get context(): Context {
    const { device } = this.#native.bound();
    if (device === null) throw callError(ENODEV, 'rdma_create_id', 'the id has no device yet');
    return this.channel.context(device, () => this.#native.openContext());
  }

  /**
   * `rdma_bind_addr`.
   *
   * @param address IPv4 or IPv6 address in numeric form; `0.0.0.0` or `::` for every address
   * @param port 0: any free port; {@link localAddress} then has its number
   * @throws VerbsError EADDRNOTAVAIL for an address of no device, EADDRINUSE for a port that is taken
   */
  bind(address: string, port = 0): void {
    const call = 'rdma_bind_addr';
    this.#native.bind(ip(call, address), check.integer(call, 'port', port, 0, 65_535));
  }

  /**
   * `rdma_resolve_addr`: finds the device and the path to an address.
   *
   * @throws CmError if the address cannot be reached; VerbsError EINVAL if it is not an address
   */
  async resolveAddr(
    address: string,
    port: number,
    options: { source?: string; timeoutMs?: number } = {},
  ): Promise<void> {
    const call = 'rdma_resolve_addr';
    const source = options.source === undefined ? null : ip(call, options.source);
    const to = ip(call, address);
    const toPort = check.integer(call, 'port', port, 0, 65_535);
    const ms = check.integer(call, 'timeoutMs', options.timeoutMs ?? RESOLVE_MS, 0, 0x7fff_ffff);
    await this.#after(call, 'ADDR_RESOLVED', () => this.#native.resolveAddr(source, to, toPort, ms));
  }

  /** `rdma_resolve_route`, after {@link resolveAddr}. @throws CmError if there is no route */
  async resolveRoute(options: { timeoutMs?: number } = {}): Promise<void> {
    const call = 'rdma_resolve_route';
    const ms = check.integer(call, 'timeoutMs', options.timeoutMs ?? RESOLVE_MS, 0, 0x7fff_ffff);
    await this.#after(call, 'ROUTE_RESOLVED', () => this.#native.resolveRoute(ms));
  }

  /**
   * `rdma_create_qp`: the QP of the connection, RC or UD by the id's service. The connection manager changes its state:
   * do not call connect() or modify() on it.
   *
   * @param pd PD of {@link context}
   * @param options `sendCq` of {@link context}, and other options as for {@link Pd.createQp}
   */
  createQp(pd: Pd, options: Omit<QpOptions, 'type' | 'extended'>): Qp {
    check.instance('rdma_create_qp', 'pd', pd, Pd);
    const type = this.service === 'UDP' ? 'UD' : 'RC';
    this.#qp = pd.createQpOf(this.#native, { ...options, type });
    return this.#qp;
  }

  /**
   * `rdma_connect`: connects to the listener at the resolved address.
   *
   * @returns ESTABLISHED, with the data that the peer passed to {@link accept}; for a datagram service, with the
   *   address of its QP
   * @throws CmError ECONNREFUSED if the peer rejects: `event.privateData` is the data that it passed to {@link reject}
   */
  connect(options: CmConnectOptions = {}): Promise<CmEvent> {
    const call = 'rdma_connect';
    const limit = this.service === 'UDP' ? 180 : 56;
    return this.#after(call, 'ESTABLISHED', () => this.#native.connect(this.#param(call, options, limit)));
  }

  /** `rdma_listen`, after {@link bind}. @param backlog most requests that may wait; 0: the library's choice */
  listen(backlog = 0): void {
    this.#native.listen(check.integer('rdma_listen', 'backlog', backlog, 0, 0x7fff_ffff));
  }

  /**
   * Requests to a listener. The `id` of each event is accepted or rejected. Ends when the id is closed or the signal
   * aborts. Use either this or {@link events}.
   */
  async *requests(options: { signal?: AbortSignal } = {}): AsyncGenerator<CmEvent, void, undefined> {
    for await (const event of this.#feed.iterate(options.signal))
      if (event.type === 'CONNECT_REQUEST') yield event;
  }

  /** Events of this id that no method waited for. Ends when the id is closed or the signal aborts. */
  events(options: { signal?: AbortSignal } = {}): AsyncGenerator<CmEvent, void, undefined> {
    return this.#feed.iterate(options.signal);
  }

  /**
   * `rdma_accept`, on the id of a request that has a QP. Resolves when the connection is established; for a datagram
   * service at once.
   *
   * @throws CmError if the peer is gone
   */
  async accept(options: CmConnectOptions = {}): Promise<void> {
    const call = 'rdma_accept';
    const accept = (): void =>
      this.#native.accept(this.#param(call, options, this.service === 'UDP' ? 136 : 196));
    if (this.service === 'UDP') accept();
    else await this.#after(call, 'ESTABLISHED', accept);
  }

  /** `rdma_reject`, on the id of a request. @param privateData for the peer; at most 148 bytes, 136 for datagrams */
  reject(privateData: Uint8Array = new Uint8Array(0)): void {
    this.#native.reject(bytes('rdma_reject', privateData, this.service === 'UDP' ? 136 : 148));
  }

  /**
   * `rdma_disconnect`: the QP goes to ERR, and the peer gets DISCONNECTED. {@link disconnected} resolves here once the
   * peer has answered with its own disconnect().
   */
  disconnect(): void {
    this.#native.disconnect();
  }

  /**
   * Waits for DISCONNECTED: the peer has disconnected, or has answered this side's disconnect(). @throws VerbsError
   * ETIMEDOUT
   */
  async disconnected(options: { timeoutMs?: number } = {}): Promise<void> {
    if (this.#disconnected) return;
    const { timeoutMs } = options;
    const call = 'rdma_disconnect';
    const wait = this.#after(call, 'DISCONNECTED', () => undefined);
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(
            () => this.#fail(timeoutError('waiting for the end of the connection', timeoutMs)),
            timeoutMs,
          );
    await wait.finally(() => clearTimeout(timer));
  }

  /** @internal */
  deliver(event: CmEvent): void {
    if (event.type === 'DISCONNECTED') this.#disconnected = true;
    const waiter = this.#waiter;
    // DISCONNECTED counts with or without the peer's answer.
    if (waiter?.wanted === event.type && (event.status === 0 || event.type === 'DISCONNECTED')) {
      this.#settle();
      waiter.resolve(event);
    } else if (waiter && CM_FAILURES.includes(event.type)) {
      this.#fail(cmError(waiter.call, event));
    } else {
      this.#feed.push(event);
    }
  }

  #after(call: string, wanted: CmEventType, start: () => void): Promise<CmEvent> {
    return new Promise((resolve, reject) => {
      if (this.#waiter)
        throw argumentError(call, 'id', `it waits for ${this.#waiter.call}`, 'Await that first.');
      // Events arrive through the event loop, so none is missed between the two.
      start();
      this.#waiter = { call, wanted, resolve, reject };
      this.channel.hold(this, true);
    });
  }

  #settle(): void {
    this.#waiter = undefined;
    this.channel.hold(this, false);
  }

  #fail(error: Error): void {
    const waiter = this.#waiter;
    if (waiter === undefined) return;
    this.#settle();
    waiter.reject(error);
  }

  #param(call: string, options: CmConnectOptions, limit: number): NativeConnParam {
    const depth = (param: 'responderResources' | 'initiatorDepth', most: number): number =>
      check.integer(call, param, options[param] ?? Math.min(16, most), 0, 255);
    const { maxQpRdAtom, maxQpInitRdAtom } = this.context.attributes;
    return {
      privateData: bytes(call, options.privateData ?? new Uint8Array(0), limit),
      responderResources: depth('responderResources', maxQpRdAtom),
      initiatorDepth: depth('initiatorDepth', maxQpInitRdAtom),
      flowControl: check.flag(call, 'flowControl', options.flowControl ?? true),
      retryCount: check.integer(call, 'retryCount', options.retryCount ?? 7, 0, 7),
      rnrRetry: check.integer(call, 'rnrRetry', options.rnrRetry ?? 7, 0, 7),
    };
  }

  /** `rdma_destroy_id`. A request without an answer is rejected. @throws VerbsError EBUSY while its QP is open */
  close(): void {
    if (this.closed) return;
    this.#native.close();
    this.channel.forget(this, this.#token);
    this.#feed.end();
    this.#fail(callError(ECANCELED, this.#waiter?.call ?? 'rdma_destroy_id', 'the id was closed'));
  }

  /** Closes the QP of the id, then the id. */
  closeAll(): void {
    this.#qp?.close();
    this.close();
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

function ip(call: string, address: unknown): string {
  if (typeof address !== 'string' || !(isIPv4(address) || isIpv6(address)))
    throw argumentError(
      call,
      'address',
      `“${String(address)}” is not an IP address`,
      'Give it in digits: 192.0.2.1 or fe80::1%eth0.',
    );
  return address;
}

function bytes(call: string, data: unknown, limit: number): Uint8Array {
  if (!(data instanceof Uint8Array) || data.byteLength > limit)
    throw argumentError(
      call,
      'privateData',
      data instanceof Uint8Array ? `it has ${data.byteLength} bytes` : 'it is no Uint8Array',
      `Give a Uint8Array of at most ${limit} bytes.`,
    );
  return data;
}
