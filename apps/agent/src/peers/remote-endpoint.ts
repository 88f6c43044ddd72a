import {
  AppError,
  ENDPOINT_OPS,
  issueText,
  toErrorInfo,
  type AgentMessage,
  type Capability,
  type ClockOffset,
  type EndpointArgs,
  type EndpointOp,
  type EndpointResult,
  type ErrorInfo,
  type Faults,
} from '@verbslab/protocol';
import { abortable } from '../base/abortable.js';
import type { AgentClient } from '../client/client.js';
import { ofPeer } from '../client/from-peer.js';
import { processEnd } from '../base/process-end.js';
import type { EndpointExit, HostedEndpoint, SpawnOptions } from '../endpoint/hosted-endpoint.js';
import { ImpairedLink } from '../vms/impaired-link.js';
import type { Vm } from '../vms/state.js';
import type { PeerLink } from './link.js';

/** Extra time for an endpoint's agent to answer, beyond that of the endpoint itself, ms. */
const NETWORK_GRACE_MS = 1_000;

/**
 * An endpoint on a paired agent, on a connection of its own: the run cannot distinguish it from a process of this
 * machine. A lost connection counts as its end; the other agent ends the process then.
 */
class RemoteEndpoint implements HostedEndpoint {
  readonly exited: Promise<EndpointExit>;
  device!: HostedEndpoint['device'];
  pid = 0;
  clock: ClockOffset | null = null;
  readonly client: AgentClient;
  number = 0;
  netem?: (faults: Faults) => Promise<void>;
  #impaired: ImpairedLink | null = null;
  readonly #link: PeerLink;
  readonly #options: SpawnOptions;
  #end!: (exit: EndpointExit) => void;
  #gone: ErrorInfo | null = null;
  #closing: Promise<void> | null = null;
  #losing: Promise<void> | null = null;
  #killed = false;

  constructor(link: PeerLink, client: AgentClient, options: SpawnOptions) {
    this.#link = link;
    this.client = client;
    this.#options = options;
    this.exited = new Promise((resolve) => (this.#end = resolve));
    const onDown = (detail: string): void => void this.lost(detail);
    link.once('down', onDown);
    void this.exited.then(() => link.off('down', onDown));
  }

  /** The error that ended the endpoint; null while it lives. */
  get gone(): ErrorInfo | null {
    return this.#gone;
  }

  get name(): string {
    return this.#options.name;
  }

  get #who(): string {
    return `The agent on “${this.#link.entry.name}”`;
  }

  get clockErrorNs(): number {
    return this.clock?.errorNs ?? 0;
  }

  async drift(): Promise<{ driftNs: number; errorNs: number } | null> {
    const { clock } = this;
    const now = clock && (await this.#link.clock().catch(() => null));
    if (!now) return null;
    return { driftNs: now.offsetNs - clock.offsetNs, errorNs: now.errorNs + clock.errorNs };
  }

  has(capability: Capability): boolean {
    return this.device.capabilities.includes(capability);
  }

  /** Lets the run impair the link of the endpoint's virtual machine. */
  lend(vm: Vm): void {
    const link = (this.#impaired = new ImpairedLink(vm));
    this.netem = async (faults) => {
      await link.set(faults);
      const t = Number(process.hrtime.bigint() - this.#options.clock);
      this.#options.onEvents([{ kind: 'faults', ...faults, t }]);
    };
  }

  onMessage(message: AgentMessage): void {
    if (message.type === 'endpoint.events') this.#options.onEvents(message.events);
    else if (message.type === 'endpoint.log') this.#options.onLog(message.text);
    else if (message.type === 'endpoint.exited') {
      const { code, signal, error } = message;
      this.#finish({
        code,
        signal: signal as NodeJS.Signals | null,
        ...(error ? { error: ofPeer(error, this.#who) } : {}),
      });
    }
  }

  /** Ends the endpoint, since the peer is gone. */
  lost(detail: string): Promise<void> {
    this.#losing ??= this.#lost(detail);
    return this.#losing;
  }

  async #lost(detail: string): Promise<void> {
    // An endpoint that was ended on purpose needs no reason.
    const wanted = this.#closing !== null || this.#killed || this.#options.signal?.aborted === true;
    const crash = wanted || this.#gone ? null : await this.#link.crash();
    const host = this.#link.entry.name;
    this.#gone ??= toErrorInfo(
      crash
        ? new AppError('VMS_LOST', { name: crash.name, endpoint: this.name }, { detail: crash.lastWords })
        : new AppError('PEER_LOST', { host, endpoint: this.name, detail }),
    );
    this.#finish({ code: null, signal: null, ...(this.#closing ? {} : { error: this.#gone }) });
  }

  #finish(exit: EndpointExit): void {
    this.#gone ??= toErrorInfo(
      exit.error
        ? AppError.from(exit.error)
        : new AppError('ENDPOINT_DIED', { endpoint: this.name, ...processEnd(exit.code, exit.signal) }),
    );
    this.#end(exit);
    this.client.terminate();
  }

  async call<K extends EndpointOp>(op: K, args: EndpointArgs<K>): Promise<EndpointResult<K>> {
    if (this.#gone) throw AppError.from(this.#gone);
    let answer: unknown;
    try {
      answer = (await this.client.request('endpoint.call', { endpoint: this.number, op, args })).result;
    } catch (error) {
      const info = toErrorInfo(error);
      // The state of the peer says more than the connection’s own error.
      if (info.code === 'AGENT_UNREACHABLE') {
        await this.exited;
        throw AppError.from(this.#gone ?? info);
      }
      throw error;
    }
    const result = ENDPOINT_OPS[op].result.safeParse(answer);
    if (result.success) return result.data as EndpointResult<K>;
    throw new AppError('AGENT_BROKEN', {
      who: this.#who,
      detail: `an answer to ${op} without the documented form (${issueText(result.error)})`,
    });
  }

  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.kill(), graceMs + NETWORK_GRACE_MS);
    // The exit of the endpoint follows. An endpoint that is already gone has been reported.
    this.client.request('endpoint.close', { endpoint: this.number, graceMs }).catch(() => undefined);
    await this.#impaired?.restore().catch((error: unknown) => {
      this.#options.onLog(`The link is still impaired: ${toErrorInfo(error).message}`);
    });
    await this.exited;
    clearTimeout(timer);
    this.client.terminate();
  }

  /** Closes the connection: the other agent then kills the process. */
  kill(): void {
    this.#killed = true;
    this.client.terminate();
  }
}

/** Opens a device at a peer. Rejects with AppError if that fails, and leaves nothing at the peer then. */
export async function openRemote(
  link: PeerLink,
  run: string,
  options: SpawnOptions,
  vmOf: () => Vm | undefined,
): Promise<HostedEndpoint> {
  const { signal } = options;
  const clock = await abortable(link.clock(), signal);
  let endpoint: RemoteEndpoint | null = null;
  // The signal ends the connection, and with it the endpoint, at any time.
  const { client } = await link.dial(
    {
      onMessage: (message) => endpoint?.onMessage(message),
      onFrame: (frame) => options.onFrame(frame),
      onClose: (detail) => void endpoint?.lost(detail),
    },
    signal,
  );
  endpoint = new RemoteEndpoint(link, client, options);
  try {
    const opened = await client.request('endpoint.open', {
      run,
      of: { host: link.ownHost, what: (options.purpose ?? 'A run').slice(0, 200) },
      role: options.name,
      device: options.device,
      clock: (options.clock + BigInt(Math.round(clock.offsetNs))).toString(),
    });
    endpoint.number = opened.endpoint;
    endpoint.pid = opened.pid;
    endpoint.device = opened.device;
    endpoint.clock = clock;
    const vm = opened.device.provider === 'embedded' ? undefined : vmOf();
    if (vm) endpoint.lend(vm);
    return endpoint;
  } catch (error) {
    client.terminate();
    if (toErrorInfo(error).code !== 'AGENT_UNREACHABLE') throw error;
    await endpoint.exited;
    throw AppError.from(endpoint.gone ?? toErrorInfo(error));
  }
}
