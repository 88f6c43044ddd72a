import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Trouble } from './say.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The environment of every child: quiet tools, and Node's own headers where the system ships them. */
export function childEnv(extra = {}) {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', TURBO_TELEMETRY_DISABLED: '1', ...extra };
  if (!env.npm_config_nodedir && existsSync('/usr/include/node/node.h')) env.npm_config_nodedir = '/usr';
  return env;
}

/**
 * Runs a program with inherited output, or `quiet` and shown to `watch`; throws Trouble when it fails. `nice`: in
 * the time that others leave, and a tenth of a core when they leave none.
 */
export async function exec(
  program,
  args,
  { env = {}, cwd = root, quiet = false, allowFailure = false, nice = false, watch } = {},
) {
  const [file, words] = nice ? ['nice', ['-n', '10', program, ...args]] : [program, args];
  const child = spawn(file, words, {
    cwd,
    env: childEnv(env),
    stdio: ['ignore', quiet ? 'pipe' : 2, quiet ? 'pipe' : 2],
  });
  let output = '';
  if (quiet)
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        watch?.(text);
      });
    }
  const code = await new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Trouble(`cannot run ${program}: ${error.message}`)));
    child.on('close', (status, signal) => resolve(status ?? `signal ${signal}`));
  });
  if (code !== 0 && !allowFailure) {
    throw new Trouble(`${program} ${args.join(' ')} ended with ${code}${quiet ? `\n${output}` : ''}`);
  }
  return { code, output };
}

/** Starts a command in a network namespace of its own, with its loopback up. */
const IN_NETNS = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const [unshare, ...inside] = IN_NETNS;
let apart;

/** The beginning of a command line for a network namespace of its own; empty where none can be made. */
export function inNetns() {
  apart ??=
    process.getuid() === 0 && spawnSync(unshare, [...inside, 'true'], { stdio: 'ignore' }).status === 0;
  return apart ? IN_NETNS : [];
}

/** True when `program` is on the PATH. */
export function has(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
}
