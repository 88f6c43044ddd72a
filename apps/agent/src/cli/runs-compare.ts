import {
  noun,
  plural,
  changeText,
  comparisonAnswer,
  footnoteOf,
  comparisonWarnings,
  conditionWarnings,
  DISTANCE_MEANING,
  differencesOf,
  distanceSentence,
  figureRows,
  letterOf,
  MOST_COMPARED,
  shown,
  stateNotes,
  type ComparisonAnswer,
  type Difference,
  type FieldText,
  type FigureRow,
  type LatencyDistance,
  type PropertySchema,
} from '@verbslab/labs';
import {
  AppError,
  decodeHeader,
  ksDistance,
  linkOfRun,
  toErrorInfo,
  transportName,
  TRANSPORTS,
  widestDistance,
  type LabDescription,
  type RunRecord,
} from '@verbslab/protocol';
import { Command } from 'commander';
import type { AgentClient } from '../client/client.js';
import { StreamLatencies } from '../runs/stream-latencies.js';
import { connected } from './connected.js';
import { findRun } from '../client/find-run.js';
import { StreamReader, type StreamTaker } from './stream-reader.js';
import { bold, muted, print, printJson, printNote, table } from './terminal.js';

/** Latencies of a run, read without completions and packets. */
async function latenciesOf(
  reader: StreamReader,
  client: AgentClient,
  runId: string,
): Promise<StreamLatencies> {
  const latencies = new StreamLatencies();
  const taker: StreamTaker = {
    event: (event) => {
      if (event.kind === 'source') latencies.source(event);
    },
    frame: (frame) => latencies.frame(decodeHeader(frame), frame),
  };
  await reader.read(client, runId, taker, false);
  return latencies;
}

/** Parameter values in the form that `--set` takes. */
const fieldText: FieldText = (lab, name, value) => {
  const property = ((lab?.params.properties ?? {}) as Record<string, PropertySchema>)[name];
  return {
    title: name,
    text:
      typeof value === 'number'
        ? shown(value, property?.unit)
        : typeof value === 'string'
          ? value
          : JSON.stringify(value),
  };
};

interface Comparison {
  runs: { letter: string; id: string; number: number; title: string; state: string }[];
  missing: { run: string; code: string; message: string }[];
  baseline: string;
  answer: ComparisonAnswer;
  warnings: string[];
  notes: string[];
  differences: Difference[];
  figures: FigureRow[];
  /** Meaning of the `*` beside a difference. */
  footnote: string | null;
  distances: (Omit<LatencyDistance, 'a' | 'b'> & { a: string; b: string })[];
}

/** Pairs of the first run with each other run. */
function distances(runs: readonly RunRecord[], each: readonly StreamLatencies[]): LatencyDistance[] {
  const first = runs[0]!;
  return TRANSPORTS.flatMap((transport) =>
    runs.slice(1).flatMap((_, i): LatencyDistance[] => {
      const [a, b] = [each[0]!, each[i + 1]!];
      const ks = ksDistance(a.all(transport), b.all(transport));
      if (!ks) return [];
      const own = [a, b].flatMap((one) => widestDistance(one.rounds(transport)) ?? []);
      return [
        {
          ...{ a: 0, b: i + 1, ks },
          name: transportName(transport, linkOfRun(first, transport)),
          withinRuns: own.length === 0 ? null : Math.max(...own),
          rounds: [a.rounds(transport).length, b.rounds(transport).length],
        },
      ];
    }),
  );
}

function comparisonOf(
  runs: readonly RunRecord[],
  missing: Comparison['missing'],
  latencies: readonly StreamLatencies[],
  labs: readonly LabDescription[],
): Comparison & { pairs: LatencyDistance[] } {
  const figures = figureRows(
    runs.map((record) => ({ record })),
    labs,
    0,
  );
  const pairs = distances(runs, latencies);
  const differences = differencesOf(runs, labs, fieldText);
  return {
    runs: runs.map(({ id, number, title, state }, i) => ({ letter: letterOf(i), id, number, title, state })),
    missing,
    baseline: letterOf(0),
    answer: comparisonAnswer(runs, figures, 0),
    footnote: footnoteOf(runs, figures),
    warnings: [...comparisonWarnings(runs), ...conditionWarnings(differences)],
    notes: stateNotes(runs),
    differences,
    figures,
    distances: pairs.map((pair) => ({ ...pair, a: letterOf(pair.a), b: letterOf(pair.b) })),
    pairs,
  };
}

function figureLines({ label, figures, changes }: FigureRow): string[] {
  const cells = figures.map((figure, i) => {
    const range = figure?.range ? muted(` (${figure.range})`) : '';
    const change = changes[i];
    const said = change ? `  ${muted(changeText(change) + (change.verdict === 'few' ? '*' : ''))}` : '';
    return `${figure?.text ?? '–'}${range}${said}`;
  });
  return [label, ...cells];
}

function textOf(comparison: Comparison & { pairs: LatencyDistance[] }): string {
  const { runs, answer, warnings, notes, differences, figures, footnote, pairs } = comparison;
  const heads = runs.map(({ letter, number }, i) =>
    bold(`${letter}  run ${number}${i === 0 ? ' (baseline)' : ''}`),
  );
  const different = differences.filter(({ differs }) => differs);
  const equal = differences.length - different.length;
  const parts = [
    [
      ...answer.lead,
      ...answer.details.map((one) => `  ${one}`),
      ...(answer.caveat === null ? [] : [answer.caveat]),
    ].join('\n'),
    ...(warnings.length + notes.length > 0 ? [[...warnings, ...notes].join('\n')] : []),
    different.length === 0
      ? 'Nothing that is recorded differs: the runs are repetitions of each other.'
      : table([
          [bold('What differs'), ...heads],
          ...different.map(({ title, values }) => [title, ...values]),
        ]),
    muted(`${plural(equal, 'equal setting')} ${noun(equal, 'is', 'are')} left out; --json has them.`),
    ...(figures.length > 0 ? [table([[bold('Figures'), ...heads], ...figures.map(figureLines)])] : []),
    ...(footnote === null ? [] : [muted(footnote)]),
    ...(pairs.length > 0
      ? [
          [
            bold('Kolmogorov–Smirnov distance of latencies'),
            muted(DISTANCE_MEANING),
            ...pairs.map((pair) => distanceSentence(pair, pairs.length)),
          ].join('\n'),
        ]
      : []),
  ];
  return parts.join('\n\n');
}

/** Finds the runs that exist, and the reasons why the others are missing. */
async function findRuns(
  client: AgentClient,
  names: readonly string[],
): Promise<{ runs: RunRecord[]; missing: Comparison['missing'] }> {
  const runs: RunRecord[] = [];
  const missing: Comparison['missing'] = [];
  for (const name of names) {
    try {
      const run = await findRun(client, name);
      if (!runs.some(({ id }) => id === run.id)) runs.push(run);
    } catch (error) {
      const { code, message } = toErrorInfo(error);
      if (code === 'AGENT_UNREACHABLE') throw error;
      missing.push({ run: name, code, message });
    }
  }
  return { runs, missing };
}

function checkCount(count: number, missing: Comparison['missing']): void {
  if (count >= 2 && count <= MOST_COMPARED) return;
  const why = missing.map(({ message }) => message).join(' ');
  throw new AppError('USAGE', {
    detail: `${why === '' ? '' : `${why} `}${count === 1 ? 'One run' : `${count} runs`} cannot be compared`,
    hint: `Name 2 to ${MOST_COMPARED} different runs, by number or ID. List them with \`verbslab runs\`.`,
  });
}

export function runsCompareCommand(): Command {
  return new Command('compare')
    .description('compare two to six runs: what differs, their figures, how far their latencies are apart')
    .argument('<runs...>', 'numbers or IDs of runs; the first is the baseline')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Differences are in per cent of the first run. Inside the spread of the repetitions there is no clear difference.
A run that is deleted or cannot be read is named, and the others are compared. The dashboard draws the same runs over
each other (select them in the list of runs).

Examples:
  verbslab runs compare 12 13
  verbslab runs compare 12 13 14 --json | jq '.figures[] | select(.name == "rdma.goodput")'`,
    )
    .action(async (names: string[], _: unknown, command: Command) => {
      const { json } = command.optsWithGlobals<{ json?: boolean }>();
      const reader = new StreamReader();
      await connected(async (client, labs) => {
        const { runs, missing } = await findRuns(client, names);
        checkCount(runs.length, missing);
        const latencies: StreamLatencies[] = [];
        for (const { id } of runs) latencies.push(await latenciesOf(reader, client, id));
        const comparison = comparisonOf(runs, missing, latencies, labs);
        if (json) {
          const { pairs: _pairs, ...data } = comparison;
          printJson(data);
          return;
        }
        for (const { run, message } of missing) printNote(`Run ${run} is not compared. ${message}`);
        print(textOf(comparison));
      }, reader.events);
    });
}
