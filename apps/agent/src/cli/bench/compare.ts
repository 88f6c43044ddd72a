import { AppError, type Measurement, type RunResult } from '@verbslab/protocol';
import { bulk } from '@verbslab/labs';
import { Command, Option } from 'commander';
import type { AgentClient } from '../../client/client.js';
import { collect, logLevelOption, repetitions } from '../options.js';
import { followSweep } from '../sweep-run.js';
import { print, printJson, printStep } from '../terminal.js';
import { comparisonOf } from './comparison.js';
import { endsOf, hostsOf } from './environment.js';
import { prepareFolder, writeReport } from './files.js';
import {
  COMPARED,
  compareCommand,
  comparePlan,
  readDuration,
  readTransports,
  WARM_UP,
  type CompareOptions,
} from './plan.js';
import { jsonOf, terminalText } from './render.js';
import type { CompareReport } from './report.js';

async function compare(options: CompareOptions): Promise<void> {
  const plan = comparePlan(options);
  if (options.out !== undefined) prepareFolder(options.out);
  const results = new Map<string, RunResult>();
  let hosts: Awaited<ReturnType<typeof hostsOf>> = new Map();
  const end = await followSweep(
    bulk.description.id,
    async (_, connected) => {
      hosts = await hostsOf(connected);
      return plan;
    },
    {
      logLevel: options.logLevel,
      quiet: options.json === true,
      shows: (figure) => figure.endsWith('.goodput'),
      measured: (one, client) => keepResult(results, one, client),
    },
  );
  const [any] = results.values();
  const report: CompareReport = {
    comparison: comparisonOf(end, results, options.transports),
    sweep: end.sweep,
    ends: any ? endsOf(any, hosts) : [],
    transports: options.transports,
    command: compareCommand(options),
  };
  if (options.json) printJson(jsonOf(report));
  else print(`\n${terminalText(report)}`);
  if (report.comparison.failed && process.exitCode === 0) process.exitCode = 1;
  if (options.out !== undefined) printStep(`Wrote ${writeReport(options.out, report).join(', ')}`);
}

/** A run is read as soon as it has ended: the history may drop it later. */
async function keepResult(
  results: Map<string, RunResult>,
  { runId, state }: Measurement,
  client: AgentClient,
): Promise<void> {
  if (runId === null || state !== 'done') return;
  try {
    const { run } = await client.request('run.get', { runId });
    if (run.result) results.set(runId, run.result);
  } catch (error) {
    // The report says which runs it lacks.
    if (!(error instanceof AppError)) throw error;
  }
}

export function compareBenchCommand(): Command {
  return new Command('compare')
    .description('measure RDMA and TCP side by side over message sizes and queue depths')
    .option('--sizes <values>', 'message sizes', '4KiB,64KiB,1MiB')
    .option('--depths <values>', 'queue depths: work requests in flight', '1,8,64')
    .addOption(
      new Option(
        '--transports <list>',
        'rdma (over UDP, or the device’s own link), shm (RDMA over shared memory), and tcp as the baseline',
      )
        .argParser(readTransports)
        .default([...COMPARED], COMPARED.join(',')),
    )
    .option('--rounds <count>', 'measurements of each transport at each point', repetitions, 7)
    .addOption(
      new Option('--duration <time>', `length of one measurement, after ${WARM_UP} s of warm-up`)
        .argParser(readDuration)
        .default(0.5, '0.5 s'),
    )
    .option('--from <host/device>', 'where the client is (default: here)')
    .option('--to <host/device>', 'where the server is (default: here)')
    .option('-s, --set <name=value>', 'set another parameter of the lab “bulk”; can be repeated', collect)
    .option('--out <dir>', 'write report.md, report.csv and report.json there')
    .option('--json', 'print one JSON object instead of the report')
    .addOption(logLevelOption())
    .addHelpText('after', HELP)
    .action(compare);
}

const HELP = `
Sizes and depths are a list (1,8,64), a range with a factor (4KiB..1MiB*4), or a range with a step (1..9+2).
Every size is measured at every depth. Each of these points is a run of the lab “bulk” in which the transports
take turns; each round measures every point once. So a slow change of the machine affects all of them alike.

The report has medians with their range, the ratio to TCP, CPU seconds per GB (application, NIC work, kernel),
the environment, the parameters, and the command that repeats it. Where the ranges of RDMA and TCP overlap, it
says “no clear difference” and gives no ratio. Too few rounds allow no verdict: with all points together, at most
5 % of such comparisons call a difference clear that is chance. The default points need 7 rounds, a single one 5.

Uses the running agent, or starts one. The comparison is a sweep: verbslab sweeps lists it, the dashboard shows
it, and each point can be opened as a run. Ctrl-C cancels it and reports what was measured until then.
The exit code is 0 if every run is done and its checks hold, 1 if not, 2 for a wrong option, 130 if cancelled.

On a software device, the CPU does the NIC's work: compare its share (NIC) before you compare speeds.

Examples:
  verbslab bench compare
  verbslab bench compare --sizes 64B..1MiB*4 --depths 16 --out results
  verbslab bench compare --transports rdma,tcp --from local/rxe0 --to vm1/rxe0
  verbslab bench compare --set operation=read --set completionMode=event
  verbslab bench compare --json | jq '.points[] | {size, depth, ratios: [.transports[].versusTcp]}'`;
