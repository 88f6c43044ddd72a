import { formatBytes } from '@verbslab/labs';
import { Explainer } from '@verbslab/labs/explain';
import { TOOLS, unusedField, type Tool } from '@verbslab/labs/tools';
import {
  AppError,
  commandsOf,
  commandText,
  isFinal,
  programEnd,
  type RunEventOf,
  type RunRecord,
} from '@verbslab/protocol';
import { Command, Option } from 'commander';
import type { AgentClient } from '../client/client.js';
import { connected } from './connected.js';
import { stateText } from './report.js';
import { bold, EXIT_INTERRUPTED, muted, print, printJson, printStep } from './terminal.js';
import { StreamEnd } from './tools-stream.js';

type Output = RunEventOf<'output'>;

interface Property {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  unit?: string;
}

const propertiesOf = (tool: Tool): [string, Property][] =>
  Object.entries((tool.params.properties ?? {}) as Record<string, Property>);

/** `txDepth` as it is typed: `--tx-depth`. */
const optionName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const amount = (value: number, unit: string | undefined): string =>
  unit === 'B' ? formatBytes(value) : unit === undefined ? String(value) : `${value} ${unit}`;

/** `1 B to 8 MiB, default 64 KiB` */
function allowedText({ minimum, maximum, unit, enum: choices, default: preset }: Property): string {
  const by = `default ${typeof preset === 'number' ? amount(preset, unit) : String(preset)}`;
  if (choices) return `${choices.join(', ')}; ${by}`;
  if (minimum === undefined || maximum === undefined) return by;
  return `${amount(minimum, unit)} to ${amount(maximum, unit)}, ${by}`;
}

/** An option of a tool. Its help names the flag of the program, so that the reader can type the program next time. */
function optionOf(tool: Tool, name: string, property: Property): Option {
  const flag = tool.flags[name] ? `[${tool.flags[name]}] ` : '';
  const text = `${flag}${property.title}. ${property.description} (${allowedText(property)})`;
  return new Option(
    `--${optionName(name)} ${property.type === 'boolean' ? '[true|false]' : '<value>'}`,
    text,
  );
}

interface Options {
  json?: boolean;
  link?: 'auto' | 'udp';
  plain?: boolean;
}

/** Output of a command, stdout and stderr together, sorted by time. */
const printed = (output: readonly Output[], index: number): string =>
  output
    .filter(({ command = 0 }) => command === index)
    .sort((a, b) => a.t - b.t || a.seq - b.seq)
    .map(({ text }) => text)
    .join('');

/** Output lines, each with its meaning below. Lines that both ends print are explained once. */
function explainedText(command: readonly string[], text: string, told: Set<string>): string {
  const explainer = Explainer.of(command);
  if (!explainer) return text;
  return explainer
    .lines(text)
    .flatMap(({ text: line, meaning }) => {
      if (meaning === null) return [line];
      const said = [
        ...(told.has(meaning.text) ? [] : [meaning.text]),
        ...(meaning.figures ? [meaning.figures] : []),
      ];
      told.add(meaning.text);
      return said.length === 0 ? [line] : [line, muted(`    ${said.join(' ')}`)];
    })
    .join('\n');
}

function textOf(run: RunRecord, output: readonly Output[], plain: boolean): string {
  const told = new Set<string>();
  const ends = run.result?.program?.commands ?? [];
  const commands = commandsOf(run).map((command, index) => {
    const end = programEnd(ends[index] ?? run.result?.program) ?? 'end unknown';
    const head = `${bold(commandText(command))}  ${muted(end)}`;
    const text = printed(output, index).trimEnd();
    return [head, plain ? text : explainedText(command, text, told)].filter((part) => part !== '').join('\n');
  });
  const answer = run.result?.answer;
  const last = `Run ${run.number} ${stateText(run.state, undefined)}${answer ? `: ${answer}` : ''}`;
  const error = run.error ? [`${run.error.message} ${run.error.cure}`] : [];
  return [...commands, ...error, last].join('\n\n');
}

/** Waits for the end of a run of the agent’s own command. Ctrl-C cancels the run. */
export async function follow(
  client: AgentClient,
  run: RunRecord,
  end: StreamEnd,
): Promise<{ run: RunRecord; output: Output[] }> {
  const cancel = (): void => void client.request('run.cancel', { runId: run.id }).catch(() => undefined);
  process.on('SIGINT', cancel);
  process.on('SIGTERM', cancel);
  try {
    const output = await end.of(client, run.id);
    return { run: (await client.request('run.get', { runId: run.id })).run, output };
  } finally {
    process.off('SIGINT', cancel);
    process.off('SIGTERM', cancel);
  }
}

/** Refuses options that reach no command line: they would be ignored in silence. */
function refuseUnused(tool: Tool, given: readonly string[], values: Readonly<Record<string, unknown>>): void {
  const unused = unusedField(tool, given, values);
  if (!unused) return;
  const { field, needs } = unused;
  throw new AppError('UNUSED_OPTION', {
    option: `--${optionName(field)}`,
    needed: needs ? `, or add --${optionName(needs.field)} ${String(needs.value)}` : '',
  });
}

async function runTool(
  tool: Tool,
  params: Readonly<Record<string, string>>,
  { json = false, link = 'auto', plain = false }: Options,
): Promise<void> {
  // Mistakes are reported before an agent is looked for.
  const values = tool.parse(params) as Record<string, string | number | boolean>;
  refuseUnused(tool, Object.keys(params), values);
  const end = new StreamEnd();
  const ended = await connected(async (client) => {
    const { run } = await client.request('tool.start', { tool: tool.name, params: values, link });
    if (!json) printStep(`Run ${run.number}: ${tool.name}. Ctrl-C cancels.`);
    return follow(client, run, end);
  }, end.events);
  if (json) printJson({ run: ended.run, output: ended.output });
  else print(textOf(ended.run, ended.output, plain));
  if (!isFinal(ended.run.state)) throw new AppError('INTERNAL', { detail: 'the run has not ended' });
  if (ended.run.state === 'cancelled') process.exitCode = EXIT_INTERRUPTED;
  else if (ended.run.state !== 'done') process.exitCode = 1;
}

function toolCommand(tool: Tool): Command {
  const command = new Command(tool.name).description(tool.summary);
  for (const [name, property] of propertiesOf(tool)) command.addOption(optionOf(tool, name, property));
  return command
    .addOption(
      new Option('--link <way>', 'path of packets, as verbslab exec has it').choices(['auto', 'udp']),
    )
    .option('--plain', 'print only what the programs printed, without what the lines mean')
    .option('--json', 'print one JSON object: `run` and `output`')
    .addHelpText(
      'after',
      `
${tool.shows}

${tool.roles.map(({ name, program, text }) => `  ${name} (${program}): ${text}`).join('\n')}

In brackets stands the flag of the program. The dashboard shows the run with its objects and packets. The exit code is 0 if every program succeeded, 1 if not,
2 for a wrong name or value, 130 if cancelled.`,
    )
    .action((options: Options & Record<string, unknown>) => {
      const params = propertiesOf(tool).flatMap(([name]) => {
        const value = options[name] as string | boolean | undefined;
        // A switch without a value is on.
        return value === undefined ? [] : [[name, String(value)] as const];
      });
      return runTool(tool, Object.fromEntries(params), options);
    });
}

export function toolsRunCommand(): Command {
  const command = new Command('run').description('run one of the programs and print what it printed');
  for (const tool of TOOLS) command.addCommand(toolCommand(tool));
  return command.addHelpText('after', '\nEach program has its own help: verbslab tools run rping --help');
}
