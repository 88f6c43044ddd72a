import {
  describedBy,
  programEnd,
  programGbps,
  transportNameOver,
  TRANSPORTS,
  transportOfLinks,
  type LabDescription,
  type ProgramWork,
  type RunRecord,
  type TransportResult,
} from '@verbslab/protocol';
import { headline, inGbps } from '@verbslab/labs';
import { Command, InvalidArgumentError } from 'commander';
import { connected } from './connected.js';
import { digits, stateText } from './report.js';
import { runsCompareCommand } from './runs-compare.js';
import { runsExportCommand } from './runs-export.js';
import { runsImportCommand } from './runs-import.js';
import { runsJoinCommand } from './runs-join.js';
import { runsNoteCommand } from './runs-note.js';
import { runsReportCommand } from './runs-report.js';
import { runsSeparateCommand } from './runs-separate.js';
import { runsShowCommand } from './runs-show.js';
import { runsTagCommand } from './runs-tag.js';
import { muted, print, printJson, table } from './terminal.js';

const MOST = 500;

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > MOST)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST}.`);
  return limit;
}

const startedAt = (run: RunRecord): string =>
  new Date(run.createdAt).toISOString().slice(0, 19).replace('T', ' ');

type Value = number | null | undefined;
type Figure = [
  title: string,
  unit: string,
  of: (result: TransportResult) => Value,
  ofProgram: (work: ProgramWork) => Value,
  show: (value: number) => string,
];

const FIGURES: readonly Figure[] = [
  ['', 'Gb/s', ({ goodputGbps }) => goodputGbps, programGbps, inGbps],
  [' p99', 'µs', ({ latencyUs }) => latencyUs?.p99, ({ latencyUs }) => latencyUs?.p99, digits],
];

/**
 * A column for each figure that one of the runs has: heading, unit, and a cell for each run. A program's traffic counts
 * as RDMA.
 */
function figureColumns(runs: readonly RunRecord[]): string[][] {
  return FIGURES.flatMap(([title, unit, of, ofProgram, show]) =>
    TRANSPORTS.flatMap((transport) => {
      const cells = runs.map(({ result }) => {
        const found = result?.transports[transport];
        const work = transport === transportOfLinks(result?.links) ? result?.program?.work : undefined;
        const value = found ? of(found) : work && ofProgram(work);
        return value === null || value === undefined ? '–' : `${show(value)}${found?.partial ? '*' : ''}`;
      });
      const measured = runs.filter((_, index) => cells[index] !== '–');
      return measured.length === 0
        ? []
        : [[muted(`${transportNameOver(measured, transport)}${title}`), muted(unit), ...cells]];
    }),
  );
}

/** The list for people. */
export function runsText(runs: readonly RunRecord[], labs: readonly LabDescription[] = []): string {
  if (runs.length === 0) return 'There are no runs yet. Start one with `verbslab run minimal-flow`.';
  const figures = figureColumns(runs);
  const ends = runs.map(({ result }) => programEnd(result?.program)?.replace('exit code ', '') ?? '–');
  const programs = ends.some((end) => end !== '–');
  const results = runs.map((run) => headline(run.result?.results, describedBy(labs, run)));
  const column = (title: string, cells: readonly (string | null)[]): string[][] =>
    cells.some((one) => one !== null)
      ? [[muted(title), ...(figures.length > 0 ? [''] : []), ...cells.map((one) => one ?? '–')]]
      : [];
  const last = [
    ...column('Results', results),
    ...column(
      'Tags',
      runs.map(({ tags }) => tags?.join(' ') ?? null),
    ),
    ...column(
      'Notes',
      runs.map(({ noteCount }) => (noteCount === undefined ? null : String(noteCount))),
    ),
  ];
  const head = ['Run', 'Lab', 'State', ...(programs ? ['Exit'] : []), 'Started (UTC)'].map(muted);
  const rows = runs.map((run, index) => [
    String(run.number),
    run.title,
    stateText(run.state, run.result?.problems),
    ...(programs ? [ends[index]!] : []),
    muted(startedAt(run)),
  ]);
  const units = figures.length > 0 ? [head.map(() => '')] : [];
  const lines = [head, ...units, ...rows].map((cells, row) => [
    ...cells,
    ...figures.map((one) => one[row]!),
    ...last.map((one) => one[row]!),
  ]);
  const text = table(lines, [0, ...figures.map((_, index) => head.length + index)]);
  const partial = runs.some(({ result }) =>
    Object.values(result?.transports ?? {}).some((one) => one.partial),
  );
  return partial
    ? `${text}\n${muted('* The run ended early: the figure covers the time until then.')}`
    : text;
}

export function runsCommand(): Command {
  return (
    new Command('runs')
      .addCommand(runsShowCommand())
      .addCommand(runsCompareCommand())
      .addCommand(runsExportCommand())
      .addCommand(runsReportCommand())
      .addCommand(runsImportCommand())
      .addCommand(runsJoinCommand())
      .addCommand(runsSeparateCommand())
      .addCommand(runsNoteCommand())
      .addCommand(runsTagCommand())
      // A tag to take off may begin with the letter of an option of this command.
      .enablePositionalOptions()
      .description(
        'list the latest runs: state, problems, exit code or signal of a program, start, figures, tags',
      )
      .option('-n, --limit <count>', 'how many runs to list', parseLimit, 20)
      .option(
        '--lab <lab>',
        'only runs of this lab; `program` for those of exec, `simulation` for those of sim',
      )
      .option('--json', 'print one JSON object')
      .addHelpText(
        'after',
        `
A problem is the cause of failed calls, completions or checks, of misuse of verbs, or of error counters that
moved (timeouts, retries, NAKs). All that has one cause is one problem, and what a lab causes on purpose is none.
The page of the run lists them.

Examples:
  verbslab runs
  verbslab runs show 12
  verbslab runs compare 12 13
  verbslab runs export 12 --format trace
  verbslab runs report 12 --out run12.html
  verbslab runs import run12.vlrun
  verbslab runs join 12 13
  verbslab runs separate 14
  verbslab runs note 12 'Slow: the peer had **no** receive posted.'
  verbslab runs tag 12 +rnr -todo
  verbslab runs --json | jq '.runs[] | select(.result.problems > 0) | .number'`,
      )
      .action(({ limit, lab, json }: { limit: number; lab?: string; json?: boolean }) =>
        connected(async (client, labs) => {
          const { runs, more } = await client.request('run.list', {
            limit,
            ...(lab === undefined ? {} : { lab }),
          });
          if (json) printJson({ runs, more });
          else print(runsText(runs, labs));
        }),
      )
  );
}
