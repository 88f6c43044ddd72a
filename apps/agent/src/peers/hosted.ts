import { setMaxListeners } from 'node:events';
import {
  addDropped,
  AppError,
  decodeHeader,
  encodeCompletions,
  encodePackets,
  COMPLETION_FIELDS,
  HOSTED_BASE,
  stampFrame,
  type ClientMessageOf,
  type CompletionColumns,
} from '@verbslab/protocol';
import { answers, perClient, type Body, type Client, type Subsystem } from '../base/subsystem.js';
import type { HostedEndpoint, SpawnEndpoint } from '../endpoint/hosted-endpoint.js';

/** Endpoints that one agent hosts at once: a lab has two. */
const MAX_HOSTED = 16;
/** Bytes waiting for the peer beyond which detail (completions, packets) is left out and counted. */
const LAG_BYTES = 16 * 1024 * 1024;
/** Most events in one message: the other agent reads other messages in between. */
const BATCH_EVENTS = 1_000;
/** Time for an endpoint to end in order after its owner has gone, ms. */
const ORPHAN_GRACE_MS = 80;

/** The owner of endpoints here: an agent, and the name of its run. */
export interface Owner {
  host: string;
  what: string;
}

export interface HostRegistryOptions {
  spawn: SpawnEndpoint;
  /** Returns why this agent itself needs its devices, or null. */
  busy(): AppError | null;
  /** Name of this machine. */
  host: string;
}

/** All endpoints that this agent hosts for others. Runs of two owners would disturb each other’s figures. */
export class HostRegistry implements Subsystem {
  readonly #sessions = perClient(
    (client) => new HostedSession(this, client),
    (session) => session.end(),
  );
  readonly messages = answers({
    'endpoint.open': (message, client) => this.#sessions(client).open(message),
    'endpoint.call': (message, client) => this.#sessions(client).call(message),
    'endpoint.close': (message, client) => this.#sessions(client).close(message),
  });
  readonly #options: HostRegistryOptions;
  readonly #runs = new Map<string, { owner: Owner; count: number }>();
  #numbers = 0;

  constructor(options: HostRegistryOptions) {
    this.#options = options;
  }

  /** Returns RUN_BUSY while endpoints of a run of another agent are here, or null. */
  busy(except?: string): AppError | null {
    const other = [...this.#runs].find(([run]) => run !== except);
    if (!other) return null;
    const { owner } = other[1];
    return new AppError('RUN_BUSY', {
      what: `${owner.what} of the agent on “${owner.host}”`,
      host: this.#options.host,
      hint: `Wait for it, or cancel it in the dashboard of “${owner.host}”.`,
    });
  }

  get count(): number {
    return [...this.#runs.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** Opens an endpoint named `number`. Throws RUN_BUSY, LIMIT, or the error of opening. */
  async open(
    run: string,
    owner: Owner,
    options: Parameters<SpawnEndpoint>[0] & { number: number },
  ): Promise<HostedEndpoint> {
    const busy = this.#options.busy() ?? this.busy(run);
    if (busy) throw busy;
    if (this.count >= MAX_HOSTED)
      throw new AppError('LIMIT', {
        what: 'Too many endpoints for other agents',
        value: this.count + 1,
        limit: MAX_HOSTED,
      });
    const entry = this.#runs.get(run) ?? { owner, count: 0 };
    this.#runs.set(run, entry);
    entry.count++;
    const release = (): void => {
      if (--entry.count === 0) this.#runs.delete(run);
    };
    try {
      const endpoint = await this.#options.spawn(options);
      void endpoint.exited.then(release);
      return endpoint;
    } catch (error) {
      release();
      throw error;
    }
  }

  nextNumber(): number {
    this.#numbers = (this.#numbers + 1) % HOSTED_BASE;
    return HOSTED_BASE + this.#numbers;
  }
}

/** The endpoints of one connection. They end with it. */
class HostedSession {
  readonly #registry: HostRegistry;
  readonly #client: Client;
  readonly #endpoints = new Map<number, HostedEndpoint>();
  readonly #left = new Map<string, LeftOut>();
  readonly #abort = new AbortController();

  constructor(registry: HostRegistry, client: Client) {
    this.#registry = registry;
    this.#client = client;
    setMaxListeners(0, this.#abort.signal); // each endpoint has one
  }

  async open(message: ClientMessageOf<'endpoint.open'>): Promise<Body<'endpoint.open'>> {
    const number = this.#registry.nextNumber();
    const owner = message.of ?? { host: 'an older version', what: 'A run' };
    const endpoint = await this.#registry.open(message.run, owner, {
      number,
      name: message.role,
      device: message.device,
      clock: BigInt(message.clock),
      signal: this.#abort.signal,
      onEvents: (events) => {
        for (let from = 0; from < events.length; from += BATCH_EVENTS)
          this.#client.send({
            type: 'endpoint.events',
            endpoint: number,
            events: events.slice(from, from + BATCH_EVENTS),
          });
      },
      onFrame: (frame) => this.#onFrame(number, frame),
      onLog: (text) => this.#client.send({ type: 'endpoint.log', endpoint: number, text }),
    });
    this.#endpoints.set(number, endpoint);
    void endpoint.exited.then(({ code, signal, error }) => {
      this.#endpoints.delete(number);
      this.#tellLeftOut(number);
      this.#client.send({
        type: 'endpoint.exited',
        endpoint: number,
        code,
        signal,
        ...(error ? { error } : {}),
      });
    });
    const { pid, device } = endpoint;
    return { endpoint: number, pid, device };
  }

  async call({ endpoint, op, args }: ClientMessageOf<'endpoint.call'>): Promise<Body<'endpoint.call'>> {
    // The endpoint itself checks the command, since it knows every command.
    const result = await this.#get(endpoint).call(op, args);
    this.#tellLeftOut(endpoint);
    return { result };
  }

  async close({ endpoint, graceMs }: ClientMessageOf<'endpoint.close'>): Promise<Body<'endpoint.close'>> {
    await this.#get(endpoint).close(graceMs);
    return {};
  }

  /** Ends all endpoints: their owner has gone. */
  end(): void {
    this.#abort.abort();
    for (const endpoint of this.#endpoints.values()) void endpoint.close(ORPHAN_GRACE_MS);
  }

  #get(number: number): HostedEndpoint {
    const endpoint = this.#endpoints.get(number);
    if (!endpoint) throw new AppError('BAD_HANDLE', { what: 'endpoint', handle: number });
    return endpoint;
  }

  /** Passes a frame on. A network that is slower than the endpoint costs detail, never counts. */
  #onFrame(number: number, frame: Uint8Array): void {
    const { kind, source, count, dropped, t } = decodeHeader(frame);
    const key = `${number} ${kind} ${source}`;
    if ((kind === 'completions' || kind === 'packets') && this.#client.waiting > LAG_BYTES) {
      const records = (this.#left.get(key)?.records ?? 0) + count + dropped;
      this.#left.set(key, { number, kind, source, t, records });
      return;
    }
    const left = this.#left.get(key);
    if (left) addDropped(frame, left.records);
    this.#left.delete(key);
    this.#send(number, frame);
  }

  /** Reports records left out at the end: no later frame could. */
  #tellLeftOut(number: number): void {
    for (const [key, left] of this.#left) {
      if (left.number !== number || this.#client.waiting > LAG_BYTES) continue;
      this.#left.delete(key);
      const meta = { source: left.source, t: left.t, dropped: left.records };
      this.#send(
        number,
        left.kind === 'packets' ? encodePackets(meta, []) : encodeCompletions(meta, NO_COMPLETIONS),
      );
    }
  }

  #send(number: number, frame: Uint8Array): void {
    stampFrame(frame, number, 0);
    this.#client.write(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength));
  }
}

interface LeftOut {
  number: number;
  kind: 'completions' | 'packets';
  source: number;
  t: number;
  records: number;
}

const NO_COMPLETIONS = Object.fromEntries(
  COMPLETION_FIELDS.map((field) => [field, new Uint32Array(0)]),
) as CompletionColumns;
