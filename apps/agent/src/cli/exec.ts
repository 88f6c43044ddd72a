import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { constants as os } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { AppError, callFailed } from '@verbslab/protocol';
import { urocePath } from '@verbslab/native';
import { Command, Option } from 'commander';

interface ExecOptions {
  pcap?: string;
  addr?: string;
  netdev?: string;
  strictMemlock?: boolean;
  report?: string;
}

/** The program as execvp would find it; null when there is none. */
function findProgram(program: string): string | null {
  const candidates = program.includes('/')
    ? [resolve(program)]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder || '.', program));
  for (const path of candidates) {
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not this one.
    }
  }
  return null;
}

function environment(options: ExecOptions): NodeJS.ProcessEnv {
  const preload = process.env.LD_PRELOAD ? `${urocePath}:${process.env.LD_PRELOAD}` : urocePath;
  return {
    ...process.env,
    LD_PRELOAD: preload,
    ...(options.pcap === undefined ? {} : { UROCE_PCAP: resolve(options.pcap) }),
    ...(options.addr === undefined ? {} : { UROCE_ADDR: options.addr }),
    ...(options.netdev === undefined ? {} : { UROCE_NETDEV: options.netdev }),
    ...(options.strictMemlock ? { UROCE_STRICT_MEMLOCK: '1' } : {}),
    ...(options.report === undefined ? {} : { UROCE_REPORT: options.report }),
  };
}

/** Runs a program with the embedded device and ends as it ended: same exit code, same signal. */
async function execute(program: string, args: string[], options: ExecOptions): Promise<void> {
  if (!existsSync(urocePath)) throw new AppError('NO_EMBEDDED_DEVICE', { path: urocePath });
  const path = findProgram(program);
  if (!path) throw new AppError('NO_PROGRAM', { program });
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  // A Ctrl-C at the terminal reaches the program by itself; a signal to this process alone is passed on.
  const interrupt = (): void => {
    if (!process.stdin.isTTY) forward('SIGINT');
  };
  // Before the program begins: a signal in between would end this process and leave the program behind.
  const forwarded = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGQUIT'] as const;
  for (const signal of forwarded) process.on(signal, forward);
  process.on('SIGINT', interrupt);
  const child = spawn(path, args, { stdio: 'inherit', env: environment(options), argv0: program });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(callFailed('SYSTEM', `start of ${program}`, error.code ?? error.message)),
    );
    child.once('exit', (exitCode, exitSignal) => done([exitCode, exitSignal]));
  });
  for (const name of forwarded) process.off(name, forward);
  process.off('SIGINT', interrupt);
  if (signal) {
    process.exitCode = 128 + os.signals[signal];
    process.kill(process.pid, signal);
  } else {
    process.exitCode = code ?? 1;
  }
}

export function execCommand(): Command {
  return new Command('exec')
    .description('run an RDMA program, unchanged, on the embedded device')
    .argument('<program>', 'program that uses libibverbs')
    .argument('[args...]', 'its arguments')
    .option('--pcap <file>', 'write every packet to a pcapng file (%p becomes the process id)')
    .option('--addr <address>', 'IP address of the device (default: loopback, so nothing leaves the machine)')
    .option('--netdev <interface>', 'network interface whose addresses the device takes')
    .option('--strict-memlock', 'refuse to register memory beyond ulimit -l, as the kernel does')
    .addOption(
      new Option('--report [format]', 'at the end, list misuses of the verbs interface on stderr')
        .choices(['text', 'json'])
        .preset('text'),
    )
    .passThroughOptions()
    .usage('[options] -- <program> [args...]')
    .addHelpText(
      'after',
      `
The device is preloaded (LD_PRELOAD) and answers as libibverbs; no root, no kernel module. Any number of
programs may use it at once and talk to each other. Exit code and signals are those of the program.

Examples:
  verbslab exec -- ibv_devinfo -v
  verbslab exec -- ibv_rc_pingpong -g 1                     the server, in one terminal
  verbslab exec -- ibv_rc_pingpong -g 1 127.0.0.1           the client, in another
  verbslab exec --pcap /tmp/rdma-%p.pcapng -- ib_write_bw -d uroce0 -x 1
  verbslab exec --report -- ./my_program                    leaks, bad posts, lost completions
  verbslab exec --addr 127.0.0.2 -- ./my_program`,
    )
    .action((program: string, args: string[], options: ExecOptions) => execute(program, args, options));
}
