import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { AppError, callFailed } from '@verbslab/protocol';
import { homePath, openHome, type Home } from './config/home.js';
import { baseUrl, readState, takeLock, type InstanceLock } from './config/instance.js';
import { loadToken } from './config/token.js';
import { VERSION } from './config/version.js';
import { DeviceList } from './devices/list.js';
import { describeAgent } from './devices/machine.js';
import type { Logger } from './log.js';
import type { RunnableLab } from './runs/lab.js';
import { RunManager } from './runs/manager.js';
import type { SpawnEndpoint } from './runs/spawn.js';
import { RunStore } from './runs/store.js';
import { HttpSide } from './server/http.js';
import { Metrics, newCounters } from './server/metrics.js';
import { isLoopback, Security } from './server/security.js';
import { StaticSite } from './server/static.js';
import { WebSocketSide } from './server/websocket.js';

export const DEFAULT_PORT = 7480;

export interface AgentOptions {
  /** Data directory. Default: VERBSLAB_HOME or the user’s. */
  home?: string;
  /** Default 127.0.0.1. Any other needs `allowRemote`. */
  host?: string;
  /** 0 takes a free one. */
  port?: number;
  /** Listen on an address that other machines can reach. The token still guards everything. */
  allowRemote?: boolean;
  labs: readonly RunnableLab[];
  spawn: SpawnEndpoint;
  logger: Logger;
  devices?: DeviceList;
  site?: StaticSite;
  recordLimit?: number;
  pingIntervalMs?: number;
  pingTimeoutMs?: number;
}

export interface Agent {
  readonly home: Home;
  readonly port: number;
  /** `http://127.0.0.1:7480` */
  readonly url: string;
  readonly token: string;
  /** With the token: what `verbslab up` prints. */
  readonly loginUrl: string;
  readonly manager: RunManager;
  /** Interrupts runs, closes connections and files. Safe to call twice. */
  close(): Promise<void>;
}

/** Starts everything, or throws AppError (AGENT_RUNNING, PORT_TAKEN, NON_LOOPBACK_BIND, …) and leaves nothing. */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { logger, host = '127.0.0.1', allowRemote = false } = options;
  if (!isLoopback(host) && !allowRemote) throw new AppError('NON_LOOPBACK_BIND', { host });
  const home = openHome(options.home ?? homePath());
  const lock = takeLock(home);
  if (!lock) {
    const other = readState(home);
    throw new AppError('AGENT_RUNNING', { port: other?.port ?? 'unknown', pid: other?.pid ?? 'unknown' });
  }
  try {
    return await startLocked(options, home, lock, host);
  } catch (error) {
    lock.release();
    throw error;
  } finally {
    logger.flush();
  }
}

async function startLocked(
  options: AgentOptions,
  home: Home,
  lock: InstanceLock,
  host: string,
): Promise<Agent> {
  const { logger } = options;
  const token = loadToken(home.token);
  const store = await RunStore.open(home);
  try {
    for (const run of store.interruptUnfinished()) logger.warn({ run: run.id }, 'found an interrupted run');
    const devices = options.devices ?? new DeviceList();
    const manager = new RunManager({
      home,
      store,
      labs: options.labs,
      devices: () => devices.need(),
      spawn: options.spawn,
      logger,
      ...(options.recordLimit === undefined ? {} : { recordLimit: options.recordLimit }),
    });
    devices.quiet = () => manager.measuring;
    const counters = newCounters();
    let port = 0;
    const security = new Security({
      token,
      port: () => port,
      extraHosts: isLoopback(host) ? [] : namesOf(host),
    });
    const metrics = new Metrics({
      store,
      manager,
      counters,
      http: () => http,
      websocket: () => websocket,
    });
    const http: HttpSide = new HttpSide({
      security,
      manager,
      site: options.site ?? new StaticSite(),
      metrics: () => metrics.text(),
      logger,
    });
    const websocket: WebSocketSide = new WebSocketSide(http.server, {
      security,
      manager,
      devices,
      agent: describeAgent(),
      counters,
      logger,
      ...(options.pingIntervalMs === undefined ? {} : { pingIntervalMs: options.pingIntervalMs }),
      ...(options.pingTimeoutMs === undefined ? {} : { pingTimeoutMs: options.pingTimeoutMs }),
    });
    port = await listen(http.server, host, options.port ?? DEFAULT_PORT);
    // Programs of this user reach it over loopback where they can.
    const local = isWildcard(host) ? '127.0.0.1' : host;
    lock.publish({ pid: process.pid, host: local, port, startedAt: Date.now(), version: VERSION });
    const url = isWildcard(host) ? `http://${namesOf(host)[0]}:${port}` : baseUrl(host, port);
    logger.info({ url, home: home.path }, 'agent is up');
    if (!isLoopback(host))
      logger.warn('other machines can reach this agent, and the connection is not encrypted');
    // Asked for now so that the first page does not wait for it.
    void devices.get();
    let closing: Promise<void> | null = null;
    const close = async (): Promise<void> => {
      await manager.close();
      websocket.close();
      const closed = new Promise<void>((resolve) => http.server.close(() => resolve()));
      http.server.closeIdleConnections();
      setTimeout(() => http.server.closeAllConnections(), 1_000).unref();
      await closed;
      metrics.close();
      store.close();
      lock.release();
      logger.info('agent is down');
    };
    return {
      home,
      port,
      url,
      token,
      loginUrl: `${url}/?token=${token}`,
      manager,
      close: () => (closing ??= close()),
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Names by which others may call an agent that listens beyond loopback, as they stand in a Host header. */
function namesOf(host: string): string[] {
  const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);
  if (!isWildcard(host)) return [bracketed(host)];
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [
    hostname().toLowerCase(),
    ...addresses.filter(({ internal }) => !internal).map(({ address }) => bracketed(address)),
  ];
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
