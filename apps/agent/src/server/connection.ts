import {
  AppError,
  parseJson,
  PROTOCOL_VERSION,
  rowOf,
  toErrorInfo,
  type AgentMessage,
  type ClientMessage,
  type ClientMessageOf,
  type MachinesWork,
  type PathCheck,
  type SetUp,
} from '@verbslab/protocol';
import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import type { AgentInfo } from '../devices/machine.js';
import type { DeviceList } from '../devices/list.js';
import type { Logger } from '../base/log.js';
import { HostedSession, type HostRegistry } from '../peers/hosted.js';
import type { Peers } from '../peers/peers.js';
import type { Joins } from '../joins/joins.js';
import type { RunManager } from '../runs/manager.js';
import type { Notebook } from '../runs/notebook.js';
import type { Sweeps } from '../sweeps/sweeps.js';
import type { TrafficMonitor } from '../runs/traffic-monitor.js';
import type { Tools } from '../tools/tools.js';
import type { Machines } from '../vms/work.js';
import type { Workbench } from '../workbench/workbench.js';
import { tellChanges } from './changes.js';
import { FedPrograms } from './fed-programs.js';
import type { Counters } from './metrics.js';
import { fittingPage } from './list-page.js';
import { checkProtocol, parseMessage } from './parse-message.js';
import { refuseOwners, type Role } from './roles.js';
import type { Sessions } from './sessions.js';
import { answerNotebook } from './notebook.js';
import { Credit, Subscription, type Outlet } from './subscription.js';
import type { Turns } from './turns.js';

/** A client that sends requests and never reads the answers is cut off at this many bytes. */
const MAX_BUFFERED = 64 * 1024 * 1024;
const MAX_SUBSCRIPTIONS = 16;
/** Of streams, what waits in this process for a client to read: one that never reads holds no more memory than this. */
const MAX_STREAM_BUFFERED = 512 * 1024;
/** And so many messages: each costs more than its bytes. */
const MAX_STREAM_MESSAGES = 512;

type SweepRequest = ClientMessageOf<
  'sweep.start' | 'sweep.pause' | 'sweep.resume' | 'sweep.cancel' | 'sweep.get'
>;

export interface ConnectionOptions {
  socket: WebSocket;
  manager: RunManager;
  sweeps: Sweeps;
  joins: Joins;
  notebook: Notebook;
  tools: Tools;
  workbench: Workbench;
  machines: Machines;
  traffic: TrafficMonitor;
  devices: DeviceList;
  peers: Peers;
  hosted: HostRegistry;
  role: Role;
  sessions: Sessions;
  agent: AgentInfo;
  counters: Counters;
  /** For the streams of all connections. */
  turns: Turns;
  checkPath(from: string, to: string): Promise<PathCheck>;
  lookAround(): Promise<SetUp>;
  logger: Logger;
}

/** One client: reads its messages, answers each, and sends it what it subscribed to. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #credit = new Credit();
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #fed = new FedPrograms((message) => this.#send(message));
  readonly #hosted: HostedSession;
  #unwatch: (() => void) | null = null;
  #isPage = false;
  /** Set by the first `hello`: ends what this client is told of changes. */
  #silence: (() => void) | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { socket } = options;
    this.#hosted = new HostedSession(options.hosted, {
      message: (message) => this.#send(message),
      frame: (frame) => this.#write(frame),
      get waiting() {
        return socket.bufferedAmount;
      },
    });
    socket.on('message', (data, isBinary) => void this.#onMessage(data, isBinary));
    socket.on('close', () => this.close());
    // The reason (too large a frame, broken framing) has been sent to the client as close code.
    socket.on('error', (error) => options.logger.debug({ err: error }, 'connection broken'));
  }

  get #isPeer(): boolean {
    return this.#options.role === 'peer';
  }

  /** From `hello` on, the agent sends its owner what changes. */
  #greet(client: 'web' | 'cli' | 'peer'): void {
    if (this.#silence) throw new AppError('HELLO_TWICE');
    this.#isPage = client === 'web';
    this.#silence = this.#isPeer
      ? () => undefined
      : tellChanges(this.#options, (message) => this.#send(message));
  }

  #needGreeting(type: string): void {
    if (!this.#silence) throw new AppError('HELLO_FIRST', { type });
  }

  close(): void {
    this.#silence?.();
    this.#watchTraffic(false);
    this.#hosted.end();
    for (const subscription of this.#subscriptions.values()) subscription.close();
    this.#subscriptions.clear();
    this.#fed.lost();
  }

  /** Where streams go: it is closed while too much waits for the client, and looked at again with all that it reads. */
  readonly #outlet: Outlet = ((connection: Connection): Outlet => ({
    get open() {
      const { bufferedAmount } = connection.#options.socket;
      return bufferedAmount < MAX_STREAM_BUFFERED && connection.#streaming < MAX_STREAM_MESSAGES;
    },
    text: (message) => connection.#stream(message),
    binary: (frame, onWritten) => connection.#stream(frame, onWritten),
  }))(this);
  /** Messages of streams that wait to be written. */
  #streaming = 0;
  #stream(data: string | Buffer, onWritten?: () => void): void {
    this.#streaming++;
    this.#write(data, () => {
      onWritten?.();
      this.#onWritten();
    });
  }
  readonly #onWritten = (): void => {
    this.#streaming--;
    for (const subscription of this.#subscriptions.values()) subscription.schedule();
  };

  #write(data: string | Buffer, written?: () => void): void {
    const { socket, counters } = this.#options;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_BUFFERED) {
      socket.terminate();
      return;
    }
    counters.sentBytes += data.length;
    if (typeof data === 'string') counters.sentMessages++;
    else counters.sentFrames++;
    socket.send(data, written);
  }

  #send(message: AgentMessage): void {
    this.#write(JSON.stringify(message));
  }

  async #onMessage(data: RawData, isBinary: boolean): Promise<void> {
    const { socket } = this.#options;
    // A burst may be read on after its connection has ended, or while the agent stops.
    if (socket.readyState !== socket.OPEN) return;
    this.#options.counters.receivedMessages++;
    const received = process.hrtime.bigint();
    let re: number | undefined;
    try {
      if (isBinary) {
        this.#needGreeting('a binary frame');
        if (this.#isPeer) throw new AppError('NOT_FOR_PEERS', { type: 'a binary frame' });
        this.#fed.frame(data as Buffer);
        return;
      }
      const bytes = (data as Buffer).length;
      const raw = parseJson((data as Buffer).toString('utf8'));
      re = z.object({ id: z.int().min(0).max(0xffff_ffff) }).safeParse(raw).data?.id;
      if (this.#isPeer) refuseOwners(raw);
      const reply = await this.#handle(parseMessage(raw), bytes, received);
      if (reply) this.#send(reply);
    } catch (error) {
      const info = toErrorInfo(error);
      this.#options.counters.errors++;
      if (info.code === 'INTERNAL') this.#options.logger.error({ err: error }, 'message failed');
      this.#send({ type: 'error', ...(re === undefined ? {} : { re }), ...info });
    }
  }

  async #handle(message: ClientMessage, bytes: number, received: bigint): Promise<AgentMessage | null> {
    const { manager, devices, agent, peers, role, sessions, sweeps } = this.#options;
    if (message.type !== 'hello') this.#needGreeting(`“${message.type}”`);
    if (message.type === 'run.ack') {
      this.#credit.acknowledge(message.bytes);
      for (const subscription of this.#subscriptions.values()) subscription.schedule();
      return null;
    }
    if (message.type === 'program.faulted') {
      const { runId, ask, endpoints, why } = message;
      this.#fed.get(runId).options.faults?.answer(ask, { endpoints, ...(why === undefined ? {} : { why }) });
      return null;
    }
    if (message.type === 'program.events') {
      this.#fed.get(message.runId).events(message.events);
      return null;
    }
    const re = message.id;
    switch (message.type) {
      case 'hello':
        checkProtocol(message.protocol);
        this.#greet(message.client);
        return {
          type: 'welcome',
          re,
          protocol: PROTOCOL_VERSION,
          agent,
          devices: await devices.get(),
          labs: this.#isPeer ? [] : manager.labs,
          runs: this.#isPeer ? [] : manager.active.map(rowOf),
          ...(role !== 'page' ? {} : { resume: sessions.newResume() }),
        };
      case 'sign-in.code':
        if (role !== 'owner') throw new AppError('PROGRAM_ONLY', { type: message.type });
        return { type: 'sign-in.coded', re, code: sessions.newCode() };
      case 'devices.list':
        return { type: 'devices', re, devices: await devices.get(true) };
      case 'labs.list':
        return { type: 'labs', re, labs: manager.labs };
      case 'run.start':
        return { type: 'run', re, run: await manager.start(message) };
      case 'run.step':
        return { type: 'run', re, run: manager.step(message.runId, message.go) };
      case 'run.cancel':
        return { type: 'run', re, run: await manager.cancel(message.runId) };
      case 'run.faults': {
        const { runId, endpoint, faults } = message;
        return { type: 'run.faulted', re, runId, endpoints: await manager.faults(runId, endpoint, faults) };
      }
      case 'run.get':
        return { type: 'run', re, run: manager.get(message.runId) };
      case 'run.list': {
        const { limit = 50, before, lab, parts } = message;
        return { type: 'runs', re, ...fittingPage(manager.list({ limit, before, lab, parts })) };
      }
      case 'run.rows': {
        const { limit = 50, before } = message;
        const list = manager.list({ limit, before });
        return { type: 'rows', re, ...fittingPage({ ...list, runs: list.runs.map(rowOf) }) };
      }
      case 'run.delete':
        manager.delete(message.runId);
        return { type: 'run.deleted', re, runId: message.runId };
      case 'run.join':
        return { type: 'run', re, run: await this.#options.joins.join(message.runIds) };
      case 'run.separate':
        return { type: 'run.separated', re, runs: this.#options.joins.separate(message.runId) };
      case 'run.subscribe':
        this.#subscribe(re, message.runId, message.fromSeq, message.detail ?? true);
        return null;
      case 'run.unsubscribe':
        this.#unsubscribe(message.runId);
        return { type: 'run.unsubscribed', re, runId: message.runId };
      case 'program.start':
        return { type: 'run', re, run: this.#fed.start(manager, message) };
      case 'program.join':
        return { type: 'program.joined', re, ...this.#fed.join(manager, message) };
      case 'program.end':
        return { type: 'run', re, run: this.#fed.end(message) };
      case 'tools.list':
        return { type: 'tools', re, tools: this.#options.tools.list };
      case 'tool.start':
        return { type: 'run', re, run: await this.#options.tools.start(message) };
      case 'workbench.list':
        return { type: 'workbench', re, ...this.#options.workbench.list };
      case 'workbench.start':
        return { type: 'run', re, run: await this.#options.workbench.start(message) };
      case 'progress.get':
        return { type: 'progress', re, labs: manager.progress };
      case 'progress.answer':
        manager.answered(message.lab, message.check, message.right);
        return { type: 'progress', re, labs: manager.progress };
      case 'progress.reset':
        manager.resetProgress();
        return { type: 'progress', re, labs: manager.progress };
      case 'traffic.watch':
        this.#watchTraffic(message.on);
        return { type: 'traffic.watched', re, on: message.on };
      case 'ping':
        return { type: 'pong', re };
      case 'clock':
        return {
          type: 'clocked',
          re,
          received: received.toString(),
          sent: process.hrtime.bigint().toString(),
        };
      case 'peers.list':
        return { type: 'peers', re, peers: message.refresh ? await peers.refresh() : peers.list };
      case 'peers.add':
        return { type: 'peer', re, peer: await peers.add(message.join, message.name) };
      case 'peers.remove':
        peers.remove(message.name);
        return { type: 'peers.removed', re, name: message.name };
      case 'peers.check':
        return { type: 'peers.checked', re, check: await this.#options.checkPath(message.from, message.to) };
      case 'set-up.look':
        return { type: 'set-up.seen', re, seen: await this.#options.lookAround() };
      case 'machines.start':
      case 'machines.stop':
      case 'machines.cancel':
        return { type: 'machines.work', re, work: this.#machines(message.type) };
      case 'endpoint.open':
        this.#peersOnly(message.type);
        return this.#hosted.open(message);
      case 'endpoint.call':
        this.#peersOnly(message.type);
        return this.#hosted.call(message);
      case 'endpoint.close':
        this.#peersOnly(message.type);
        return this.#hosted.close(message);
      case 'sweep.list':
        return { type: 'sweeps', re, ...sweeps.list(message.limit ?? 50) };
      case 'sweep.start':
      case 'sweep.pause':
      case 'sweep.resume':
      case 'sweep.cancel':
      case 'sweep.get':
        return this.#sweep(message);
      case 'notebook.get':
      case 'notebook.list':
      case 'notebook.find':
      case 'note.write':
      case 'note.delete':
      case 'run.tag':
        return answerNotebook(this.#options.notebook, message);
    }
  }

  #machines(type: 'machines.start' | 'machines.stop' | 'machines.cancel'): MachinesWork | null {
    const { machines } = this.#options;
    if (type === 'machines.cancel') return machines.cancel();
    return machines.run(type === 'machines.start' ? 'up' : 'down');
  }

  #watchTraffic(on: boolean): void {
    this.#unwatch?.();
    this.#unwatch = on
      ? this.#options.traffic.watch((runs) => this.#send({ type: 'traffic.changed', runs }))
      : null;
  }

  async #sweep(message: SweepRequest): Promise<AgentMessage> {
    const { sweeps } = this.#options;
    const { type, id: re } = message;
    if (type === 'sweep.start') {
      const { type: _, id: __, ...plan } = message;
      return { type: 'sweep', re, ...sweeps.get((await sweeps.start(plan)).id) };
    }
    const { sweepId } = message;
    if (type === 'sweep.pause') sweeps.pause(sweepId);
    if (type === 'sweep.resume') sweeps.resume(sweepId);
    if (type === 'sweep.cancel') await sweeps.cancel(sweepId);
    return { type: 'sweep', re, ...sweeps.get(sweepId) };
  }

  /** Endpoints obey any command; a page has to go through a lab. */
  #peersOnly(type: string): void {
    if (!this.#isPeer) throw new AppError('PEER_ONLY', { type });
  }

  /** A second subscription to the same run replaces the first. */
  #subscribe(re: number, runId: string, from: number, detail: boolean): void {
    const { manager, counters, logger } = this.#options;
    const { record, reader, live } = manager.read(runId, from);
    this.#unsubscribe(runId);
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS) {
      const value = this.#subscriptions.size + 1;
      throw new AppError('LIMIT', { what: 'Too many subscriptions', value, limit: MAX_SUBSCRIPTIONS });
    }
    if (this.#isPage) manager.watched(runId);
    this.#send({ type: 'run.subscribed', re, run: record, fromSeq: Math.max(1, from) });
    const subscription: Subscription = new Subscription({
      runId,
      detail,
      reader,
      live,
      credit: this.#credit,
      outlet: this.#outlet,
      turns: this.#options.turns,
      onDropped: (records) => (counters.droppedRecords += records),
      onFailure: (error) => logger.error({ err: error, run: runId }, 'the history cannot be read'),
      onEnd: () => {
        if (this.#subscriptions.get(runId) === subscription) this.#subscriptions.delete(runId);
      },
    });
    this.#subscriptions.set(runId, subscription);
  }

  #unsubscribe(runId: string): void {
    this.#subscriptions.get(runId)?.close();
    this.#subscriptions.delete(runId);
  }
}
