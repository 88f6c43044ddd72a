import { AppError, LOCAL_HOST } from '@verbslab/protocol';
import { abortable } from './base/abortable.js';
import type { Logger } from './base/log.js';
import type { Subsystem } from './base/subsystem.js';
import type { AgentAddress } from './client/client.js';
import type { ChildProgram } from './config/agent-folder.js';
import { homePath, openHome, type Home } from './config/home.js';
import { loadIdentity } from './config/identity.js';
import { linkTo, readState, takeLock, type InstanceLock } from './config/instance.js';
import { encodeInvitation } from './config/join-string.js';
import { isLoopback } from './config/own-addresses.js';
import { loadSecrets } from './config/token.js';
import { VERSION } from './config/version.js';
import { DeviceList } from './devices/list.js';
import { describeAgent } from './devices/machine.js';
import { setUp } from './doctor/set-up.js';
import type { SpawnEndpoint } from './endpoint/hosted-endpoint.js';
import { Imports } from './imports/imports.js';
import { joinEnds } from './joins/ends.js';
import { Joins } from './joins/joins.js';
import { PathChecks } from './path-check/path-check.js';
import { HostRegistry } from './peers/hosted.js';
import { Peers } from './peers/peers.js';
import { sweepFeedFolders } from './program/feed-folders.js';
import { fedPrograms } from './runs/fed-programs.js';
import { fedSimulations } from './runs/fed-simulations.js';
import type { RunnableLab } from './runs/lab.js';
import { RunManager } from './runs/manager.js';
import { Notebook } from './runs/notebook.js';
import type { Hosts } from './runs/place.js';
import { Progress } from './runs/progress.js';
import { interruptUnfinished } from './runs/recover.js';
import { TrafficMonitor } from './runs/traffic-monitor.js';
import { greeting } from './server/greeting.js';
import { newCounters } from './server/metrics.js';
import { AgentServer } from './server/server.js';
import type { StaticSite } from './server/static.js';
import { subscriptions } from './server/subscriptions.js';
import type { Keep } from './store/retention.js';
import { RunStore } from './store/store.js';
import { RUN_LIMIT_BYTES } from './store/stream.js';
import { Sweeps } from './sweeps/sweeps.js';
import { Tools } from './tools/tools.js';
import { Machines } from './vms/work.js';
import type { ProgramLimits } from './workbench/limits.js';
import { Workbench } from './workbench/workbench.js';

export const DEFAULT_PORT = 7480;

export interface AgentOptions {
  /** Data directory. Default: VERBSLAB_HOME or the user’s. */
  home?: string;
  /** Address to listen on. Default 127.0.0.1. Any other needs `allowRemote`. */
  host?: string;
  /** Port to listen on; 0 takes a free one. */
  port?: number;
  /** Listen on an address that other machines can reach. The token still guards everything. */
  allowRemote?: boolean;
  /** Address and port under which others reach the agent, if they differ (a forwarded port). */
  advertise?: { host: string; port: number };
  labs: readonly RunnableLab[];
  spawn: SpawnEndpoint;
  logger: Logger;
  devices?: DeviceList;
  site?: StaticSite;
  /** Bytes that one run may store. */
  runLimit?: number;
  /** Retention of the run history. Default: everything is kept. */
  keep?: Keep;
  /** Run programs of the workbench that come from a page. */
  allowPrograms?: boolean;
  /** Join server and client, two programs, once both have ended. */
  joinEnds?: boolean;
  /** Resources that such a program may use. */
  programLimits?: ProgramLimits;
  /** Seconds that the programs of one tool run may take. */
  toolLimit?: number;
  /** Program that starts and stops virtual machines. Default: the agent's own. */
  machinesChild?: ChildProgram;
  /** Set an existing run history aside first, damaged or not. */
  newHistory?: boolean;
  /** Subsystems besides the agent's own. */
  extra?: readonly Subsystem[];
  pingIntervalMs?: number;
  pingTimeoutMs?: number;
  /** Longest pause of an upload, ms. */
  uploadIdleMs?: number;
}

export interface Agent {
  readonly home: Home;
  readonly port: number;
  /** `http://127.0.0.1:7480` */
  readonly url: string;
  readonly token: string;
  /** Address for programs of this user. */
  readonly address: AgentAddress;
  /** Join string for other agents. */
  readonly joinString: string;
  readonly manager: RunManager;
  /** An address of the dashboard that signs one browser in, once and soon. */
  newLink(): string;
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
  const { token, peerToken } = loadSecrets(home);
  const devices = options.devices ?? new DeviceList();
  // A process of its own lists the devices while the agent starts, so that the first page does not wait for them.
  void devices.get();
  const identity = await loadIdentity(home);
  const aside = options.newHistory ? RunStore.setAside(home) : null;
  if (aside !== null) logger.warn({ folder: aside }, 'the run history was set aside');
  const store = RunStore.open(home);
  try {
    recover(store, logger);
    const self = describeAgent();
    const { host: hostName } = self;
    const subsystems: Subsystem[] = [];
    const add = <S extends Subsystem>(subsystem: S): S => {
      subsystems.push(subsystem);
      return subsystem;
    };
    /** Returns an error if another subsystem uses the devices of this host. */
    const elsewhere = (asks: () => Subsystem) => (): AppError | null => {
      for (const one of subsystems) {
        const busy = one === asks() ? null : (one.busy?.() ?? null);
        if (busy) return busy;
      }
      return null;
    };
    const spawn: SpawnEndpoint = async (endpoint) => {
      const netns = await abortable(devices.netnsOf(endpoint.device), endpoint.signal);
      return options.spawn(netns === undefined ? endpoint : { ...endpoint, netns });
    };
    const peers = new Peers({ home, ownId: self.id, ownHost: hostName, logger });
    const hosts: Hosts = {
      get hosts() {
        return peers.hosts;
      },
      devices: (name) => (name === LOCAL_HOST ? devices.need() : peers.devices(name)),
      agent: (name) => (name === LOCAL_HOST ? self : peers.agent(name)),
      spawner: (name, run) => (name === LOCAL_HOST ? spawn : peers.spawner(name, run)),
    };
    const { labs, runLimit, keep, programLimits, toolLimit, machinesChild } = options;
    const counters = newCounters();
    // The order matters: subsystems are asked in it whether they are busy, and are closed in reverse.
    const manager: RunManager = add(
      new RunManager({
        ...{ home, store, labs, hosts, host: hostName, logger },
        elsewhere: elsewhere(() => manager),
        ...(runLimit === undefined ? {} : { runLimit }),
        ...(keep ? { keep } : {}),
      }),
    );
    const hosted: HostRegistry = add(
      new HostRegistry({ spawn, busy: elsewhere(() => hosted), host: hostName }),
    );
    const checks: PathChecks = add(
      new PathChecks({ hosts, host: hostName, elsewhere: elsewhere(() => checks) }),
    );
    add(new Sweeps({ manager, store: store.sweeps, host: hostName, logger }));
    add(peers);
    const machines: Machines = add(
      new Machines({
        ...{ home: home.path, host: hostName },
        busy: elsewhere(() => machines),
        ...(machinesChild ? { child: machinesChild } : {}),
      }),
    );
    const joins = add(new Joins(manager, store, home));
    if (options.joinEnds) joinEnds(manager, joins, logger);
    add(
      new Tools({
        ...{ manager, logger, devices, home: home.path },
        ...(toolLimit === undefined ? {} : { limit: toolLimit }),
      }),
    );
    add(
      new Workbench({
        ...{ allowed: options.allowPrograms === true, manager, home: home.path, logger },
        ...(programLimits ? { limits: programLimits } : {}),
      }),
    );
    add(new TrafficMonitor(() => manager.running));
    add(new Progress(manager, store.progress, logger));
    const notebook = add(new Notebook(manager, store.notebook));
    add(fedPrograms(manager));
    add(fedSimulations(manager));
    add(setUp(home.path, () => machines.work));
    add(devices);
    add(subscriptions({ manager, counters, logger }));
    add(greeting({ agent: self, devices, manager, sessions: () => server.sessions }));
    subsystems.push(...(options.extra ?? []));
    manager.tidy();
    void sweepFeedFolders().catch(() => undefined);
    devices.quiet = () => manager.measuring || hosted.busy() !== null;
    const server: AgentServer = new AgentServer({
      ...options,
      ...{ host, token, peerToken, identity, subsystems, manager, notebook, store, peers, hosted, counters },
      imports: new Imports(manager, store, runLimit ?? RUN_LIMIT_BYTES),
    });
    const { port, local, advertised, url } = await server.listen(options.port ?? DEFAULT_PORT);
    const { fingerprint } = identity;
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
      for (const one of subsystems.toReversed()) await one.close?.();
      await server.close();
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
      newLink: () => linkTo(url, server.sessions.newCode()),
      close: () => (closing ??= close()),
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Marks runs and sweeps that the last agent left unfinished as interrupted, and sorts out their captures. */
function recover(store: RunStore, logger: Logger): void {
  for (const run of interruptUnfinished(store)) logger.warn({ run: run.id }, 'found an interrupted run');
  const { found, swept } = store.retention.sortCaptures();
  if (found.length > 0) logger.warn({ runs: found }, 'found captures that the history did not mention');
  if (swept.length > 0) logger.warn({ runs: swept }, 'removed captures of runs that are gone');
  for (const sweep of store.sweeps.interruptUnfinished())
    logger.warn({ sweep: sweep.id }, 'found an interrupted sweep');
}
