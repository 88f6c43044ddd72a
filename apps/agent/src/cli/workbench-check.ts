import { plural } from '@verbslab/labs';
import { readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import {
  AppError,
  toErrorInfo,
  WORKBENCH_FILE,
  WORKBENCH_LANGUAGES,
  type Check,
  type RunEventOf,
  type RunRecord,
  type WorkbenchLanguage,
} from '@verbslab/protocol';
import type { WorkbenchTask } from '@verbslab/labs/workbench';
import { Command } from 'commander';
import { connected } from './connected.js';
import {
  bad,
  bold,
  EXIT_INTERRUPTED,
  good,
  muted,
  print,
  printJson,
  printNote,
  printStep,
} from './terminal.js';
import { follow } from './tools-run.js';
import { StreamEnd } from './tools-stream.js';
import { taskOf } from './workbench-task.js';

const BY_ENDING: Readonly<Record<string, WorkbenchLanguage>> = { '.c': 'c', '.ts': 'typescript' };

interface Program {
  language: WorkbenchLanguage;
  source: string;
}

/** The program of a file, or of a folder that `workbench new` made. Throws AppError USAGE. */
function readProgram(path: string): Program {
  const read = (file: string): Program => {
    const language = BY_ENDING[extname(file)];
    if (language) return { language, source: readFileSync(file, 'utf8') };
    throw new AppError('USAGE', {
      detail: `${file} is neither C nor TypeScript`,
      hint: 'Name a .c or .ts file.',
    });
  };
  try {
    if (!statSync(path).isDirectory()) return read(path);
    const files = WORKBENCH_LANGUAGES.map((language) => join(path, WORKBENCH_FILE[language]));
    const file = files.find((one) => statSync(one, { throwIfNoEntry: false })?.isFile());
    if (file) return read(file);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('USAGE', {
      detail: `${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
      hint: 'Name a .c or .ts file, or a folder that `verbslab workbench new` made.',
    });
  }
  throw new AppError('USAGE', {
    detail: `${path} has neither main.c nor main.ts`,
    hint: 'Make a folder with `verbslab workbench new`.',
  });
}

/** The line of a check. A missed point shows the reason. */
function lineOf({ id, ok, detail, at }: Check, { points }: WorkbenchTask): string {
  const text = points.find((point) => point.id === id)?.text;
  const said = ok || text === undefined ? detail : `${text}. ${detail}`;
  return `${ok ? good('✓') : bad('✗')} ${said}${at ? muted(` (${at.file}:${at.line})`) : ''}`;
}

function textOf(task: WorkbenchTask, run: RunRecord, output: readonly RunEventOf<'output'>[]): string {
  const checks = run.result?.checks ?? [];
  const passed = checks.filter(({ ok }) => ok).length;
  const said = output
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ text }) => text)
    .join('')
    .trimEnd();
  return [
    ...(said === '' ? [] : [`${bold('The program printed')}\n${said}`]),
    ...(run.error ? [`${run.error.message} ${run.error.cure}`] : []),
    checks.map((one) => lineOf(one, task)).join('\n'),
    `${passed} of ${plural(checks.length, 'point')}. Run ${run.number}: verbslab runs show ${run.number}`,
  ].join('\n\n');
}

/** Prints all messages of the compiler: the error itself has the first line only. */
function printCompilerMessages(error: unknown): void {
  const { code, detail = '' } = toErrorInfo(error);
  if (code === 'COMPILE_FAILED') for (const line of detail.split('\n')) printNote(line);
}

async function check(id: string, path: string, json: boolean): Promise<void> {
  // Mistakes are reported before an agent is looked for.
  const task = taskOf(id);
  const program = readProgram(path);
  const end = new StreamEnd();
  const { run, output } = await connected(async (client) => {
    const { run: begun } = await client
      .request('workbench.start', { task: task.id, ...program })
      .catch((error: unknown) => {
        printCompilerMessages(error);
        throw error;
      });
    if (!json) printStep(`Run ${begun.number}: ${begun.title}. Ctrl-C cancels.`);
    return follow(client, begun, end);
  }, end.events);
  const points = run.result?.checks ?? [];
  if (json) printJson({ task: task.id, language: program.language, points, run, output });
  else print(textOf(task, run, output));
  if (run.state === 'cancelled') process.exitCode = EXIT_INTERRUPTED;
  else if (run.state !== 'done' || points.some(({ ok }) => !ok)) process.exitCode = 1;
}

export function workbenchCheckCommand(): Command {
  return new Command('check')
    .description('compile and run the program of a task, and check what the device saw of it')
    .argument('<task>', 'its name, as verbslab workbench lists it')
    .argument('<program>', 'a .c or .ts file, or a folder that verbslab workbench new made')
    .option('--json', 'print one JSON object: `points`, `run` and `output`')
    .addHelpText(
      'after',
      `
The program is one run of the agent, with its objects, work requests and packets in the dashboard.
The exit code is 0 if every point passed, 1 if one did not or the program failed, 2 for a wrong name or a program that
does not compile, 130 if cancelled.

Examples:
  verbslab workbench check set-up main.c
  verbslab workbench check clean-up . --json`,
    )
    .action((id: string, path: string, { json = false }: { json?: boolean }) => check(id, path, json));
}
