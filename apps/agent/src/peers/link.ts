import { EventEmitter } from 'node:events';
import {
  ANSWER_MS,
  AppError,
  toErrorInfo,
  type AgentMessageOf,
  type ClockOffset,
  type ErrorInfo,
  type Peer,
} from '@verbslab/protocol';
import { AgentClient, type ClientEvents } from '../client/client.js';
import { hostPort } from '../config/instance.js';
import type { Logger } from '../base/log.js';
import type { Crash } from '../vms/crash.js';
import type { PeerEntry } from '../config/peer-book.js';
import { measureClock, type ClockAnswer } from './clock.js';

/** Pause before attempt n (from 0), ms. */
const pause = (attempt: number): number => Math.min(30_000, 250 * 2 ** attempt);

/** Interval between comparisons of the clocks, ms. The same exchange shows if the peer still answers. */
const CLOCK_INTERVAL_MS = 5_000;
const CLOCK_ROUNDS = 8;

interface LinkEvents {
  changed: [];
  /** The connection is lost, with the reason as the end of a sentence. */
  down: [detail: string];
}

export interface PeerLinkOptions {
  entry: PeerEntry;
  /** Id of this agent, to recognize a connection to itself. */
  ownId: string;
  /** Name of this machine, sent to the peer with each endpoint that is opened there. */
  ownHost: string;
  logger: Logger;
  /** Returns the crash of the peer's virtual machine on this host, or null. Waits up to `patience` ms for its end. */
  crash(entry: PeerEntry, patience: number): Promise<Crash | null>;
}

/** Time after a lost connection in which the process of a virtual machine may still be ending, ms. */
const CRASH_MS = 5_000;

/** Keeps the connection with a paired agent: tries again when it drops, knows the peer's devices, follows its clock. */
export class PeerLink extends EventEmitter<LinkEvents> {
  readonly entry: PeerEntry;
  readonly #options: PeerLinkOptions;
  #client: AgentClient | null = null;
  #state: Peer['state'] = 'connecting';
  #since = Date.now();
  #error: ErrorInfo | null = null;
  #retryAt: number | null = null;
  #attempt = 0;
  #timer: NodeJS.Timeout | null = null;
  #welcome: Pick<AgentMessageOf<'welcome'>, 'agent' | 'devices'> | null = null;
  #clock: ClockOffset | null = null;
  #stopped = false;
  #connecting: Promise<void> | null = null;

  constructor(options: PeerLinkOptions) {
    super();
    this.setMaxListeners(0);
    this.entry = options.entry;
    this.#options = options;
  }

  get ownHost(): string {
    return this.#options.ownHost.slice(0, 255);
  }

  get address(): string {
    return hostPort(this.entry.host, this.entry.port);
  }

  get peer(): Peer {
    return {
      name: this.entry.name,
      address: this.address,
      tls: this.entry.fingerprint !== null,
      state: this.#state,
      since: this.#since,
      error: this.#error,
      retryAt: this.#retryAt,
      agent: this.#welcome?.agent ?? null,
      devices: this.#welcome?.devices ?? [],
      clock: this.#clock,
    };
  }

  /** Opens another connection, past its welcome. Rejects with PEER_UNREACHABLE, PEER_UNTRUSTED, PEER_REFUSED, … */
  async dial(
    events: ClientEvents,
    signal?: AbortSignal,
  ): Promise<{ client: AgentClient; welcome: AgentMessageOf<'welcome'> }> {
    const { host, port, token, fingerprint } = this.entry;
    const { address } = this;
    if (fingerprint === null) throw new AppError('PEER_UNPINNED', { address });
    try {
      const at = { host, port, fingerprint, token };
      return await AgentClient.connect(at, events, { as: 'peer', name: this.entry.name, signal });
    } catch (error) {
      const info = toErrorInfo(error);
      if (info.code === 'UNAUTHENTICATED') throw new AppError('PEER_REFUSED', { address }, { cause: error });
      if (info.code === 'AGENT_UNREACHABLE')
        throw new AppError('PEER_UNREACHABLE', { address, port, detail: reason(error) }, { cause: error });
      throw error;
    }
  }

  /** Connects once and keeps the connection. If that fails, rejects, and the link is down. */
  connect(): Promise<void> {
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = null));
    return this.#connecting;
  }

  /** Resolves when no attempt is in progress. */
  async settled(): Promise<void> {
    await this.#connecting?.catch(() => undefined);
  }

  async #connect(): Promise<void> {
    this.#retryAt = null;
    if (this.#state === 'up') return;
    // The scheduled attempt is not needed any more: this one may come before it.
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#attempt === 0) this.#become('connecting', null);
    try {
      let gone = (_detail: string): void => undefined;
      const { client, welcome } = await this.dial({ onClose: (detail) => gone(detail) });
      if (welcome.agent.id === this.#options.ownId || this.#stopped) {
        client.terminate();
        throw new AppError('PEER_ITSELF');
      }
      gone = (detail) => this.#lost(client, detail);
      this.#client = client;
      this.#welcome = welcome;
      this.#attempt = 0;
      await this.#follow(client);
      this.#become('up', null);
    } catch (error) {
      const crash = toErrorInfo(error).code === 'PEER_UNREACHABLE' ? await this.crash(0) : null;
      const told = crash ? crashed(crash) : error;
      // A connection that was lost in the meantime has been reported.
      if (!this.#stopped && this.#retryAt === null) this.#goDown(toErrorInfo(told));
      throw told;
    }
  }

  /** Returns the crash of the peer's virtual machine; null if the peer is in none, or the machine runs. */
  crash(patience = CRASH_MS): Promise<Crash | null> {
    return this.#options.crash(this.entry, patience);
  }

  /** Connects, without waiting for a scheduled attempt, and keeps connecting until `stop`. */
  start(): void {
    // The state shows the error, and the next attempt is scheduled.
    this.connect().catch(() => undefined);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    void client?.close();
  }

  /** Returns the connection. Throws the error of the link if the peer is not connected. */
  requireUp(): AgentClient {
    if (this.#client) return this.#client;
    if (this.#error) throw AppError.from(this.#error);
    const { address } = this;
    throw new AppError('PEER_UNREACHABLE', {
      address,
      port: this.entry.port,
      detail: 'connecting',
    });
  }

  /** Queries the peer's devices again. */
  async refresh(): Promise<void> {
    const { devices } = await this.requireUp().request('devices.list', {});
    if (this.#welcome) this.#welcome = { agent: this.#welcome.agent, devices };
    this.emit('changed');
  }

  /** Compares the clocks now. */
  async clock(rounds = 2 * CLOCK_ROUNDS): Promise<ClockOffset> {
    return this.#measure(this.requireUp(), rounds);
  }

  async #measure(client: AgentClient, rounds: number): Promise<ClockOffset> {
    const exchange = async (): Promise<ClockAnswer> => {
      const { received, sent } = await client.request('clock', {});
      return { received: BigInt(received), sent: BigInt(sent) };
    };
    try {
      const offset = await measureClock(exchange, rounds, ANSWER_MS);
      if (!offset)
        throw new AppError('AGENT_BROKEN', {
          who: `The agent on “${this.entry.name}”`,
          detail: 'times of a clock that goes backwards',
        });
      this.#clock = offset;
      return offset;
    } catch (error) {
      if (toErrorInfo(error).code !== 'NO_ANSWER') throw error;
      const detail = `it has not answered for ${ANSWER_MS / 1000} s`;
      client.terminate(detail);
      const { address } = this;
      throw new AppError('PEER_UNREACHABLE', { address, port: this.entry.port, detail }, { cause: error });
    }
  }

  /** Measures the clock now, and again at each interval as long as this connection lives. */
  async #follow(client: AgentClient): Promise<void> {
    await this.#measure(client, CLOCK_ROUNDS);
    const again = (): void => {
      this.#timer = setTimeout(() => {
        if (this.#client !== client) return;
        this.#measure(client, CLOCK_ROUNDS).then(
          () => {
            this.emit('changed');
            if (this.#client === client) again();
          },
          (error: unknown) => {
            this.#options.logger.debug({ peer: this.entry.name, err: error }, 'clock exchange failed');
            client.terminate();
          },
        );
      }, CLOCK_INTERVAL_MS);
    };
    if (this.#client === client) again();
  }

  #lost(client: AgentClient, detail: string): void {
    if (this.#client !== client) return;
    const { address } = this;
    const info = toErrorInfo(new AppError('PEER_UNREACHABLE', { address, port: this.entry.port, detail }));
    this.#goDown(info, detail);
    void this.crash().then((crash) => {
      if (crash && this.#state === 'down' && this.#error === info)
        this.#become('down', toErrorInfo(crashed(crash)));
    });
  }

  #goDown(error: ErrorInfo, detail = error.message.replace(/\.$/, '')): void {
    const client = this.#client;
    this.#client = null;
    client?.terminate();
    if (this.#timer) clearTimeout(this.#timer);
    const wait = pause(this.#attempt++);
    this.#retryAt = Date.now() + wait;
    this.#timer = setTimeout(() => this.start(), wait);
    this.#become('down', error);
    this.emit('down', detail);
  }

  #become(state: Peer['state'], error: ErrorInfo | null): void {
    if (state !== this.#state) {
      this.#since = Date.now();
      this.#options.logger.info({ peer: this.entry.name, state, why: error?.message }, 'peer');
    }
    this.#state = state;
    this.#error = error;
    this.emit('changed');
  }
}

const crashed = ({ name, lastWords }: Crash): AppError =>
  new AppError('VMS_CRASHED', { name }, { detail: lastWords });

/** The system's reason for a failed connection, in a few words. */
function reason(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  return REASONS[cause?.code ?? ''] ?? (cause?.message || (error as Error).message);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ENOTFOUND: 'its name cannot be resolved',
  EAI_AGAIN: 'its name cannot be resolved',
  EPROTO: 'the program there does not speak TLS',
  ETIMEDOUT: 'no reply',
};
