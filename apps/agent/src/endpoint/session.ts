/** The objects of an endpoint process: its device, and every object that a command made, by handle. */
import type { z } from 'zod';
import { AppError, type Capability, type CmShown, type DeviceInfo, type zAsync } from '@verbslab/protocol';
import type {
  Ah,
  AsyncEvent,
  CmId,
  CompChannel,
  Context,
  Cq,
  EventChannel,
  Mr,
  Mw,
  Pd,
  Qp,
  Srq,
} from '@verbslab/verbs';
import type { CallCounter } from './call-counter.js';
import { OwnPackets } from './own-packets.js';
import { EventLog } from './event-log.js';
import { Groups } from './groups.js';
import { Handles } from './handles.js';
import { Lambdas, type Lambda } from './lambda/lambdas.js';
import type { RunningLoop } from './loops.js';
import { PolicySampler } from './qp-policy.js';
import { QueueSampler } from './queue-sampler.js';
import type { Recorder } from './recorder.js';
import type { Tap } from './tap.js';

type AsyncShown = z.infer<typeof zAsync>;

/** Sends a binary frame to the agent. `onWritten` is called when its memory is no longer read. */
export type FrameSink = (frame: Uint8Array, onWritten?: () => void) => void;

export class Session {
  readonly #numbers = { next: 1 };
  readonly pds = new Handles<Pd>('protection domain', this.#numbers);
  readonly mrs = new Handles<Mr>('memory region', this.#numbers);
  readonly cqs = new Handles<Cq>('completion queue', this.#numbers);
  readonly qps = new Handles<Qp>('queue pair', this.#numbers);
  readonly ahs = new Handles<Ah>('address handle', this.#numbers);
  readonly srqs = new Handles<Srq>('shared receive queue', this.#numbers);
  readonly mws = new Handles<Mw>('memory window', this.#numbers);
  readonly cms = new Handles<CmId>('id of the connection manager', this.#numbers);
  readonly loops = new Handles<RunningLoop>('measuring loop', this.#numbers);
  readonly loaded = new Handles<Lambda>('loaded function', this.#numbers);
  readonly lambdas = new Lambdas();
  readonly queues = new QueueSampler(this);
  readonly policies = new PolicySampler(this);
  channel: CompChannel | undefined;
  eventChannel: EventChannel | undefined;
  /** Channels whose events wait for a release, each with one listener. */
  readonly heldChannels: EventChannel[] = [];
  /** Asynchronous events that no `waitAsync` has reported yet. */
  readonly asyncEvents = new EventLog<AsyncShown>();
  /** Events of the connection manager that no `cm.events` has reported yet. */
  readonly cmEvents = new EventLog<CmShown>();
  readonly groups = new Groups();
  tap: Tap | undefined;
  /** Set while the system calls of this process are counted. */
  callCounter: CallCounter | undefined;
  /** Recognizes packets of the open device; see `opened`. */
  ownPackets = new OwnPackets([]);
  #stamping = false;
  #context: Context | undefined;
  #port = 1;
  #info: DeviceInfo | undefined;

  constructor(
    readonly recorder: Recorder,
    readonly sendFrame: FrameSink,
    /** False while the pipe to the agent is full: data that may be left out and counted should wait. */
    readonly hasRoom: () => boolean,
  ) {}

  opened(context: Context, port: number, info: DeviceInfo): void {
    this.#context = context;
    this.#port = port;
    this.#info = info;
    const gids = info.ports.find((each) => each.port === port)?.gids ?? [];
    this.ownPackets = new OwnPackets(gids.map(({ gid }) => gid));
    context.onAsyncEvent((event) => {
      const shown = this.#shownAsync(event);
      this.recorder.emit({ kind: 'async', ...shown });
      // The addon makes these calls on its own thread, and does not time them.
      for (const call of ['ibv_get_async_event', 'ibv_ack_async_event'])
        this.recorder.emit({ kind: 'verb', call, args: { event: shown.event }, durationNs: 0 });
      this.asyncEvents.add(shown);
    });
  }

  /** The open device. Throws AppError BAD_HANDLE before `open`. */
  get context(): Context {
    if (!this.#context) throw new AppError('BAD_HANDLE', { what: 'open device', handle: 0 });
    return this.#context;
  }

  /** The device as an id of the connection manager has it; without one, as `open` opened it. */
  contextOf(cm: number | undefined): Context {
    return cm === undefined ? this.context : this.cms.get(cm).context;
  }

  #shownAsync({ type, qpn, cq, srq }: AsyncEvent): AsyncShown {
    const [cqHandle, srqHandle] = [cq && this.cqs.handleOf(cq), srq && this.srqs.handleOf(srq)];
    return {
      event: type,
      ...(qpn === undefined ? {} : { qpn }),
      ...(cqHandle === undefined ? {} : { cq: cqHandle }),
      ...(srqHandle === undefined ? {} : { srq: srqHandle }),
    };
  }

  get isOpen(): boolean {
    return this.#context !== undefined;
  }

  get port(): number {
    return this.#port;
  }

  set stamping(on: boolean) {
    this.#stamping = on;
  }

  get stamping(): boolean {
    return this.#stamping;
  }

  can(capability: Capability): boolean {
    return this.#info?.capabilities.includes(capability) ?? false;
  }

  /** Returns why the device lacks a capability that others of its kind have; undefined without a known reason. */
  lacks(capability: Capability): NonNullable<DeviceInfo['lacks']>[number] | undefined {
    return this.#info?.lacks?.find((each) => each.capability === capability);
  }

  /**
   * Ends loops, then destroys everything: QPs before the CQs and regions that they use, the protection domains and
   * the channel after these, the device last. Each call is reported; one that fails does not stop the others.
   */
  async closeAll(drainMs: number): Promise<void> {
    if (!this.#context) return;
    await Promise.all(this.loops.newestFirst().map(([, loop]) => loop.stop(drainMs)));
    await this.tap?.stop().catch(() => undefined); // the endpoint ends either way
    this.tap = undefined;
    for (const [handle, qp] of this.qps.newestFirst()) this.#quietly(() => this.destroyQp(handle, qp));
    for (const [handle, mw] of this.mws.newestFirst()) this.#quietly(() => this.deallocMw(handle, mw));
    for (const [handle, ah] of this.ahs.newestFirst()) this.#quietly(() => this.destroyAh(handle, ah));
    for (const [handle, srq] of this.srqs.newestFirst()) this.#quietly(() => this.destroySrq(handle, srq));
    for (const [handle, cq] of this.cqs.newestFirst()) this.#quietly(() => this.destroyCq(handle, cq));
    for (const [handle, mr] of this.mrs.newestFirst()) this.#quietly(() => this.deregMr(handle, mr));
    for (const [handle, pd] of this.pds.newestFirst()) this.#quietly(() => this.deallocPd(handle, pd));
    for (const [handle, id] of this.cms.newestFirst()) this.#quietly(() => this.destroyId(handle, id));
    const { channel, eventChannel } = this;
    for (const one of [...this.heldChannels.splice(0), ...(eventChannel ? [eventChannel] : [])])
      this.#quietly(() => this.recorder.verb('rdma_destroy_event_channel', {}, () => one.closeAll()));
    this.eventChannel = undefined;
    if (channel)
      this.#quietly(() => this.recorder.verb('ibv_destroy_comp_channel', {}, () => channel.close()));
    this.channel = undefined;
    const context = this.#context;
    this.#context = undefined;
    this.#quietly(() =>
      this.recorder.verb('ibv_close_device', { context: context.device.name }, () => context.closeAll()),
    );
  }

  destroyQp(handle: number, qp = this.qps.get(handle)): void {
    const { qpn } = qp;
    this.policies.gone(qp);
    const made = this.cms.newestFirst().some(([, id]) => id.qp === qp);
    this.recorder.verb(made ? 'rdma_destroy_qp' : 'ibv_destroy_qp', { qp: `QP ${qpn}` }, () => qp.close());
    this.groups.leave(qpn);
    this.qps.delete(handle);
  }

  deallocMw(handle: number, mw = this.mws.get(handle)): void {
    this.recorder.verb('ibv_dealloc_mw', { mw: `MW ${handle}` }, () => mw.close());
    this.mws.delete(handle);
  }

  destroyAh(handle: number, ah = this.ahs.get(handle)): void {
    this.recorder.verb('ibv_destroy_ah', { ah: `AH ${handle}` }, () => ah.close());
    this.ahs.delete(handle);
  }

  destroySrq(handle: number, srq = this.srqs.get(handle)): void {
    this.recorder.verb('ibv_destroy_srq', { srq: `SRQ ${handle}` }, () => srq.close());
    this.srqs.delete(handle);
  }

  destroyId(handle: number, id = this.cms.get(handle)): void {
    this.recorder.verb('rdma_destroy_id', { id: `ID ${handle}` }, () => id.close());
    this.cms.delete(handle);
  }

  destroyCq(handle: number, cq = this.cqs.get(handle)): void {
    this.recorder.verb('ibv_destroy_cq', { cq: `CQ ${handle}` }, () => cq.close());
    this.cqs.delete(handle);
  }

  deregMr(handle: number, mr = this.mrs.get(handle)): void {
    this.recorder.verb('ibv_dereg_mr', { mr: `MR ${handle}` }, () => mr.close());
    this.mrs.delete(handle);
  }

  deallocPd(handle: number, pd = this.pds.get(handle)): void {
    this.recorder.verb('ibv_dealloc_pd', { pd: `PD ${handle}` }, () => pd.close());
    this.pds.delete(handle);
  }

  /** The failure is in the report already. */
  #quietly(body: () => void): void {
    try {
      body();
    } catch {
      return;
    }
  }
}
