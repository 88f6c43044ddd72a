import { constants } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { AppError } from '@verbslab/protocol';
import { changing } from '../vms/changing.js';
import { down } from '../vms/down.js';
import { MAX_VMS, MTU_RANGE, DEFAULT_MEMORY, DEFAULT_MTU } from '../vms/machine.js';
import { NETEM_HELP, setNetem } from '../vms/netem.js';
import { vmsFolder } from '../vms/paths.js';
import { pair, unpair } from '../vms/pair.js';
import { findVm, readState } from '../vms/state.js';
import { checkAlive, status } from '../vms/status.js';
import { DEFAULT_TIMEOUT_S, up } from '../vms/up.js';
import { good, muted, print, printError, printJson, printStep } from './terminal.js';
import { BootProgress, describeVms } from './vms-text.js';
import { sshCommand } from './vms-ssh.js';

function within(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < low || value > high)
      throw new InvalidArgumentError(`It must be a number from ${low} to ${high}.`);
    return value;
  };
}

/** Runs `work` with a signal that Ctrl-C aborts; then the exit code is that of the signal. */
async function cancellable(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  let by: NodeJS.Signals | null = null;
  const cancel = (signal: NodeJS.Signals): void => {
    by = signal;
    controller.abort(new AppError('CANCELLED_COMMAND'));
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, cancel);
  try {
    await work(controller.signal);
  } catch (error) {
    if (by === null) throw error;
    printError(error);
    process.exitCode = 128 + constants.signals[by as NodeJS.Signals];
  } finally {
    for (const signal of signals) process.off(signal, cancel);
  }
}

interface UpFlags {
  count?: number;
  cpus?: number;
  memory?: number;
  mtu?: number;
  accel: 'auto' | 'kvm' | 'tcg';
  timeout: number;
  json?: boolean;
}

function upCommand(): Command {
  return new Command('up')
    .description('start the virtual machines that are not running')
    .option('-n, --count <number>', 'number of virtual machines (default: 2)', within(1, MAX_VMS))
    .option(
      '--cpus <number>',
      'CPUs of each (default: the host’s CPUs divided among them, at most 4)',
      within(1, 16),
    )
    .option('--memory <MiB>', `memory of each (default: ${DEFAULT_MEMORY})`, within(384, 65_536))
    .option(
      '--mtu <bytes>',
      `MTU of the link between them (default: ${DEFAULT_MTU}); 4200 or more gives an RDMA path MTU of 4096`,
      within(...MTU_RANGE),
    )
    .addOption(
      new Option('--accel <kind>', 'CPU virtualization (tcg: software emulation)')
        .choices(['auto', 'kvm', 'tcg'])
        .default('auto'),
    )
    .option('--timeout <seconds>', 'time limit for a machine to start', within(5, 3600), DEFAULT_TIMEOUT_S)
    .option('--json', 'print one JSON object, with ports and tokens')
    .addHelpText(
      'after',
      `
Each machine has the kernel's SoftRoCE (rxe0 on eth0), the programs of this host, and an agent that this host
reaches on a port of 127.0.0.1. The only download is a kernel package, once, if this host has no kernel
with rdma_rxe; root is not needed. Running machines are left alone; one that crashed is started again.

Examples:
  verbslab vms up
  verbslab vms up --count 3 --mtu 4200
  verbslab vms up --json | jq '.vms[].agent'`,
    )
    .action(({ json, ...flags }: UpFlags) =>
      cancellable(async (signal) => {
        const progress = new BootProgress();
        const state = await changing((folder) =>
          up(folder, { ...flags, signal, say: printStep, onStep: progress.step }).finally(progress.end),
        );
        const hosts = await pair(state.vms);
        const now = await status(vmsFolder());
        if (json) printJson({ ...(now ?? state), hosts });
        else if (now)
          print(
            `${describeVms(now)}\n\nIn labs and on the Hosts page they are named ${hosts.join(', ')}. Try: verbslab run bulk --on server=${hosts[0]}/rxe0`,
          );
      }),
    );
}

function statusCommand(): Command {
  return new Command('status')
    .description('list the virtual machines: addresses, agents, state')
    .option('--json', 'print one JSON object, with ports and tokens')
    .addHelpText(
      'after',
      `
The exit code is 1 if no machine is up or one is not ready.

Examples:
  verbslab vms status
  verbslab vms status --json | jq -r '.vms[] | [.name, .condition] | @tsv'`,
    )
    .action(async ({ json }: { json?: boolean }) => {
      const now = await status(vmsFolder());
      if (json) printJson(now ?? { vms: [] });
      else print(now ? describeVms(now) : 'No virtual machine is up. Start them with `verbslab vms up`.');
      if (!now || now.vms.some(({ condition }) => condition !== 'ready')) process.exitCode = 1;
    });
}

function downCommand(): Command {
  return new Command('down')
    .description('stop the virtual machines and delete their files')
    .option('--cache', 'remove the cached kernel too')
    .option('--json', 'print one JSON object')
    .action(async ({ cache, json }: { cache?: boolean; json?: boolean }) => {
      const ended = await changing(async (folder) => {
        await unpair(readState(folder)?.vms ?? []);
        return down(folder, { cache: cache === true });
      });
      if (json) printJson({ ended });
      else
        print(
          ended.length > 0 ? `${good('stopped')} ${ended.join(', ')}` : muted('No virtual machine was up.'),
        );
    });
}

function netemCommand(): Command {
  return new Command('netem')
    .description('drop, delay, duplicate or reorder packets that a virtual machine sends')
    .argument('<name>', 'virtual machine')
    .argument('[settings...]', 'NAME=VALUE …, or off')
    .addHelpText(
      'after',
      `
Settings, as tc-netem(8) has them: ${NETEM_HELP}
They replace the current settings and apply to packets that the machine sends, not to those it receives. Without
settings, the current ones are printed.

Examples:
  verbslab vms netem a loss=1% delay=5ms jitter=1ms
  verbslab vms netem a                              print the current settings
  verbslab vms netem a off`,
    )
    .action(async (name: string, settings: string[]) => {
      const vm = checkAlive(vmsFolder(), findVm(readState(vmsFolder()), name));
      const off = settings.length === 1 && settings[0] === 'off';
      if (off || settings.length > 0) await setNetem(vm, off ? [] : settings);
      const now = (await status(vmsFolder()))?.vms.find((one) => one.name === name);
      print(`${name}: ${now?.netem ?? 'no impairment'}`);
    });
}

export function vmsCommand(): Command {
  const command = new Command('vms')
    .description('virtual machines with the kernel’s SoftRoCE, on this host')
    .enablePositionalOptions()
    .addHelpText(
      'after',
      `
Examples:
  verbslab vms up                                 two machines, a and b, with rxe0 each
  verbslab vms ssh a                              a shell in one
  verbslab vms ssh a -- ibv_devinfo               a command in one
  verbslab vms netem a loss=1% delay=5ms          a poor link
  verbslab vms down                               stop and delete them`,
    );
  for (const sub of [upCommand(), statusCommand(), sshCommand(), netemCommand(), downCommand()])
    command.addCommand(sub);
  return command;
}
