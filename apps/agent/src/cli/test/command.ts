import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '@verbslab/protocol';
import { Command, InvalidArgumentError, Option } from 'commander';
import { list, repetitions, seconds } from '../options.js';
import { printError, printJson, printNote, print } from '../terminal.js';
import { annotationsOf } from './annotations.js';
import { attempt } from './attempt.js';
import { readBaseline, writeBaseline } from './baseline.js';
import { EXIT, judge } from './judge.js';
import { junitOf } from './junit.js';
import { planOf, type PlanRule } from './plan.js';
import { DEFAULT_REQUIREMENTS, parseRequirements, REQUIREMENTS } from './requirements.js';
import { resultOf } from './result.js';
import { sarifOf } from './sarif.js';
import { series } from './series.js';
import { verdictText } from './verdict-text.js';

interface TestOptions {
  require: string;
  repeat: number;
  seed: number;
  faults?: string[];
  faultRule?: string[];
  timeout: number;
  out?: string;
  junit?: string;
  sarif?: string;
  json?: boolean;
  annotations?: string;
  baseline?: string;
  writeBaseline?: string;
  addr?: string;
  netdev?: string;
  link?: string;
  pcap?: string;
  strictMemlock?: boolean;
}

const cannotWrite = (file: string, error: unknown): AppError => {
  const { code, message } = error as NodeJS.ErrnoException;
  return new AppError(
    'USAGE',
    { detail: `${file} cannot be written (${code ?? message})`, hint: 'Give another file.' },
    { cause: error },
  );
};

/** Throws AppError USAGE before the test has run, so that no result is lost for a wrong name. */
function checkPlace(file: string): void {
  try {
    accessSync(dirname(resolve(file)), constants.W_OK);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw cannotWrite(folder, error);
  }
}

function save(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

async function test(command: [string, ...string[]], options: TestOptions): Promise<number> {
  const { require: wanted, repeat, seed, timeout, json, out } = options;
  const requirements = parseRequirements(wanted);
  const baseline = options.baseline === undefined ? null : readBaseline(options.baseline);
  const rules: PlanRule[] = [
    ...(options.faults ?? []).map((words) => ({ option: '--faults' as const, words })),
    ...(options.faultRule ?? []).map((words) => ({ option: '--fault-rule' as const, words })),
  ];
  planOf(rules, seed);
  if (out !== undefined) makeFolder(out);
  for (const file of [options.junit, options.sarif, options.writeBaseline])
    if (file !== undefined) checkPlace(file);
  const done = await series({
    ...{ repeat, seed, rules },
    say: (text) => printNote(`verbslab: ${text}`),
    once: async (some, drawn) => {
      const tried = await attempt(command, {
        ...{ device: options, timeout, faults: planOf(some, drawn) },
        show: (stream, bytes) => {
          // JSON has stdout for itself.
          process[json ? 'stderr' : stream].write(bytes);
        },
      });
      return {
        attempt: tried,
        judgment: judge(tried, requirements, baseline),
        seed: some.length > 0 ? drawn : null,
      };
    },
  });
  const result = resultOf(command, wanted, rules, done);
  const files = [
    [options.junit ?? (out && join(out, 'junit.xml')), () => junitOf(result)],
    [
      options.sarif ?? (out && join(out, 'results.sarif')),
      () => `${JSON.stringify(sarifOf(result), null, 2)}\n`,
    ],
    [out && join(out, 'result.json'), () => `${JSON.stringify(result, null, 2)}\n`],
  ] as const;
  for (const [file, text] of files) if (file !== undefined) save(file, text());
  if (options.writeBaseline !== undefined) {
    const known = writeBaseline(
      options.writeBaseline,
      result.runs.flatMap(({ findings }) => findings),
    );
    printNote(`verbslab: ${options.writeBaseline} has ${known} known finding${known === 1 ? '' : 's'}.`);
  }
  const annotate = options.annotations ?? (process.env.GITHUB_ACTIONS === 'true' ? 'github' : 'none');
  if (annotate === 'github') for (const line of annotationsOf(result)) (json ? printNote : print)(line);
  if (json) printJson(result);
  else for (const line of verdictText(result)) printNote(line);
  return result.exit;
}

function seedNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number up to 999,999,999.');
  return Number(text);
}

const requirementList = Object.entries(REQUIREMENTS)
  .map(([name, text]) => `  ${name.padEnd(14)} ${text}`)
  .join('\n');

export function testCommand(): Command {
  return new Command('test')
    .description('run a test of an RDMA program on the embedded device, and judge what its processes did')
    .argument('<program>', 'the test: any command, whose children count too')
    .argument('[args...]', 'its arguments')
    .option('--require <list>', 'what must hold to pass', DEFAULT_REQUIREMENTS)
    .option('--repeat <n>', 'run it up to n times, until it fails', repetitions, 1)
    .option(
      '--seed <n>',
      'seed of the injected faults of the first run; each further run has the next',
      seedNumber,
      1,
    )
    .option('--faults <settings>', 'lose, delay or damage packets; can be repeated with at=2s', list)
    .option(
      '--fault-rule <rule>',
      'the same for certain packets, or let calls fail (fail:call=ibv_reg_mr,nth=2); can be repeated',
      list,
    )
    .option('--timeout <seconds>', 'end it after so long, as failed (0: never)', seconds, 0)
    .option('--out <folder>', 'write junit.xml, results.sarif and result.json there')
    .option('--junit <file>', 'write JUnit XML: a case for each process and requirement')
    .option('--sarif <file>', 'write SARIF: findings with their source lines')
    .option('--json', 'print the result as JSON on stdout; the output of the test goes to stderr')
    .addOption(
      new Option(
        '--annotations <kind>',
        'print findings as annotations (default: github in GitHub Actions)',
      ).choices(['github', 'none']),
    )
    .option('--baseline <file>', 'findings that are known: they are named, and fail nothing')
    .option('--write-baseline <file>', 'write the findings of this run as such a file')
    .option('--pcap <file>', 'write every packet to a pcapng file (%p becomes the process id)')
    .option('--addr <address>', 'IP address of the device (default: loopback)')
    .option('--netdev <interface>', 'network interface, whose addresses the device uses')
    .addOption(new Option('--link <way>', 'path of packets, as for exec').choices(['udp', 'shm', 'auto']))
    .option('--strict-memlock', 'refuse to register memory beyond ulimit -l, as the kernel does')
    .passThroughOptions()
    .usage('[options] -- <program> [args...]')
    .addHelpText(
      'after',
      `
The test and its children run on the embedded device (verbslab exec --help), without root, kernel module or
agent. When it has ended, its processes are judged by what they did on the device.

Requirements, with commas between them; none asks only for exit code 0:
${requirementList}

Findings have three levels. error: the program gets no sign of it, or only luck keeps it from hanging or
reading wrong data. warning: the program was told, or it is about cleanup only. note: it costs time.

With --faults, a failed test is run again with fewer and fewer rules, until no more can be left out.

Exit codes:
  0  passed
  1  the program failed, was ended by a signal or was too slow
  2  its misuse of verbs failed it: no-misuse or no-leak
  3  it did not do what was required: opened, traffic or no-error-cqe
  4  it could not be run

Examples:
  verbslab test -- make check
  verbslab test --require opened,traffic,no-leak,no-misuse=warning --out results -- ./rdma_tests
  verbslab test --repeat 100 --seed 7 --faults loss=1% --timeout 60 -- ./rdma_tests
  verbslab test --write-baseline known.json -- ./rdma_tests     accept what is there today
  verbslab test --baseline known.json -- ./rdma_tests           fail only for what is new`,
    )
    .action(async (program: string, args: string[], options: TestOptions) => {
      try {
        process.exitCode = await test([program, ...args], options);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        printError(error);
        process.exitCode = EXIT.cannotRun;
      }
    });
}
