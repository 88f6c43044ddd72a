import { constants } from 'node:os';
import { Command } from 'commander';
import { execute } from '../vms/exec-client.js';
import { vmsFolder } from '../vms/paths.js';
import { findVm, readState } from '../vms/state.js';
import { checkAlive } from '../vms/status.js';

/** The terminal passes every key on, Ctrl-C too, until `work` is over. */
async function withRawTerminal<T>(raw: boolean, work: () => Promise<T>): Promise<T> {
  if (raw) process.stdin.setRawMode(true);
  try {
    return await work();
  } finally {
    if (raw) process.stdin.setRawMode(false);
  }
}

export function sshCommand(): Command {
  return new Command('ssh')
    .description('open a shell or run a command in a virtual machine')
    .argument('<name>', 'virtual machine')
    .argument('[command...]', 'program and arguments (default: a shell)')
    .passThroughOptions()
    .usage('<name> [-- <command> [args...]]')
    .addHelpText(
      'after',
      `
You are root in the machine; your changes are lost when it stops. It sees the programs of this host (/usr) and the
project in /opt/verbslab, but no home directory. Exit code and signals are those of the command.
The network namespace "uroce" has its own interface on the same link, without rxe, for the embedded device.

Examples:
  verbslab vms ssh a
  verbslab vms ssh a -- ibv_rc_pingpong -g 1
  verbslab vms ssh b -- ibv_rc_pingpong -g 1 10.91.0.1
  verbslab vms ssh b -- ip netns exec uroce env LD_PRELOAD=/opt/verbslab/native/build/Release/liburoce.so \\
      UROCE_NETDEV=roce0 ibv_devinfo`,
    )
    .action(async (name: string, given: string[]) => {
      const words = given[0] === '--' ? given.slice(1) : given;
      const vm = checkAlive(vmsFolder(), findVm(readState(vmsFolder()), name));
      const controller = new AbortController();
      const terminal =
        process.stdin.isTTY && process.stdout.isTTY
          ? {
              rows: process.stdout.rows,
              columns: process.stdout.columns,
              type: process.env.TERM ?? 'dumb',
            }
          : null;
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
        process.once(signal, () => {
          controller.abort();
          process.exit(128 + constants.signals[signal]);
        });
      const end = await withRawTerminal(terminal !== null, () =>
        execute(
          vm,
          { command: words.length > 0 ? words : null, env: {}, terminal },
          {
            stdin: process.stdin,
            stdout: (chunk) => void process.stdout.write(chunk),
            stderr: (chunk) => void process.stderr.write(chunk),
            signal: controller.signal,
          },
        ),
      );
      process.exitCode = end.code ?? 128 + (constants.signals[end.signal as NodeJS.Signals] ?? 0);
      process.stdin.destroy();
    });
}
