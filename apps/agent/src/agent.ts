import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { AppError, callFailed, LOCAL_HOST } from '@verbslab/protocol';
import { abortable } from './base/abortable.js';
import type { ChildProgram } from './config/agent-folder.js';
import { homePath, openHome, type Home } from './config/home.js';
import type { AgentAddress } from './client/client.js';
import { hostPort, linkTo, readState, takeLock, type InstanceLock } from './config/instance.js';
import { isLoopback, ownAddresses } from './config/own-addresses.js';
import { loadSecrets } from './config/token.js';
import { VERSION } from './config/version.js';
import { DeviceList } from './devices/list.js';
import { describeAgent } from './devices/machine.js';
import type { Logger } from './base/log.js';
import { HostRegistry } from './peers/hosted.js';
import { encodeInvitation } from './config/join-string.js';
import { lookAround } from './doctor/set-up.js';
import { checkPath } from './path-check/path-check.js';
import { Peers } from './peers/peers.js';
import { sweepFeedFolders } from './program/feed-folders.js';
import type { RunnableLab } from './runs/lab.js';
import { RunManager } from './runs/manager.js';
import { interruptUnfinished } from './runs/recover.js';
import { Imports } from './imports/imports.js';
import { Notebook } from './runs/notebook.js';
import type { Hosts } from './runs/place.js';
import type { SpawnEndpoint } from './endpoint/hosted-endpoint.js';
import type { Keep } from './store/retention.js';
import { RunStore } from './store/store.js';
import { RUN_LIMIT_BYTES } from './store/stream.js';
import { Joins } from './joins/joins.js';
import { Sweeps } from './sweeps/sweeps.js';
import { TrafficMonitor } from './runs/traffic-monitor.js';
import { HttpSide } from './server/http.js';
import { Metrics, newCounters } from './server/metrics.js';
import { Security } from './server/security.js';
import { StaticSite } from './server/static.js';
import { WebSocketSide } from './server/websocket.js';
import { loadIdentity } from './config/identity.js';
import { Tools } from './tools/tools.js';
import { Machines } from './vms/work.js';
import type { ProgramLimits } from './workbench/limits.js';
import { Workbench } from './workbench/workbench.js';

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
  /** Address and port under which others reach it, where that is another (a forwarded port). */
  advertise?: { host: string; port: number };
  labs: readonly RunnableLab[];
  spawn: SpawnEndpoint;
  logger: Logger;
  devices?: DeviceList;
  site?: StaticSite;
  /** Bytes that one run may store. */
  runLimit?: number;
  /** How much of the history stays. Default: all. */
  keep?: Keep;
  /** Run programs of the workbench that come from a page. */
  allowPrograms?: boolean;
  /** What such a program may use. */
  programLimits?: ProgramLimits;
  /** Seconds that the programs of one tool run may take. */
  toolLimit?: number;
  /** What starts and stops virtual machines. Default: the agent's own. */
  machinesChild?: ChildProgram;
  /** Put a run history that is there aside first, damaged or not. */
  newHistory?: boolean;
  pingIntervalMs?: number;
  pingTimeoutMs?: number;
  /** How long an upload may be silent. */
  uploadIdleMs?: number;
}

export interface Agent {
  readonly home: Home;
  readonly port: number;
  /** `http://127.0.0.1:7480` */
  readonly url: string;
  readonly token: string;
  /** How programs of this user reach it. */
  readonly address: AgentAddress;
  /** For another agent: how to come in. */
  readonly joinString: string;
  readonly manager: RunManager;
  /** An address of the dashboard that signs one browser in, once and soon. */
  newLink(): string;
  /** Interrupts runs, closes connections and files. Safe to call twice. */
  close(): Promise<void>;
}

/** What uses the devices of this host for a while: one of them at a time. */
interface UsesDevices {
  /** RUN_BUSY while it does, or null. */
  busy(): AppError | null;
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
  const { token, peerToken } = loadSecrets(home);
  const devices = options.devices ?? new DeviceList();
  // A process of its own finds them while this one starts, so that the first page does not wait for it.
  void devices.get();
  // What leaves the machine is encrypted.
  const outward = !isLoopback(host) || !isLoopback(options.advertise?.host ?? 'localhost');
  const identity = await loadIdentity(home);
  const { fingerprint } = identity;
  const aside = options.newHistory ? RunStore.setAside(home) : null;
  if (aside !== null) logger.warn({ folder: aside }, 'the run history was set aside');
  const store = await RunStore.open(home);
  try {
    for (const run of interruptUnfinished(store)) logger.warn({ run: run.id }, 'found an interrupted run');
    const { found, swept } = store.retention.sortCaptures();
    if (found.length > 0) logger.warn({ runs: found }, 'found captures that the history did not mention');
    if (swept.length > 0) logger.warn({ runs: swept }, 'removed captures of runs that are gone');
    const self = describeAgent();
    const peers = new Peers({ home, ownId: self.id, ownHost: self.host, logger });
    const spawn: SpawnEndpoint = async (endpoint) => {
      const netns = await abortable(devices.netnsOf(endpoint.device), endpoint.signal);
      return options.spawn(netns === undefined ? endpoint : { ...endpoint, netns });
    };
    const hosts: Hosts = {
      get hosts() {
        return peers.hosts;
      },
      devices: (name) => (name === LOCAL_HOST ? devices.need() : peers.devices(name)),
      agent: (name) => (name === LOCAL_HOST ? self : peers.agent(name)),
      spawner: (name, run) => (name === LOCAL_HOST ? spawn : peers.spawner(name, run)),
    };
    let checking = false;
    const pathCheck: UsesDevices = {
      busy: () =>
        checking
          ? new AppError('RUN_BUSY', {
              what: 'A path check',
              host: self.host,
              hint: 'Wait until it ends, a few minutes at most.',
            })
          : null,
    };
    /** What uses the devices of this host now, except for the one that asks. */
    const busyWith = (asks?: UsesDevices): AppError | null => {
      for (const one of [manager, hosted, pathCheck, machines]) {
        const busy = one === asks ? null : one.busy();
        if (busy) return busy;
      }
      return null;
    };
    const machines: Machines = new Machines({
      home: home.path,
      host: self.host,
      busy: () => busyWith(machines),
      ...(options.machinesChild ? { child: options.machinesChild } : {}),
    });
    const hosted: HostRegistry = new HostRegistry({
      spawn,
      busy: () => busyWith(hosted),
      host: self.host,
    });
    const manager: RunManager = new RunManager({
      home,
      store,
      labs: options.labs,
      hosts,
      host: self.host,
      elsewhere: () => busyWith(manager),
      logger,
      ...(options.runLimit === undefined ? {} : { runLimit: options.runLimit }),
      ...(options.keep ? { keep: options.keep } : {}),
    });
    for (const sweep of store.sweeps.interruptUnfinished())
      logger.warn({ sweep: sweep.id }, 'found an interrupted sweep');
    const joins = new Joins(manager, store, home);
    const sweeps = new Sweeps({ manager, store: store.sweeps, host: self.host, logger });
    const tools = new Tools({
      manager,
      logger,
      devices,
      home: home.path,
      ...(options.toolLimit === undefined ? {} : { limit: options.toolLimit }),
    });
    const workbench = new Workbench({
      allowed: options.allowPrograms === true,
      manager,
      home: home.path,
      logger,
      ...(options.programLimits ? { limits: options.programLimits } : {}),
    });
    const traffic = new TrafficMonitor(() => manager.running);
    const notebook = new Notebook(manager, store.notebook);
    const imports = new Imports(manager, store, options.runLimit ?? RUN_LIMIT_BYTES);
    manager.tidy();
    void sweepFeedFolders().catch(() => undefined);
    devices.quiet = () => manager.measuring || hosted.busy() !== null;
    const counters = newCounters();
    let port = 0;
    const security = new Security({
      token,
      peerToken,
      port: () => port,
      names: () => namesOf(host),
      ...(options.advertise
        ? { advertised: hostPort(options.advertise.host, options.advertise.port).toLowerCase() }
        : {}),
    });
    const metrics = new Metrics({
      store,
      manager,
      peers,
      hosted,
      counters,
      http: () => http,
      websocket: () => websocket,
    });
    const http: HttpSide = new HttpSide({
      security,
      manager,
      notebook,
      imports,
      site: options.site ?? new StaticSite(),
      metrics: () => metrics.text(),
      logger,
      identity,
      plain: !outward,
      ...(options.uploadIdleMs === undefined ? {} : { uploadIdleMs: options.uploadIdleMs }),
    });
    const websocket: WebSocketSide = new WebSocketSide(http.server, {
      security,
      manager,
      sweeps,
      joins,
      notebook,
      tools,
      workbench,
      traffic,
      devices,
      peers,
      hosted,
      checkPath: async (from, to) => {
        const busy = busyWith();
        if (busy) throw busy;
        checking = true;
        try {
          return await checkPath(from, to, hosts);
        } finally {
          checking = false;
        }
      },
      lookAround: () => lookAround(home.path, machines.work),
      machines,
      agent: self,
      counters,
      logger,
      ...(options.pingIntervalMs === undefined ? {} : { pingIntervalMs: options.pingIntervalMs }),
      ...(options.pingTimeoutMs === undefined ? {} : { pingTimeoutMs: options.pingTimeoutMs }),
    });
    port = await listen(http.server, host, options.port ?? DEFAULT_PORT);
    // Programs of this user reach it over loopback where they can.
    const local = isWildcard(host) ? '127.0.0.1' : host;
    const outside = isWildcard(host) ? (ownAddresses()[0] ?? hostname()) : host;
    const advertised = options.advertise ?? { host: outside, port };
    const url = `${outward ? 'https' : 'http'}://${hostPort(outside, port)}`;
    lock.publish({
      pid: process.pid,
      host: local,
      port,
      startedAt: Date.now(),
      version: VERSION,
      fingerprint,
      page: url,
      advertised,
      programs: options.allowPrograms === true,
    });
    logger.info({ url, home: home.path }, 'agent is up');
    if (options.allowPrograms) logger.warn('programs of the workbench are allowed');
    if (!isLoopback(host)) logger.warn('other machines can reach this agent; TLS and the token guard it');
    peers.start();
    let closing: Promise<void> | null = null;
    const close = async (): Promise<void> => {
      await machines.close();
      peers.close();
      await sweeps.close(() => manager.close());
      websocket.close();
      traffic.close();
      await http.close();
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
      address: { host: local, port, fingerprint, token },
      joinString: encodeInvitation({ ...advertised, token: peerToken, fingerprint }),
      manager,
      newLink: () => linkTo(url, security.sessions.newCode()),
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
