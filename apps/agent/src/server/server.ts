import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { AppError, callFailed } from '@verbslab/protocol';
import type { Logger } from '../base/log.js';
import type { Subsystem } from '../base/subsystem.js';
import type { Identity } from '../config/identity.js';
import { hostPort } from '../config/instance.js';
import { isLoopback, ownAddresses } from '../config/own-addresses.js';
import type { Imports } from '../imports/imports.js';
import type { HostRegistry } from '../peers/hosted.js';
import type { Peers } from '../peers/peers.js';
import type { RunManager } from '../runs/manager.js';
import type { Notebook } from '../runs/notebook.js';
import type { RunStore } from '../store/store.js';
import { HttpSide } from './http.js';
import { Metrics, type Counters } from './metrics.js';
import { Router } from './router.js';
import { Security } from './security.js';
import type { Sessions } from './sessions.js';
import { StaticSite } from './static.js';
import { WebSocketSide } from './websocket.js';

export interface ServerOptions {
  /** Address to listen on. */
  host: string;
  /** Address and port under which others reach the agent, if they differ. */
  advertise?: { host: string; port: number } | undefined;
  token: string;
  peerToken: string;
  identity: Identity;
  subsystems: readonly Subsystem[];
  manager: RunManager;
  notebook: Notebook;
  imports: Imports;
  store: RunStore;
  peers: Peers;
  hosted: HostRegistry;
  counters: Counters;
  site?: StaticSite | undefined;
  logger: Logger;
  pingIntervalMs?: number | undefined;
  pingTimeoutMs?: number | undefined;
  uploadIdleMs?: number | undefined;
}

/** HTTP and the WebSocket on one port, with access control and metrics. */
export class AgentServer {
  readonly #options: ServerOptions;
  readonly #security: Security;
  readonly #metrics: Metrics;
  readonly #http: HttpSide;
  readonly #websocket: WebSocketSide;
  #port = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
    const { host, advertise, site = new StaticSite(), subsystems } = options;
    this.#security = new Security({
      ...options,
      port: () => this.#port,
      names: () => namesOf(host),
      ...(advertise ? { advertised: hostPort(advertise.host, advertise.port).toLowerCase() } : {}),
    });
    this.#metrics = new Metrics({ ...options, http: () => this.#http, websocket: () => this.#websocket });
    this.#http = new HttpSide({
      ...options,
      security: this.#security,
      site,
      metrics: () => this.#metrics.text(),
      plain: !this.#outward,
    });
    this.#websocket = new WebSocketSide(this.#http.server, {
      ...options,
      security: this.#security,
      router: new Router(subsystems),
    });
  }

  /** True if others can reach the agent: data that leaves the machine is encrypted then. */
  get #outward(): boolean {
    const { host, advertise } = this.#options;
    return !isLoopback(host) || !isLoopback(advertise?.host ?? 'localhost');
  }

  get sessions(): Sessions {
    return this.#security.sessions;
  }

  /** Listens, and returns the addresses. Throws AppError PORT_TAKEN, USAGE, SYSTEM. */
  async listen(port: number): Promise<{
    port: number;
    /** Address for programs of this user: loopback if possible. */
    local: string;
    /** Address for other agents. */
    advertised: { host: string; port: number };
    url: string;
  }> {
    const { host, advertise } = this.#options;
    this.#port = await listen(this.#http.server, host, port);
    const local = isWildcard(host) ? '127.0.0.1' : host;
    const outside = isWildcard(host) ? (ownAddresses()[0] ?? hostname()) : host;
    return {
      port: this.#port,
      local,
      advertised: advertise ?? { host: outside, port: this.#port },
      url: `${this.#outward ? 'https' : 'http'}://${hostPort(outside, this.#port)}`,
    };
  }

  async close(): Promise<void> {
    this.#websocket.close();
    await this.#http.close();
    this.#metrics.close();
  }
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Names by which others may call an agent that listens beyond loopback, in the form of a Host header. */
function namesOf(host: string): string[] {
  const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);
  if (!isWildcard(host)) return [bracketed(host).toLowerCase()];
  return [hostname().toLowerCase(), ...ownAddresses().map(bracketed)];
}

async function listen(server: HttpSide['server'], host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') reject(new AppError('PORT_TAKEN', { port, host }));
      else if (error.code === 'EACCES')
        reject(
          new AppError('USAGE', {
            detail: `Port ${port} needs root`,
            hint: 'Choose one above 1023 with --port.',
          }),
        );
      else reject(callFailed('SYSTEM', `listen on ${host}`, error.code ?? error.message));
    });
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}
