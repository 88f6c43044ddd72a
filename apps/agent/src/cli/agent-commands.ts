import { rmSync } from 'node:fs';
import { AppError, parseQuantity } from '@verbslab/protocol';
import { LABS } from '@verbslab/labs';
import { isIPv6 } from 'node:net';
import { Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_PORT, startAgent, type Agent } from '../agent.js';
import { homeAt, homePath } from '../config/home.js';
import { findRunning } from '../config/instance.js';
import { spawnEndpoint } from '../endpoint/index.js';
import { createLogger, LOG_LEVELS } from '../base/log.js';
import { logStrayRejections } from '../base/stray-rejections.js';
import { RUN_LIMIT_BYTES } from '../store/stream.js';
import { isLoopback } from '../config/own-addresses.js';
import { StaticSite } from '../server/static.js';
import { linksTo, showDashboard } from './open.js';
import { print } from './terminal.js';

interface ServeOptions {
  port?: number;
  host: string;
  listen?: { host: string; port?: number };
  advertise?: { host: string; port: number };
  allowRemote?: boolean;
  logLevel: string;
  keepRuns: number;
  keepSpace: number;
  runLimit: number;
  newHistory?: boolean;
  allowPrograms?: boolean;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return port;
}

/** `host`, `host:port`, `[v6]:port` or a bare IPv6 address. */
function parseListen(text: string): { host: string; port?: number } {
  if (isIPv6(text)) return { host: text };
  const parts = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text);
  const host = parts?.[1] ?? parts?.[2];
  if (host === undefined || (parts?.[1] !== undefined && !isIPv6(host)))
    throw new InvalidArgumentError('It must look like ADDRESS or ADDRESS:PORT (IPv6 in brackets).');
  return { host, ...(parts?.[3] === undefined ? {} : { port: parsePort(parts[3]) }) };
}

function parseAdvertise(text: string): { host: string; port: number } {
  const { host, port } = parseListen(text);
  if (port === undefined || port === 0) throw new InvalidArgumentError('It must look like ADDRESS:PORT.');
  return { host, port };
}

/** Leave room for the agent's own events: a smaller limit would keep nothing of a run. */
const LEAST_RUN_LIMIT = 1024 * 1024;

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number; 0 sets no limit.');
  return Number(text);
}

function parseSpace(text: string): number {
  const bytes = parseQuantity(text, 'B');
  if (bytes === null || bytes < 0)
    throw new InvalidArgumentError('It must be a size, such as 8GiB or 500MB; 0 sets no limit.');
  return Math.floor(bytes);
}

function parseRunLimit(text: string): number {
  const bytes = parseSpace(text);
  if (bytes < LEAST_RUN_LIMIT) throw new InvalidArgumentError('It must be at least 1MiB.');
  return bytes;
}

function serveOptions(command: Command): Command {
  return command
    .option(
      '-p, --port <number>',
      `port to listen on; 0 picks a free one (default: ${DEFAULT_PORT})`,
      parsePort,
    )
    .option(
      '--listen <address[:port]>',
      'address to listen on (default: 127.0.0.1); all but loopback uses TLS',
      parseListen,
    )
    .addOption(
      new Option('--host <address>', 'like --listen, without a port').default('127.0.0.1').hideHelp(),
    )
    .option(
      '--allow-remote',
      'allow an address that other machines can reach (protected by TLS and the token)',
    )
    .option(
      '--advertise <address:port>',
      'address that other machines connect to, if it differs (port forwarding)',
      parseAdvertise,
    )
    .addOption(
      new Option('--keep-runs <number>', 'number of runs to keep; the oldest are deleted first, 0 keeps all')
        .env('VERBSLAB_KEEP_RUNS')
        .argParser(parseCount)
        .default(1000),
    )
    .addOption(
      new Option('--keep-space <size>', 'disk space for runs; the oldest are deleted first, 0 keeps all')
        .env('VERBSLAB_KEEP_SPACE')
        .argParser(parseSpace)
        .default(8 * 2 ** 30, '8GiB'),
    )
    .addOption(
      new Option('--run-limit <size>', 'storage limit of one run; records beyond it are counted, not kept')
        .env('VERBSLAB_RUN_LIMIT')
        .argParser(parseRunLimit)
        .default(RUN_LIMIT_BYTES, '256MiB'),
    )
    .option(
      '--allow-programs',
      'run programs that the dashboard’s workbench sends: confined, but code from a browser; see docs/security.md',
    )
    .option('--new-history', 'move the run history to a folder beside it and start an empty one')
    .addOption(
      new Option('--log-level <level>', 'how much to log to stderr')
        .choices(LOG_LEVELS)
        .env('LOG_LEVEL')
        .default('info'),
    );
}

const hostOf = ({ listen, host }: ServeOptions): string => listen?.host ?? host;

function serve(options: ServeOptions): Promise<Agent> {
  const logger = createLogger(options.logLevel);
  logStrayRejections(logger);
  return startAgent({
    labs: LABS,
    spawn: spawnEndpoint,
    logger,
    host: hostOf(options),
    port: options.port ?? options.listen?.port ?? DEFAULT_PORT,
    ...(options.advertise ? { advertise: options.advertise } : {}),
    allowRemote: options.allowRemote === true,
    keep: { runs: options.keepRuns, bytes: options.keepSpace },
    runLimit: options.runLimit,
    newHistory: options.newHistory === true,
    allowPrograms: options.allowPrograms === true,
    joinEnds: true,
  });
}

/** Resolves once the agent has been asked to stop and has stopped. A second signal does not wait. */
async function untilSignaled(agent: Agent): Promise<void> {
  await new Promise<void>((resolve) => {
    let asked = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve();
      });
    }
  });
  await agent.close();
}

/** A second `verbslab up` shows the running agent instead of failing, unless another port was requested. */
async function showRunning(options: ServeOptions, open: boolean): Promise<boolean> {
  const home = homeAt(homePath());
  const state = await findRunning(home);
  if (!state) return false;
  const port = options.port ?? options.listen?.port;
  if (port !== undefined && port !== 0 && port !== state.port) {
    throw new AppError('AGENT_RUNNING', { port: state.port, pid: state.pid });
  }
  if (options.allowPrograms && !state.programs)
    throw new AppError('USAGE', {
      detail: `The agent that is running (process ${state.pid}) was started without --allow-programs`,
      hint: 'Stop it, then repeat the command.',
    });
  print(`Verbs Lab is already running (process ${state.pid}).`);
  showDashboard(home, await linksTo(state, home), open);
  return true;
}

export function upCommand(): Command {
  return serveOptions(
    new Command('up').description('start the agent, print the address of the dashboard, and open it'),
  )
    .option('--no-open', 'do not open a browser')
    .addHelpText(
      'after',
      `
The address holds a code that signs in one browser, once, within 15 minutes; \`verbslab open\` makes
another. Other users of this machine are refused. Runs are kept in ~/.local/share/verbslab (or VERBSLAB_HOME). Ctrl-C ends it.

Examples:
  verbslab up
  verbslab up --port 8000 --no-open       on a server: then ssh -L 8000:127.0.0.1:8000 server`,
    )
    .action(async (options: ServeOptions & { open: boolean }) => {
      if (await showRunning(options, options.open)) return;
      if (!new StaticSite().present) throw new AppError('NO_DASHBOARD');
      const agent = await serve(options);
      const links = [agent.newLink(), agent.newLink()] as const;
      showDashboard(agent.home, links, options.open && isLoopback(hostOf(options)));
      await untilSignaled(agent);
      rmSync(agent.home.redirect, { force: true });
    });
}

export function agentCommand(): Command {
  return serveOptions(
    new Command('agent').description('start the agent without a browser; works without the dashboard'),
  )
    .addHelpText(
      'after',
      `
The same process as \`verbslab up\`, for services and for hosts that other agents use. The WebSocket is at
/ws, health at /api/health, Prometheus metrics at /metrics; scripts send the token of the data
directory as "Authorization: Bearer …", and check the certificate first: see docs/security.md.

\`verbslab peers invite\` prints the join string of the running agent: with it another agent can run labs
here. \`verbslab open\` makes an address that signs a browser in.

Examples:
  verbslab agent --port 7481
  verbslab agent --listen 0.0.0.0:7480 --allow-remote       for other machines, over TLS
  UROCE_NETDEV=eth0 verbslab agent --listen 192.0.2.7 --allow-remote       with the embedded device on eth0`,
    )
    .action(async (options: ServeOptions) => {
      const agent = await serve(options);
      print(agent.url);
      if (process.stdout.isTTY) print('To pair it with another agent: verbslab peers invite');
      await untilSignaled(agent);
    });
}
