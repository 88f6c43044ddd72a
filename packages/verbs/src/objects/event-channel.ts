import { toCmEvent } from './cm-events.js';
import { CmId } from './cm-id.js';
import * as check from '../base/check.js';
import { Children } from './children.js';
import { Context } from './context.js';
import { libraryPath, listProviders } from './device.js';
import { Feed } from '../base/feed.js';
import { binding, type NativeCmEvent, type NativeCmId, type NativeEventChannel } from '../native/binding.js';
import type { CmEvent, CmService, Provider } from './types.js';

/** `enum rdma_port_space`. */
const PORT_SPACES: Readonly<Record<CmService, number>> = { TCP: 0x0106, UDP: 0x0111 };

/**
 * An event channel of the connection manager (librdmacm). Its ids resolve addresses, listen and connect. Made by
 * {@link createEventChannel}.
 *
 * A thread of the addon sleeps on the channel's descriptor, without a timer. Waiting keeps the process alive.
 */
export class EventChannel {
  readonly #native: NativeEventChannel;
  #held: boolean;
  readonly #ids = new Map<number, WeakRef<CmId>>();
  readonly #children = new Children();
  readonly #contexts = new Map<string, Context>();
  readonly #feeds = new Set<Feed<CmEvent>>();
  /** Objects that wait for events. Nothing else may keep them from garbage collection. */
  readonly #waiting = new Map<object, number>();

  /** @internal */
  constructor(
    /** Library with the devices of the channel's ids. */
    readonly provider: Provider,
    native: NativeEventChannel,
    held: boolean,
  ) {
    this.#native = native;
    this.#held = held;
    if (!held) this.#watch();
  }

  /** True while the channel leaves events in the library; see {@link createEventChannel}. */
  get held(): boolean {
    return this.#held;
  }

  /** Starts to take events: those that the library has queued, and later ones. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#watch();
    this.#native.setRef(this.#waiting.size > 0);
  }

  #watch(): void {
    this.#native.watch((event) => this.#deliver(event));
  }

  /** True after {@link close}. */
  get closed(): boolean {
    return this.#native.closed;
  }

  /**
   * `rdma_create_id`.
   *
   * @param service `TCP`: connections (RC). `UDP`: datagram services (UD)
   */
  createId(service: CmService = 'TCP'): CmId {
    check.oneOf('rdma_create_id', 'service', service, ['TCP', 'UDP'] as const);
    return this.#adopt(new binding.CmId(this.#native, PORT_SPACES[service]), service);
  }

  #adopt(native: NativeCmId, service: CmService): CmId {
    const id = this.#children.add(new CmId(this, native, service));
    this.#ids.set(native.token, new WeakRef(id));
    return id;
  }

  #deliver(native: NativeCmEvent): void {
    const known = this.#ids.get(native.token)?.deref();
    if (known === undefined || known.closed) {
      // The listener is closed, so the peer is refused.
      native.request?.close();
      return;
    }
    const request = native.request && this.#adopt(native.request, known.service);
    const event = request ? toCmEvent(native, request, known) : toCmEvent(native, known);
    for (const feed of this.#feeds) feed.push(event);
    known.deliver(event);
  }

  /**
   * Events of all ids of the channel from now on, for `for await`, in addition to those that the ids' own methods wait
   * for. Ends when the channel is closed or the signal aborts.
   */
  events(options: { signal?: AbortSignal } = {}): AsyncGenerator<CmEvent, void, undefined> {
    const feed: Feed<CmEvent> = new Feed<CmEvent>((on) => this.hold(feed, on));
    this.#feeds.add(feed);
    return feed.iterate(options.signal, () => this.#feeds.delete(feed));
  }

  /** @internal Keeps `who` and the process alive while `who` waits. */
  hold(who: object, on: boolean): void {
    const count = (this.#waiting.get(who) ?? 0) + (on ? 1 : -1);
    if (count > 0) this.#waiting.set(who, count);
    else this.#waiting.delete(who);
    if (!this.#native.closed && !this.#held) this.#native.setRef(this.#waiting.size > 0);
  }

  /** @internal The context of an id's device, shared by all ids of the channel. */
  context(name: string, open: () => ConstructorParameters<typeof Context>[1]): Context {
    const known = this.#contexts.get(name);
    if (known !== undefined && !known.closed) return known;
    const device = listProviders([this.provider])[0]!.devices.find((each) => each.name === name)!;
    const context = new Context(device, open());
    this.#contexts.set(name, context);
    return context;
  }

  /** @internal */
  forget(id: CmId, token: number): void {
    this.#ids.delete(token);
    this.#children.remove(id);
  }

  /** `rdma_destroy_event_channel`. @throws VerbsError EBUSY while its ids are open */
  close(): void {
    if (this.closed) return;
    this.#native.close();
    for (const feed of this.#feeds) feed.end();
  }

  /** Closes the ids with their QPs, all objects of their contexts, and the channel. */
  closeAll(): void {
    for (const id of this.#children.open()) if (id instanceof CmId) id.closeAll();
    for (const context of this.#contexts.values()) if (!context.closed) context.closeAll();
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

/**
 * `rdma_create_event_channel`.
 *
 * @param options `provider`: `embedded`, the device of this package; `system`, the machine's librdmacm and devices.
 *   Default: that of the first device. `held`: no event is taken until {@link EventChannel.release}, like in a program
 *   that does not call rdma_get_cm_event yet
 * @throws VerbsError ENOENT if librdmacm is not installed, ENOSYS if it lacks a call, ENODEV without a device
 */
export function createEventChannel(options: { provider?: Provider; held?: boolean } = {}): EventChannel {
  const provider =
    options.provider ?? listProviders().find(({ devices }) => devices.length > 0)?.provider ?? 'embedded';
  check.oneOf('rdma_create_event_channel', 'provider', provider, ['embedded', 'system'] as const);
  return new EventChannel(provider, new binding.EventChannel(libraryPath(provider)), options.held ?? false);
}
