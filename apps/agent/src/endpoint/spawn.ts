/** The agent's side of an endpoint process: starts it, calls it, and makes sure that it ends. */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import {
  AppError,
  decodeHeader,
  ENDPOINT_OPS,
  issueText,
  zEndpointMessage,
  type Capability,
  type DeviceInfo,
  type EndpointArgs,
  type EndpointMessage,
  type EndpointOp,
  type EndpointResult,
  type ErrorInfo,
} from '@verbslab/protocol';
import { childProgram, type ChildProgram } from '../config/agent-folder.js';
import { nodeIn } from '../devices/netns.js';
import { processEnd, startFailure, type ProcessEnd } from '../base/process-end.js';
import type { EndpointExit, HostedEndpoint, SpawnOptions } from './hosted-endpoint.js';
import { readLines } from './lines.js';
import { FRAME_FD, MESSAGE_FD, readFrames, readMessages, writeMessage } from './wire.js';

/** Time for a command without a limit of its own, ms; registering a gigabyte on a busy machine takes seconds. */
const CALL_TIMEOUT_MS = 30_000;
/** Time for an endpoint to end by itself after a request to close, ms. */
const CLOSE_GRACE_MS = 2_000;
const KEPT_OUTPUT_CHARS = 8_192;

export interface SpawnEndpointOptions extends SpawnOptions {
  /** Port of the device. Default: the first that is active. */
  port?: number;
  /** Aborting kills the process at once, also while it still starts. */
  signal?: AbortSignal;
  /** Added to the environment of the process (`UROCE_STRICT_MEMLOCK`, …). */
  env?: Readonly<Record<string, string>>;
  callTimeoutMs?: number;
  /** Program to run instead of the product's own endpoint: one that calls `serve` (benches). */
  program?: ChildProgram;
}

interface Pending {
  op: EndpointOp;
  resolve: (result: unknown) => void;
  reject: (error: AppError) => void;
  timer: NodeJS.Timeout | undefined;
}

/** Longest wait that a command may ask for, ms. */
const LONGEST_WAIT_MS = 60_000;

/** Time for an answer, ms; 0 for no limit, since the command itself is bounded or waits for work. */
function timeoutOf(op: EndpointOp, args: unknown, base: number): number {
  if (op === 'loop.wait') return 0;
  // Nothing depends on the answer, so a busy endpoint must not be given up for it.
  if (op === 'counters' && (args as EndpointArgs<'counters'>).quiet) return 0;
  // The process has to start first.
  if (op === 'open') return Math.max(base, CALL_TIMEOUT_MS);
  const own = args as { timeoutMs?: unknown; waitMs?: unknown } | null;
  const wait = own?.timeoutMs ?? own?.waitMs;
  // A peer may have sent the value, and the endpoint has yet to check it. A timer of more than 2^31 ms would end at
  // once.
  return base + (typeof wait === 'number' ? Math.min(Math.max(wait, 0), LONGEST_WAIT_MS) : 0);
}

class EndpointProcess implements HostedEndpoint {
  readonly exited: Promise<EndpointExit>;
  device!: DeviceInfo;
  readonly #child: ChildProcess;
  readonly #messages: Duplex;
  readonly #options: SpawnEndpointOptions;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #framesSeen = 0;
  /** Answers that arrived before the frames that were sent ahead of them. */
  #waitingForFrames: { frames: number; deliver: () => void }[] = [];
  #closing: Promise<void> | undefined;
  #expected = false;
  #gone: AppError | undefined;
  #said = '';

  constructor(options: SpawnEndpointOptions) {
    this.#options = options;
    const { execArgv, path } = options.program ?? childProgram('endpoint/child');
    const [command, args] = nodeIn(options.netns, [...execArgv, path]);
    this.#child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...options.env },
    });
    const child = this.#child;
    this.#messages = child.stdio[MESSAGE_FD] as Duplex;
    const frames = child.stdio[FRAME_FD] as Readable;
    const broken = (reason: string): void => this.#protocolBroken(reason);
    readMessages(this.#messages, (message) => this.#onMessage(message), broken);
    readFrames(
      frames,
      (frame) => {
        // Throws for bytes that are no frame: this ends the process, and the bytes go nowhere else.
        decodeHeader(frame);
        this.#framesSeen++;
        options.onFrame(frame);
        this.#deliverAnswers();
      },
      broken,
      options.memory && ((bytes) => options.memory!.take(bytes)),
    );
    // The exit of the child answers a write after its death.
    this.#messages.on('error', () => undefined);
    frames.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      readLines(stream, (line) => {
        this.#said = `${this.#said}${line}\n`.slice(-KEPT_OUTPUT_CHARS);
        options.onLog(line);
      });
    }
    this.exited = new Promise((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        this.#fail(this.#death(startFailure(error.code ?? error.message)));
        resolve({ code: null, signal: null, ...this.#lastError() });
      });
      // `close` comes after everything that the process wrote has been read, unlike `exit`.
      child.once('close', (code, signal) => {
        this.#fail(this.#death(processEnd(code, signal)));
        resolve({ code, signal, ...this.#lastError() });
      });
    });
    const abort = (): void => {
      this.#expected = true;
      this.kill();
    };
    options.signal?.addEventListener('abort', abort, { once: true });
    void this.exited.then(() => options.signal?.removeEventListener('abort', abort));
    if (options.signal?.aborted) abort();
  }

  get name(): string {
    return this.#options.name;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  has(capability: Capability): boolean {
    return this.device.capabilities.includes(capability);
  }

  async open(): Promise<void> {
    const { device, clock, port } = this.#options;
    const opened = await this.call('open', {
      device,
      clock: clock.toString(),
      ...(port === undefined ? {} : { port }),
    });
    this.device = opened.device;
  }

  call<K extends EndpointOp>(op: K, args: EndpointArgs<K>): Promise<EndpointResult<K>> {
    return new Promise((resolve, reject) => {
      if (this.#gone) {
        reject(this.#gone);
        return;
      }
      const id = this.#nextId++;
      const limit = timeoutOf(op, args, this.#options.callTimeoutMs ?? CALL_TIMEOUT_MS);
      const timer = limit > 0 ? setTimeout(() => this.#stuck(op, limit), limit) : undefined;
      this.#pending.set(id, { op, resolve: (result) => resolve(result as EndpointResult<K>), reject, timer });
      writeMessage(this.#messages, { id, op, args });
    });
  }

  #lastError(): { error?: ErrorInfo } {
    return this.#expected || !this.#gone ? {} : { error: this.#gone.info };
  }

  close(graceMs = CLOSE_GRACE_MS): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<void> {
    this.#expected = true;
    const timer = setTimeout(() => this.kill(), graceMs);
    this.call('close', {}).catch(() => undefined);
    await this.exited;
    clearTimeout(timer);
  }

  /** Adds the process's output to an error: a device's library prints there what an errno cannot say. */
  explained(error: unknown): unknown {
    const said = this.#said.trim();
    if (!(error instanceof AppError) || error.info.detail !== undefined || said === '') return error;
    return AppError.from({ ...error.info, detail: said });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #onMessage(raw: unknown): void {
    const parsed = zEndpointMessage.safeParse(raw);
    if (!parsed.success) {
      this.#protocolBroken(`a message without the documented form (${issueText(parsed.error)})`);
      return;
    }
    const message = parsed.data as EndpointMessage;
    if ('events' in message) {
      this.#options.onEvents(message.events);
      return;
    }
    this.#waitingForFrames.push({
      frames: message.frames ?? 0,
      deliver: () => this.#answer(message),
    });
    this.#deliverAnswers();
  }

  #deliverAnswers(): void {
    while ((this.#waitingForFrames[0]?.frames ?? Infinity) <= this.#framesSeen)
      this.#waitingForFrames.shift()?.deliver();
  }

  #answer(message: Exclude<EndpointMessage, { events: unknown }>): void {
    const pending = this.#pending.get(message.re);
    if (!pending) return;
    this.#pending.delete(message.re);
    clearTimeout(pending.timer);
    if ('error' in message) {
      pending.reject(AppError.from(message.error));
      return;
    }
    const result = ENDPOINT_OPS[pending.op].result.safeParse(message.result);
    if (result.success) pending.resolve(result.data);
    else
      pending.reject(
        new AppError('ENDPOINT_BROKEN', {
          endpoint: this.name,
          detail: `an answer to ${pending.op} without the documented form (${issueText(result.error)})`,
        }),
      );
  }

  /** Gives up an endpoint that does not answer, so that no later call waits for it. */
  #stuck(op: EndpointOp, limitMs: number): void {
    this.#fail(
      new AppError('ENDPOINT_TIMEOUT', { endpoint: this.name, op, seconds: Math.round(limitMs / 100) / 10 }),
    );
    this.kill();
  }

  #protocolBroken(reason: string): void {
    this.#fail(new AppError('ENDPOINT_BROKEN', { endpoint: this.name, detail: reason }));
    this.kill();
  }

  #death({ how, hint }: ProcessEnd): AppError {
    const said = this.#said.trim();
    return new AppError(
      'ENDPOINT_DIED',
      { endpoint: this.name, how, hint },
      said === '' ? {} : { detail: said },
    );
  }

  #fail(error: AppError): void {
    this.#gone ??= error;
    for (const pending of this.#pending.values()) {
      clearTimeout(pending.timer);
      // The caller that asked the endpoint to close gets its answer.
      if (pending.op === 'close' && this.#expected) pending.resolve({});
      else pending.reject(this.#gone);
    }
    this.#pending.clear();
  }
}

/**
 * Starts an endpoint process and opens its device. Rejects with AppError (UNKNOWN_DEVICE, VERBS, ENDPOINT_DIED, …), and
 * leaves no process then.
 */
export async function spawnEndpoint(options: SpawnEndpointOptions): Promise<HostedEndpoint> {
  const endpoint = new EndpointProcess(options);
  try {
    await endpoint.open();
    return endpoint;
  } catch (error) {
    endpoint.kill();
    await endpoint.exited;
    throw endpoint.explained(error);
  }
}
