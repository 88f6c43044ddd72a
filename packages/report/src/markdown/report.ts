import { readNote } from '@verbslab/labs/markdown';
import type { CurveView, FigureView, TableView } from '@verbslab/labs';
import { PROVIDER_CLASS_TEXT } from '@verbslab/protocol';
import { cpuText, FEW_ROWS, requestTable, seriesTables } from '../content/chart-tables.js';
import { seriesView } from '@verbslab/charts/data';
import type { Fact } from '../content/circumstances.js';
import { contentOf, type ReportContent } from '../content/content.js';
import type { FailureStory, ProblemStory } from '../failure/story.js';
import { besideText } from '../content/format.js';
import type { ReportSource } from '../content/source.js';
import { codeBlock, oneLine, row } from './escape.js';
import { noteMarkdown } from './note.js';

const rows = ({ columns, rows: list }: Pick<TableView, 'columns' | 'rows'>): string =>
  [
    row(columns.map(({ label, unit }) => oneLine(unit === '' ? label : `${label}, ${unit}`))),
    row(columns.map(({ numeric }) => (numeric ? '---:' : '---'))),
    ...list.map((cells) => row(cells.map(oneLine))),
  ].join('\n');

const explained = (view: TableView): string[] => [
  ...(view.text === undefined ? [] : [oneLine(view.text)]),
  rows(view),
];

const table = (view: TableView): string[] => [`### ${oneLine(view.label)}`, ...explained(view)];

/** A chart over time as a table. It is long, so a viewer that knows `details` shows only its name at first. */
const folded = (view: TableView): string =>
  `<details>\n<summary>${oneLine(view.label)}</summary>\n\n${explained(view).join('\n\n')}\n\n</details>`;

function curve({ table: behind, text }: CurveView): string[] {
  const view = { ...behind, ...(text === undefined ? {} : { text }) };
  return view.rows.length > FEW_ROWS ? [folded(view)] : table(view);
}

function figureLine(one: FigureView): string {
  const { value, unit } = one.shown;
  const beside = besideText(one);
  const shown = `**${oneLine(unit === '' ? value : `${value} ${unit}`)}**`;
  return `- ${oneLine(one.label)}: ${shown}${beside === '' ? '' : ` (${oneLine(beside)})`}`;
}

const facts = (list: readonly Fact[]): string[] =>
  list.length === 0
    ? []
    : [list.map(({ name, value }) => `- ${oneLine(name)}: ${oneLine(value)}`).join('\n')];

const section = (title: string, parts: readonly string[]): string[] =>
  parts.length === 0 ? [] : [`## ${title}`, ...parts];

function head({ question, title, run, answer, status, error, tags, caveats }: ReportContent): string[] {
  return [
    `# ${oneLine(question ?? title)}`,
    oneLine(question === null ? run : `${run}: ${title}`),
    ...(answer === null ? [] : [`**${oneLine(answer)}**`]),
    ...caveats.map(oneLine),
    oneLine(status),
    ...(error === null ? [] : [oneLine(error)]),
    ...(tags.length === 0 ? [] : [`Tags: ${oneLine(tags.join(', '))}`]),
  ];
}

function results({ run, measured, requests }: ReportSource, content: ReportContent): string[] {
  const latencies = requestTable(requests);
  const series = seriesTables(run, seriesView(measured));
  const parts = [
    ...(content.figures.length === 0 ? [] : [content.figures.map(figureLine).join('\n')]),
    ...content.tables.flatMap(table),
    ...content.curves.flatMap(curve),
    ...(series?.goodput ? [folded(series.goodput)] : []),
    ...(latencies ? table(latencies) : []),
    ...(series?.cpu ? [folded({ ...series.cpu, label: `${series.cpu.label}: ${cpuText(run)}` })] : []),
  ];
  const by = content.badges.map(({ text, provider }) => `${text}. ${PROVIDER_CLASS_TEXT[provider]}`);
  return parts.length === 0 ? [] : [...by.map((one) => `Provider class: ${oneLine(one)}`), ...parts];
}

const predictions = ({ predictions: list }: ReportContent): string[] =>
  list.map(({ text, predicted, measured, unanswered, verdict }) =>
    `- ${oneLine(text)} Predicted: ${oneLine(predicted ?? '–')}. Measured: ${oneLine(measured ?? unanswered)}. ${oneLine(verdict ?? '')}`.trimEnd(),
  );

const checks = ({ checks: list }: ReportContent): string[] =>
  list.map(({ verdict, text, detail }) => `- ${verdict}: ${oneLine(text)} ${oneLine(detail)}`);

const problem = ({ what, more, place, reports }: ProblemStory): string =>
  [
    `- **${oneLine(what)}**`,
    ...more.map((text) => `  ${oneLine(text)}`),
    ...(place === '' ? [] : [`  (${oneLine(place)})`]),
    ...reports.map((text) => `  - ${oneLine(text)}`),
  ].join('\n');

const standstill = ({ standstill: still }: FailureStory): string[] =>
  still === null
    ? []
    : [
        `**${oneLine(still.what)}**`,
        oneLine(still.more.join(' ')),
        ...(still.ruledOut.length === 0 ? [] : [oneLine(`Ruled out: ${still.ruledOut.join(' ')}`)]),
      ];

const left = ({ left: view }: FailureStory): string[] =>
  view === null
    ? []
    : section(view.label, [...(view.text === undefined ? [] : [oneLine(view.text)]), rows(view)]);

const output = ({ output: printed }: FailureStory): string[] =>
  printed === null
    ? []
    : [...(printed.note === null ? [] : [oneLine(printed.note)]), codeBlock(printed.text)];

const lines = (list: readonly string[]): string[] => (list.length === 0 ? [] : [list.join('\n')]);

/** The report of a run as Markdown. Tables stand in place of charts. */
export function reportMarkdown(source: ReportSource): string {
  const content = contentOf(source);
  const parts = [
    ...head(content),
    ...section('What it waits for', standstill(content.failure)),
    ...section('Errors and misuse', [
      ...content.failure.problems.map(problem),
      ...content.failure.remarks.map(oneLine),
    ]),
    ...left(content.failure),
    ...section('First bad packet', content.failure.packet === null ? [] : [oneLine(content.failure.packet)]),
    ...section('Results', results(source, content)),
    ...section('Output', output(content.failure)),
    ...section('What the figures mean', content.meanings.map(oneLine)),
    ...section('Predictions', lines(predictions(content))),
    ...section('Checks', lines(checks(content))),
    ...section('Parameters', facts(content.parameters)),
    ...section('Environment', [...content.machines.map(rows), ...facts(content.environment)]),
    ...section(
      'Notes',
      content.notes.flatMap(({ head: title, markdown }) => [
        `### ${oneLine(title)}`,
        noteMarkdown(readNote(markdown)),
      ]),
    ),
    '---',
    oneLine(content.made),
  ];
  return `${parts.join('\n\n')}\n`;
}
