import { plural } from '@verbslab/labs';
import {
  type ClockOffset,
  type PathCheck,
  type Peer,
  type ReplyOf,
  type RequestType,
} from '@verbslab/protocol';
import { Command } from 'commander';
import type { AgentClient } from '../client/client.js';
import { homeAt, homePath } from '../config/home.js';
import { requireRunning } from '../config/instance.js';
import { readPeerToken } from '../config/token.js';
import { encodeInvitation } from '../config/join-string.js';
import { connected } from './connected.js';
import { readJoinString } from './read-join-string.js';
import { bad, bold, good, muted, print, printJson } from './terminal.js';

interface JsonOption {
  json?: boolean;
}

interface AddOptions extends JsonOption {
  name?: string;
  file?: string;
}

/** Sends a request to the running agent, or to one that is started for it. */
const ask = <T extends RequestType>(
  type: T,
  body: Parameters<typeof AgentClient.prototype.request<T>>[1],
): Promise<ReplyOf<T>> => connected((client) => client.request(type, body));

const time = (ns: number): string => {
  const size = Math.abs(ns);
  if (size < 1e6) return `${(ns / 1e3).toFixed(1)} µs`;
  return size < 1e9 ? `${(ns / 1e6).toFixed(3)} ms` : `${(ns / 1e9).toFixed(6)} s`;
};

const clockText = (clock: ClockOffset | null): string =>
  clock ? `clock ${time(clock.offsetNs)} ± ${time(clock.errorNs)}` : 'clock unknown';

function describe(peer: Peer): string {
  const { name, address, tls, state, error, agent, devices, clock } = peer;
  const word = state === 'up' ? good(state) : state === 'down' ? bad(state) : state;
  const lines = [`${bold(name)}  ${word}  ${address}${tls ? '  TLS' : ''}`];
  if (error) lines.push(`  ${error.message}`, `  ${error.cure}`);
  if (agent)
    lines.push(muted(`  ${agent.host}, ${agent.kernel}, ${plural(agent.cpus, 'CPU')}; ${clockText(clock)}`));
  for (const device of devices) {
    const gids = device.ports.flatMap((port) => port.gids.map(({ gid }) => gid));
    const rest = device.problem ? bad(device.problem.message) : muted(gids.join(', '));
    lines.push(`  ${name}/${device.name}  ${device.providerClass}  ${rest}`);
  }
  return lines.join('\n');
}

function reportCheck({ from, to, ok, steps }: PathCheck): string {
  const rows = steps.map(({ state, title, detail, cure }) =>
    [
      `${state === 'ok' ? good('ok    ') : state === 'failed' ? bad('failed') : muted('-     ')}  ${title}`,
      muted(`        ${detail}`),
      ...(cure === null ? [] : [`        ${cure}`]),
    ].join('\n'),
  );
  const verdict = ok
    ? good('The two devices can reach each other over RDMA.')
    : bad('The two devices cannot reach each other over RDMA.');
  return [`${from} to ${to}`, ...rows, verdict].join('\n');
}

export function peersCommand(): Command {
  const command = new Command('peers')
    .description('pair with the agents of other hosts, to run labs across them')
    .addHelpText(
      'after',
      `
Examples:
  verbslab peers add                                asks for the join string; the pairing is kept
  ssh vm1 verbslab peers invite | verbslab peers add - --name vm1
  verbslab peers list
  verbslab peers check vm1/rxe0                     can the two reach each other over RDMA?
  verbslab run bulk --on server=vm1/rxe0

On the other host, start the agent with: verbslab agent --listen ADDRESS --allow-remote. There,
\`verbslab peers invite\` prints its join string: address, peer token and certificate fingerprint. Treat it
like a password: it opens endpoints on the devices of that host. Never pass it as an argument of a command:
every user of a machine can read those.`,
    );
  command
    .command('add')
    .description('pair with the agent that made this join string')
    .argument('[-]', 'read the join string from standard input (default: ask for it on the terminal)')
    .option('-f, --file <path>', 'read the join string from a file')
    .option('-n, --name <name>', 'name of the host (default: its host name)')
    .option('--json', 'print one JSON object')
    .action(async (source: string | undefined, { name, json, file }: AddOptions) => {
      const join = await readJoinString(source, file);
      const { peer } = await ask('peers.add', { join, ...(name === undefined ? {} : { name }) });
      if (json) printJson(peer);
      else print(describe(peer));
    });
  command
    .command('list', { isDefault: true })
    .description('list the paired agents: state, devices, GIDs, clock')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: JsonOption) => {
      const { peers } = await ask('peers.list', { refresh: true });
      if (json) printJson({ peers });
      else if (peers.length === 0) print(muted('No other agent is paired. See verbslab peers --help.'));
      else print(peers.map(describe).join('\n\n'));
    });
  command
    .command('remove')
    .description('forget a paired agent')
    .argument('<name>')
    .option('--json', 'print one JSON object')
    .action(async (name: string, { json }: JsonOption) => {
      await ask('peers.remove', { name });
      if (json) printJson({ removed: name });
      else print(`Removed ${name}.`);
    });
  command
    .command('check')
    .description('check step by step whether two devices can reach each other over RDMA')
    .argument('<to>', 'HOST or HOST/DEVICE')
    .argument('[from]', 'HOST or HOST/DEVICE (default: this machine)', 'local')
    .option('--json', 'print one JSON object')
    .action(async (to: string, from: string, { json }: JsonOption) => {
      const { check } = await ask('peers.check', { from, to });
      if (json) printJson(check);
      else print(reportCheck(check));
      process.exitCode = check.ok ? 0 : 1;
    });
  command
    .command('invite')
    .description('print the join string of the agent that runs here')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: JsonOption) => {
      const home = homeAt(homePath());
      const state = await requireRunning(home);
      const join = encodeInvitation({
        ...(state.advertised ?? state),
        token: readPeerToken(home),
        fingerprint: state.fingerprint,
      });
      if (json) printJson({ join, ...(state.advertised ?? { host: state.host, port: state.port }) });
      else print(join);
    });
  return command;
}
