import { AsyncEvents } from './async-events.js';
import { Children } from './children.js';
import * as check from '../base/check.js';
import { CompChannel } from './comp-channel.js';
import { Cq } from './cq.js';
import type { Device } from './device.js';
import {
  gidTypeName,
  laneGbps,
  lanes,
  linkLayerName,
  mtuBytes,
  portStateName,
  windowTypes,
} from './enums.js';
import { argumentError } from '../base/errors.js';
import { Extensions } from './extensions.js';
import { formatGid, gidAddress, isZeroGid } from '../base/gid.js';
import { binding, type NativeContext } from '../native/binding.js';
import { Pd } from './pd.js';
import type { Srq } from './srq.js';
import type { AsyncEvent, CqOptions, DeviceAttributes, GidEntry, PortAttributes } from './types.js';

/** Empty GIDs in a row that end a look-up. A port's GID table can have 1,024 entries, most of them empty. */
const EMPTY_GIDS = 16;

/** An opened device. Made by {@link Device.open}. */
export class Context {
  readonly #native: NativeContext;
  readonly #children = new Children();
  readonly #events: AsyncEvents;
  #channel: CompChannel | undefined;
  #attributes: DeviceAttributes | undefined;
  #extensions: Extensions | undefined;

  /** @internal */
  constructor(
    /** The device that was opened. */
    readonly device: Device,
    native: NativeContext,
  ) {
    this.#native = native;
    this.#events = new AsyncEvents(native);
  }

  /** @internal */
  get native(): NativeContext {
    return this.#native;
  }
  /** True after {@link close}. */
  get closed(): boolean {
    return this.#native.closed;
  }

  /** `ibv_query_device`; queried once. */
  get attributes(): DeviceAttributes {
    if (this.#attributes === undefined) {
      const { atomic, capFlags, ...rest } = this.#native.queryDevice();
      this.#attributes = {
        ...rest,
        atomic: (['none', 'hca', 'global'] as const)[atomic] ?? 'none',
        windowTypes: rest.maxMw === 0 ? [] : windowTypes(capFlags),
      };
    }
    return this.#attributes;
  }

  /** `ibv_query_port`, queried each time. @param port from 1 */
  queryPort(port = 1): PortAttributes {
    check.integer('ibv_query_port', 'port', port, 1, 255);
    const raw = this.#native.queryPort(port);
    return {
      port,
      state: portStateName(raw.state),
      activeMtu: mtuBytes(raw.activeMtu),
      maxMtu: mtuBytes(raw.maxMtu),
      gidTableLength: raw.gidTableLength,
      maxMessageSize: raw.maxMessageSize,
      lid: raw.lid,
      linkLayer: linkLayerName(raw.linkLayer),
      activeWidth: lanes(raw.activeWidth),
      activeSpeedGbps: laneGbps(raw.activeSpeed),
    };
  }

  /** GIDs of the port, without empty entries. The look-up ends after 16 empty entries in a row. */
  gids(port = 1): GidEntry[] {
    const { gidTableLength, linkLayer } = this.queryPort(port);
    const entries: GidEntry[] = [];
    for (let index = 0, empty = 0; index < gidTableLength && empty < EMPTY_GIDS; index++) {
      const bytes = this.#gidBytes(port, index);
      if (bytes === null || isZeroGid(bytes)) {
        empty++;
        continue;
      }
      empty = 0;
      const gid = formatGid(bytes);
      const type = gidTypeName(this.#native.queryGidType(port, index), linkLayer === 'ethernet');
      entries.push({ index, gid, address: gidAddress(gid), type });
    }
    return entries;
  }

  #gidBytes(port: number, index: number): Uint8Array | null {
    try {
      return this.#native.queryGid(port, index);
    } catch {
      // Kernel devices answer with an error for an empty entry.
      return null;
    }
  }

  /**
   * A GID of the port: the one at `index`, or the default. The default is RoCEv2 with an IPv4 address, else RoCEv2,
   * else the first GID.
   *
   * @throws VerbsError EINVAL if there is no such GID
   */
  gid(port = 1, index?: number): GidEntry {
    const gids = this.gids(port);
    const chosen =
      index === undefined
        ? (gids.find((entry) => entry.type === 'RoCEv2' && entry.gid.startsWith('::ffff:')) ??
          gids.find((entry) => entry.type === 'RoCEv2') ??
          gids[0])
        : gids.find((entry) => entry.index === index);
    if (chosen === undefined)
      throw argumentError(
        'ibv_query_gid',
        'gidIndex',
        index === undefined ? `port ${port} has no GID` : `port ${port} has no GID with index ${index}`,
        gids.length === 0
          ? 'Give the network interface an address.'
          : `Choose one of: ${gids.map((entry) => entry.index).join(', ')}.`,
      );
    return chosen;
  }

  /** `ibv_alloc_pd`. */
  allocPd(): Pd {
    return this.#children.add(new Pd(this, new binding.Pd(this.#native)));
  }

  /** `ibv_create_comp_channel`. */
  createCompChannel(): CompChannel {
    return this.#children.add(new CompChannel(this, new binding.CompChannel(this.#native)));
  }

  /**
   * `ibv_create_cq`.
   *
   * @throws VerbsError EINVAL if the depth is 0 or above the device's limit
   */
  createCq(options: CqOptions): Cq {
    const call = 'ibv_create_cq';
    const depth = check.integer(call, 'depth', options.depth, 1, this.attributes.maxCqe);
    const vector = check.integer(call, 'compVector', options.compVector ?? 0, 0, 0xffff);
    let { channel } = options;
    if (channel === undefined) {
      if (this.#channel === undefined || this.#channel.closed) this.#channel = this.createCompChannel();
      channel = this.#channel;
    } else if (channel !== null) {
      check.instance(call, 'channel', channel, CompChannel);
    }
    const native = new binding.Cq(this.#native, depth, channel?.native ?? null, vector);
    return this.adopt(this.#children.add(new Cq(this, native, channel)));
  }

  /** Extensions of the device beyond verbs. Check {@link Device.capabilities} first. */
  get extensions(): Extensions {
    this.#extensions ??= new Extensions(this);
    return this.#extensions;
  }

  /** @internal Registers an object that asynchronous events name by its token. */
  adopt<T extends Cq | Srq>(object: T): T {
    this.#events.know(object.native.token, object);
    return object;
  }

  /**
   * Calls back for each asynchronous event of the device. Listening does not keep the process alive.
   *
   * @returns a function that stops listening
   */
  onAsyncEvent(listener: (event: AsyncEvent) => void): () => void {
    return this.#events.listen(listener);
  }

  /**
   * Asynchronous events from now on, for `for await`: reports of the device besides completions, such as QP_FATAL,
   * SRQ_LIMIT_REACHED or CQ_ERR. A thread of the addon sleeps on the context's descriptor, without a timer. Ends when
   * the context is closed or the signal aborts. Waiting keeps the process alive.
   */
  events(options: { signal?: AbortSignal } = {}): AsyncGenerator<AsyncEvent, void, undefined> {
    return this.#events.iterate(options.signal);
  }

  /** `ibv_close_device`. @throws VerbsError EBUSY while an object made from it is open */
  close(): void {
    if (this.closed) return;
    // The caller cannot close the shared channel.
    if (this.#channel && !this.#channel.closed && this.#native.children === 1) this.#channel.close();
    this.#native.close();
    this.#events.end();
  }

  /** Closes everything made from the context, children before parents, then the context. */
  closeAll(): void {
    const open = this.#children.open();
    for (const child of open) if (child instanceof Pd) child.closeAll();
    for (const child of open) if (child instanceof Cq) child.close();
    for (const child of open) child.close();
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
