import { spawn } from 'node:child_process';
import { AppError } from '@verbslab/protocol';
import { LABS } from '@verbslab/labs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_PORT, startAgent, type Agent } from '../agent.js';
import { homeAt, homePath } from '../config/home.js';
import { baseUrl, findRunning } from '../config/instance.js';
import { readToken } from '../config/token.js';
import { spawnEndpoint } from '../endpoint/index.js';
import { createLogger, LOG_LEVELS } from '../log.js';
import { isLoopback } from '../server/security.js';
import { StaticSite } from '../server/static.js';
import { print } from './terminal.js';

interface ServeOptions {
  port?: number;
  host: string;
  allowRemote?: boolean;
  logLevel: string;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return port;
}

function serveOptions(command: Command): Command {
  return command
    .option(
      '-p, --port <number>',
      `port to listen on; 0 takes a free one (default: ${DEFAULT_PORT})`,
      parsePort,
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--allow-remote', 'permit a --host that other machines can reach; the token still guards it')
    .addOption(
      new Option('--log-level <level>', 'how much goes to stderr')
        .choices(LOG_LEVELS)
        .env('LOG_LEVEL')
        .default('info'),
    );
}

const serve = (options: ServeOptions): Promise<Agent> =>
  startAgent({
    labs: LABS,
    spawn: spawnEndpoint,
    logger: createLogger(options.logLevel),
    host: options.host,
    port: options.port ?? DEFAULT_PORT,
    allowRemote: options.allowRemote === true,
  });

/** Resolves when the agent has been asked to end, and has. A second signal does not wait. */
async function untilSignalled(agent: Agent): Promise<void> {
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

/** Opens the address in the user’s browser when there is a display; nothing happens when that does not work. */
function openBrowser(url: string): void {
  const display = process.platform === 'darwin' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!display) return;
  const child = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [url], {
    stdio: 'ignore',
    detached: true,
  });
  child.on('error', () => undefined);
  child.unref();
}

/** `verbslab up` beside a running agent shows that one instead of failing, unless another port was asked for. */
async function showRunning(options: ServeOptions, open: boolean): Promise<boolean> {
  const home = homeAt(homePath());
  const state = await findRunning(home);
  if (!state) return false;
  if (options.port !== undefined && options.port !== 0 && options.port !== state.port) {
    throw new AppError('AGENT_RUNNING', { port: state.port, pid: state.pid });
  }
  const url = `${baseUrl(state.host, state.port)}/?token=${readToken(home.token)}`;
  print(`Verbs Lab is already running (process ${state.pid}).`);
  print(url);
  if (open) openBrowser(url);
  return true;
}

export function upCommand(): Command {
  return serveOptions(
    new Command('up').description('start the agent, print the address of the dashboard and open it'),
  )
    .option('--no-open', 'do not open a browser')
    .addHelpText(
      'after',
      `
The address holds the token that lets you in; it becomes a cookie at once. Anybody else on this
machine is refused. Runs are kept in ~/.local/share/verbslab (or VERBSLAB_HOME). Ctrl-C ends it.

Examples:
  verbslab up
  verbslab up --port 8000 --no-open       on a server: then ssh -L 8000:127.0.0.1:8000 server`,
    )
    .action(async (options: ServeOptions & { open: boolean }) => {
      if (await showRunning(options, options.open)) return;
      if (!new StaticSite().present) throw new AppError('NO_DASHBOARD');
      const agent = await serve(options);
      print(agent.loginUrl);
      if (options.open && isLoopback(options.host)) openBrowser(agent.loginUrl);
      await untilSignalled(agent);
    });
}

export function agentCommand(): Command {
  return serveOptions(
    new Command('agent').description('run the agent alone: no browser, no dashboard needed'),
  )
    .addHelpText(
      'after',
      `
The same process as \`verbslab up\`, for services and for agents that others drive. The WebSocket is at
/ws, health at /api/health, Prometheus figures at /metrics; scripts send the token of the data
directory as "Authorization: Bearer …".

Examples:
  verbslab agent --port 7481
  curl -H "Authorization: Bearer $(cat ~/.local/share/verbslab/token)" http://127.0.0.1:7480/metrics`,
    )
    .action(async (options: ServeOptions) => {
      const agent = await serve(options);
      print(agent.url);
      await untilSignalled(agent);
    });
}
