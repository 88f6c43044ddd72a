/** Content of a report, in order, before it becomes HTML or Markdown. */
import {
  resultViews,
  type FigureView,
  type PredictionView,
  type TableView,
  type CurveView,
} from '@verbslab/labs';
import {
  isFinal,
  isProgram,
  problemsText,
  programEnd,
  runSeconds,
  untilText,
  type RunRecord,
} from '@verbslab/protocol';
import {
  badgesOf,
  environmentOf,
  machineTable,
  parametersOf,
  type Badge,
  type Fact,
} from './circumstances.js';
import { failureStory, type FailureStory } from '../failure/story.js';
import { programTable, transportTable } from './figure-tables.js';
import { fabricCurves, simulationsTable } from '../simulations/index.js';
import { momentText, secondsText, whenText } from './format.js';
import type { ReportSource } from './source.js';

export interface CheckLine {
  verdict: 'passed' | 'failed' | 'does not apply';
  text: string;
  detail: string;
}

export interface NoteText {
  head: string;
  markdown: string;
}

export interface ReportContent {
  /** Title of the lab, or the command line of a program. */
  title: string;
  /** `Run 12`. */
  run: string;
  question: string | null;
  answer: string | null;
  /** Final state, start and duration. */
  status: string;
  /** Reason of the failure, and its cure. */
  error: string | null;
  /** Problems, leftover objects and the output of the program. */
  failure: FailureStory;
  tags: readonly string[];
  badges: readonly Badge[];
  /** Limits of the figures. */
  caveats: readonly string[];
  /** Meanings of the figures, in the lab's words. */
  meanings: readonly string[];
  figures: readonly FigureView[];
  predictions: readonly PredictionView[];
  /** Tables of transports and of programs, those of the lab, then that of its simulations. */
  tables: readonly TableView[];
  /** Curves of the lab, then those of its simulation, if it has a single one. */
  curves: readonly CurveView[];
  checks: readonly CheckLine[];
  parameters: readonly Fact[];
  machines: readonly TableView[];
  environment: readonly Fact[];
  notes: readonly NoteText[];
  /** Version of the writer, and the time. */
  made: string;
}

function statusText(run: RunRecord): string {
  const seconds = runSeconds(run);
  const end = programEnd(run.result?.program);
  const problems = problemsText(run.result?.problems);
  return [
    isFinal(run.state) ? run.state : `${run.state}: the report covers the run so far`,
    ...(end === null ? [] : [end]),
    ...(problems === '' ? [] : [problems]),
    `started ${whenText(run.createdAt)}`,
    ...(seconds === null ? [] : [`took ${secondsText(seconds)}`]),
  ].join(', ');
}

function errorText({ error, state }: RunRecord): string | null {
  return error === null || state === 'cancelled' ? null : `${error.message} ${error.cure}`.trim();
}

function checksOf({ run, lab }: ReportSource): CheckLine[] {
  return (run.result?.checks ?? []).map(({ id, ok, applies, detail }) => ({
    verdict: applies === false ? 'does not apply' : ok ? 'passed' : 'failed',
    text: lab?.checks.find((one) => one.id === id)?.text ?? id,
    detail,
  }));
}

/** Notes of the lab on its figures. `caveat`: only the limits of the figures, or only the other notes. */
const notesOf = ({ result }: RunRecord, caveat: boolean): string[] =>
  (result?.notes ?? []).filter((note) => (note.caveat === true) === caveat).map(({ text }) => text);

function caveatsOf(run: RunRecord): string[] {
  const { result, state } = run;
  const early = result !== null && isFinal(state) && state !== 'done';
  const seconds = runSeconds(run);
  const until = untilText(state, seconds === null ? undefined : secondsText(seconds));
  return [...(early ? [`Partial figures: they cover the run ${until}.`] : []), ...notesOf(run, true)];
}

export function contentOf(source: ReportSource): ReportContent {
  const { run, lab, notes, simulations, version, at } = source;
  const { result } = run;
  const views = resultViews(result?.results, lab ?? undefined);
  const program = isProgram(run);
  const several = simulationsTable(simulations);
  return {
    title: run.title,
    run: `Run ${run.number}`,
    question: program ? null : (lab?.question ?? null),
    answer: result?.answer ?? null,
    status: statusText(run),
    error: errorText(run),
    failure: failureStory(run, source.evidence),
    tags: run.tags ?? [],
    badges: badgesOf(run),
    caveats: caveatsOf(run),
    meanings: notesOf(run, false),
    figures: views.figures,
    predictions: views.predictions.filter(({ predicted }) => predicted !== null),
    tables: [
      ...transportTable(run),
      ...programTable(run),
      ...views.tables,
      ...(several === null ? [] : [several]),
    ],
    curves: [...views.curves, ...(simulations.length === 1 ? fabricCurves(simulations[0]!) : [])],
    checks: checksOf(source),
    parameters: parametersOf(source),
    machines: machineTable(source),
    environment: environmentOf(source),
    notes: notes.map(({ text, tags, moment, changedAt }) => ({
      head: [whenText(changedAt), ...(moment ? [momentText(moment)] : []), ...tags].join(', '),
      markdown: text,
    })),
    made: `Written by Verbs Lab ${version}, ${whenText(at)}.`,
  };
}
