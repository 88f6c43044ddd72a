import { AppError, lookupErrno } from '@verbslab/protocol';
import { Command, CommanderError } from 'commander';
import { VERSION } from '../config/version.js';
import { agentCommand, upCommand } from './agent-commands.js';
import { benchCommand } from './bench/command.js';
import { decodeCommand } from './decode.js';
import { devicesCommand } from './devices.js';
import { doctorCommand } from './doctor.js';
import { execCommand } from './exec/command.js';
import { exercisesCommand } from './exercises.js';
import { faultsCommand } from './faults.js';
import { labsCommand } from './labs.js';
import { openCommand } from './open.js';
import { peersCommand } from './peers.js';
import { runCommand } from './run.js';
import { runsCommand } from './runs.js';
import { simCommand } from './sim/command.js';
import { sweepsCommand } from './sweeps.js';
import { exitCodeOf, printError } from './terminal.js';
import { testCommand } from './test/command.js';
import { toolsCommand } from './tools.js';
import { vmsCommand } from './vms.js';
import { workbenchCommand } from './workbench.js';

export function program(): Command {
  const command = new Command('verbslab')
    .description('A lab and bench for RDMA (RoCE), with or without an RDMA device.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .addHelpText(
      'after',
      `
Examples:
  verbslab up                             start the agent and open the dashboard
  verbslab devices                        which RDMA devices this machine has
  verbslab labs                           which experiments there are, by track
  verbslab exercises                      calculations to practice, as sheets to fill in
  verbslab run bulk --set duration=3      RDMA beside TCP, as a report in the terminal
  verbslab faults 12 loss=1%              lose packets of run 12 while it goes on
  verbslab runs                           the latest runs and their problems
  verbslab sweeps                         the latest sweeps and their state
  verbslab bench compare                  RDMA and TCP over sizes and depths, with a report
  verbslab open                           a new link to the running dashboard
  verbslab peers add                      pair with the agent of another machine
  verbslab exec -- ibv_devinfo -v         run any RDMA program on the embedded device
  verbslab test -- make check             a test suite on the embedded device, judged for CI
  verbslab tools run ib_write_bw          a program of the distribution, both ends as one run
  verbslab workbench check send main.c    a program of your own, checked by what the device saw
  verbslab decode capture.pcapng          the packets of a capture, decoded
  verbslab sim incast                     a fabric in virtual time: 16 hosts that write to one
  verbslab doctor                         what keeps RDMA from working here
  verbslab vms up                         two virtual machines with the kernel's SoftRoCE

Every command has its own help: verbslab run --help`,
    );
  for (const sub of [
    upCommand(),
    openCommand(),
    agentCommand(),
    devicesCommand(),
    labsCommand(),
    exercisesCommand(),
    runCommand(),
    faultsCommand(),
    runsCommand(),
    sweepsCommand(),
    benchCommand(),
    peersCommand(),
    execCommand(),
    testCommand(),
    toolsCommand(),
    workbenchCommand(),
    decodeCommand(),
    simCommand(),
    doctorCommand(),
    vmsCommand(),
  ]) {
    command.addCommand(sub);
  }
  for (const one of withParts(command)) {
    one.exitOverride();
    one.configureOutput({ writeErr: () => undefined });
  }
  return command;
}

const withParts = (command: Command): Command[] => [command, ...command.commands.flatMap(withParts)];

/** Commander’s own complaint as one of ours: a sentence, and what to do. */
function usageError(error: CommanderError): AppError {
  const text = error.message
    .replace(/^error: /, '')
    .replace(/\n\(?/g, '; ')
    .replace(/\)$/, '');
  const detail = text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, '');
  return new AppError('USAGE', { detail, hint: 'Run it with --help to see its options.' });
}

/** Ends the program: normally if the reader of the output (head, a pager) has closed it. */
function outputHasFailed(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0);
  const detail = lookupErrno(error.code ?? '')?.meaning ?? error.message;
  printError(new AppError('OUTPUT_LOST', { detail }, { cause: error }));
  process.exit(1);
}

/** Runs the command line; sets the exit code: 0 done, 1 failed, 2 asked wrongly. */
export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.off('error', outputHasFailed).on('error', outputHasFailed); // once, however often this is called
  try {
    if (argv.length <= 2) {
      program().outputHelp();
      process.exitCode = 2;
      return;
    }
    await program().parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version were asked for and have been printed.
      if (error.exitCode === 0) return;
      printError(usageError(error));
      process.exitCode = 2;
      return;
    }
    printError(error);
    process.exitCode = exitCodeOf(error);
  }
}
