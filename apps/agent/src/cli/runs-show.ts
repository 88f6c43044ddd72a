import {
  commandText,
  describedBy,
  isFinal,
  isProgram,
  peerRuns,
  programEnd,
  terminalStreams,
  type LabDescription,
  type RunEventOf,
  type RunRecord,
} from '@verbslab/protocol';
import { Evidence, failureStory, type FailureStory, type ProblemStory } from '@verbslab/report';
import { plural } from '@verbslab/labs';
import { Command } from 'commander';
import type { AgentClient } from '../client/client.js';
import { policyLines, type PolicyHistory } from '@verbslab/report/policies';
import { QueueHistory } from '@verbslab/report/queues';
import { connected } from './connected.js';
import { findRun } from '../client/find-run.js';
import { queueLines, queuesJson } from './queue-lines.js';
import { report, stateText } from './report.js';
import { StreamReader } from './stream-reader.js';
import { bad, bold, muted, print, printJson, table } from './terminal.js';

type Output = RunEventOf<'output'>;

/** Sorts output by time: the rest of each stream is only reported when the program has ended. */
const byTime = (output: readonly Output[]): Output[] =>
  [...output].sort((a, b) => a.t - b.t || a.seq - b.seq);

interface Line {
  stream: string;
  text: string;
}

const lineText = ({ stream, text }: Line): string => `${muted(stream.padEnd(6))} ${text}`;

/** Output lines, each with the stream that it came from. */
function outputLines(output: readonly Output[]): string[] {
  const lines: string[] = [];
  // The line that is not complete yet.
  let line: Line | null = null;
  const several = output.some(({ command = 0 }) => command > 0);
  for (const { stream: name, text, leftOut, command = 0 } of byTime(output)) {
    const stream = several ? `${command + 1} ${name}` : name;
    if (line !== null && (line.stream !== stream || leftOut !== undefined)) {
      lines.push(lineText(line));
      line = null;
    }
    if (leftOut !== undefined) lines.push(muted(`${stream.padEnd(6)} … ${leftOut} bytes left out …`));
    const whole: string[] = `${line?.text ?? ''}${text}`.split('\n');
    const rest = whole.pop() ?? '';
    lines.push(...whole.map((one) => lineText({ stream, text: one })));
    line = rest === '' ? null : { stream, text: rest };
  }
  if (line !== null) lines.push(lineText(line));
  return lines;
}

/** Peers start together, so they are among this many runs on either side. */
const NEAR = 32;

/** Runs of the programs to which a program was connected. */
async function findPeers(client: AgentClient, run: RunRecord): Promise<RunRecord[]> {
  if (!isProgram(run)) return [];
  const { runs } = await client.request('run.list', { limit: 2 * NEAR, before: run.number + NEAR });
  return peerRuns(run, runs);
}

/** The joined run that a run is a part of, and its other parts. */
interface Whole {
  number: number;
  others: RunRecord[];
}

async function wholeOf(client: AgentClient, { id, partOf }: RunRecord): Promise<Whole | null> {
  if (!partOf) return null;
  const { run } = await client.request('run.get', { runId: partOf.id });
  const others = (run.parts ?? []).filter((part) => part.id !== id);
  const records = others.map(async (part) => (await client.request('run.get', { runId: part.id })).run);
  return { number: partOf.number, others: await Promise.all(records) };
}

/** A problem with its cause and its cure. */
function problemText({ what, more, place, reports }: ProblemStory, index: number): string[] {
  const where = place === '' ? [] : [`(${place})`];
  const rest = reports.length === 0 ? [] : [`${plural(reports.length, 'more report')} of it on its page.`];
  return [`${index + 1}. ${bad(what)}`, ...[...more, ...where, ...rest].map((text) => `   ${text}`)];
}

/** What a program waits for, or waited for when it ended. */
const standstillLines = ({ standstill }: FailureStory): string[] =>
  standstill === null
    ? []
    : [
        '',
        bad(standstill.what),
        ...standstill.more,
        ...standstill.ruledOut.map((text) => muted(`Ruled out: ${text}`)),
      ];

/** The problems of a run, in the words of its page and its report. */
function problemLines({ problems, remarks, left }: FailureStory): string[] {
  const objects = left
    ? ['', bold(left.label), ...(left.text === undefined ? [] : [left.text]), table(left.rows)]
    : [];
  const told =
    problems.length > 0
      ? ['', bold('Problems'), ...problems.flatMap(problemText), ...remarks.map((text) => muted(text))]
      : [];
  return [...told, ...objects];
}

function textOf(
  run: RunRecord,
  peers: readonly RunRecord[],
  whole: Whole | null,
  output: readonly Output[],
  labs: readonly LabDescription[],
  failure: FailureStory,
  queues: QueueHistory,
  policies: readonly string[],
): string {
  const { result } = run;
  const lab = describedBy(labs, run);
  const head = result ? report(run, result, lab) : `${bold(run.title)}  ${stateText(run.state, undefined)}`;
  const connected = peers.map(({ number, title }) => `Connected to run ${number}: ${title}`);
  const commands = (result?.program?.commands ?? []).map(
    (one, index) => `Command ${index + 1}: ${commandText(one.command)} (${programEnd(one) ?? 'end unknown'})`,
  );
  const joined = [
    ...(run.parts ? [`Joined from runs ${run.parts.map(({ number }) => number).join(' and ')}.`] : []),
    ...(whole
      ? [
          `Part of run ${whole.number}, joined with ${whole.others.map(({ number, title }) => `run ${number}: ${title}`).join(' and ')}`,
        ]
      : []),
  ];
  const lines = outputLines(output);
  const terminal = terminalStreams(run);
  const missing =
    terminal.length > 0
      ? [muted(`${terminal.join(' and ')}: printed to a terminal, not recorded (exec --keep-output).`)]
      : [];
  const shown = lines.length > 0 || missing.length > 0 ? ['', bold('Output'), ...missing, ...lines] : [];
  return [
    head,
    ...policies.map((line) => `Policy: ${line}`),
    ...standstillLines(failure),
    ...commands,
    ...connected,
    ...joined,
    ...problemLines(failure),
    ...(isProgram(run) ? queueLines(queues) : []),
    ...shown,
  ].join('\n');
}

/** The last known state of each queue pair that has another policy than the default. */
const policiesJson = ({ tracks }: PolicyHistory) =>
  tracks.map(({ endpoint, last }) => ({ endpoint, ...last }));

export function runsShowCommand(): Command {
  return new Command('show')
    .description('show one run: how it ended, its figures, its problems, and what its program printed')
    .argument('<run>', 'number or ID of the run')
    .option(
      '--json',
      'print one JSON object: `run`, `output`, `problems`, `left`, `standstill`, `queues` and `policies`',
    )
    .addHelpText(
      'after',
      `
The first and the last 256 KiB of each output stream of a program are kept. In JSON, problems are what went
wrong, each with its cause, its cure and what else reports it; left are objects that were not destroyed; standstill
is what a program waits for, or waited for when it ended, and null if nothing stood still; queues is the last known
occupancy of each process's queues; policies are the last known state of each QP whose policy is not the default.

Examples:
  verbslab runs show 12
  verbslab runs show 12 --json | jq -r '.output[] | select(.stream == "stderr").text'`,
    )
    .action(async (name: string, _: unknown, command: Command) => {
      const { json } = command.optsWithGlobals<{ json?: boolean }>();
      const output: Output[] = [];
      const evidence = new Evidence();
      const queues = new QueueHistory();
      const reader = new StreamReader();
      await connected(async (client, labs) => {
        const { id } = await findRun(client, name);
        await reader.read(client, id, {
          event: (event) => {
            if (event.kind === 'output') output.push(event);
            evidence.event(event);
            queues.event(event);
          },
        });
        const { run } = await client.request('run.get', { runId: id });
        const failure = failureStory(run, evidence);
        const { problems, left, standstill } = failure;
        const policies = policyLines(evidence.policies);
        if (json) {
          const printed = { run, output: byTime(output), problems, left, standstill };
          printJson({ ...printed, queues: queuesJson(queues), policies: policiesJson(evidence.policies) });
        } else {
          const [peers, whole] = [await findPeers(client, run), await wholeOf(client, run)];
          print(textOf(run, peers, whole, output, labs, failure, queues, policies));
        }
        if (!isFinal(run.state) && !json) print(muted('\nThe run is still in progress.'));
      }, reader.events);
    });
}
