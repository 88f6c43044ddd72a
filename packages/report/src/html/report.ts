import { readNote } from '@verbslab/labs/markdown';
import { contentOf, type CheckLine, type ReportContent } from '../content/content.js';
import type { FailureStory } from '../failure/story.js';
import type { ReportSource } from '../content/source.js';
import { curveBlock, loopCharts, requestBlocks } from './charts.js';
import { el, Markup, type Child } from './markup.js';
import { noteHtml } from './note-html.js';
import { badges, block, facts, figures, p, section, table } from './parts.js';
import { STYLE } from './style.js';

const head = ({ question, title, run, answer, status, error, tags, ...content }: ReportContent): Child =>
  el(
    'header',
    {},
    p(question === null ? run : `${run}: ${title}`, 'muted'),
    el('h1', {}, question ?? title),
    p(answer, 'answer'),
    ...content.caveats.map((text) => p(text, 'muted')),
    p(status, 'muted'),
    p(error, 'error'),
    content.badges.length + tags.length === 0
      ? null
      : el('p', {}, badges(content.badges), ...tags.map((tag) => el('span', { class: 'tag' }, `#${tag}`))),
  );

const CLASS = { passed: 'passed', failed: 'failed', 'does not apply': 'skipped' } as const;

const check = ({ verdict, text, detail }: CheckLine): Child =>
  el(
    'li',
    { class: CLASS[verdict] },
    text,
    el('div', { class: 'small' }, verdict === 'passed' ? detail : `${verdict}: ${detail}`),
  );

const problems = ({ problems: list }: FailureStory): Child[] =>
  list.length === 0
    ? []
    : [
        el(
          'ol',
          { class: 'problems' },
          ...list.map(({ what, more, place, reports }) =>
            el(
              'li',
              {},
              el('strong', {}, what),
              ...more.map((text) => p(text)),
              p(place, 'small'),
              reports.length === 0
                ? null
                : el('ul', { class: 'small' }, ...reports.map((text) => el('li', {}, text))),
            ),
          ),
        ),
      ];

const standstill = ({ standstill: still }: FailureStory): Child[] =>
  still === null
    ? []
    : [
        el('p', {}, el('strong', {}, still.what)),
        p(still.more.join(' ')),
        ...(still.ruledOut.length === 0 ? [] : [p(`Ruled out: ${still.ruledOut.join(' ')}`, 'muted')]),
      ];

const output = ({ output: printed }: FailureStory): Child[] =>
  printed === null
    ? []
    : [
        p(printed.note, 'muted'),
        el(
          'pre',
          { class: 'output', tabindex: 0, role: 'group', 'aria-label': 'What the program printed' },
          printed.text,
        ),
      ];

const present = (children: readonly Child[]): Child[] => children.filter((one) => one !== null);

function body(content: ReportContent, source: ReportSource): Child {
  const { predictions, checks, notes, badges: by, failure } = content;
  return [
    head(content),
    section('What it waits for', standstill(failure)),
    section('Errors and misuse', [...problems(failure), ...failure.remarks.map((text) => p(text, 'muted'))]),
    section(
      failure.left?.label ?? '',
      failure.left === null ? [] : present([p(failure.left.text, 'muted'), table(failure.left)]),
    ),
    section('First bad packet', failure.packet === null ? [] : [p(failure.packet)]),
    section(
      'Results',
      present([
        figures(content.figures),
        ...content.tables.map((view) => block({ title: view.label, text: view.text, by }, table(view))),
        ...content.curves.map((curve, at) => curveBlock(curve, by, at)),
        ...loopCharts(source, by),
        ...requestBlocks(source, by),
      ]),
    ),
    section('Output', output(failure)),
    section(
      'What the figures mean',
      content.meanings.map((text) => p(text)),
    ),
    section(
      'Predictions',
      predictions.map(({ text, predicted, measured, unanswered, verdict }) => [
        el('h3', {}, text),
        p(`Predicted: ${predicted ?? '–'}. Measured: ${measured ?? unanswered}. ${verdict ?? ''}`.trim()),
      ]),
    ),
    section('Checks', checks.length === 0 ? [] : [el('ul', { class: 'checks' }, ...checks.map(check))]),
    section('Parameters', present([facts(content.parameters)])),
    section('Environment', present([...content.machines.map(table), facts(content.environment)])),
    section(
      'Notes',
      notes.map(({ head: title, markdown }) =>
        el('article', { class: 'note' }, el('h3', { class: 'small' }, title), noteHtml(readNote(markdown))),
      ),
    ),
    el('footer', {}, content.made),
  ];
}

/** Policy of the file: nothing in it may be fetched or run, wherever it is opened. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The report of a run as a single HTML file, without network or scripts. */
export function reportHtml(source: ReportSource): string {
  const content = contentOf(source);
  const top = el(
    'head',
    {},
    el('meta', { charset: 'utf-8' }),
    el('meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }),
    el('meta', { name: 'referrer', content: 'no-referrer' }),
    el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    el('title', {}, `${content.run}: ${content.title}`),
    new Markup(`<style>${STYLE}</style>`),
  );
  const page = el('html', { lang: 'en' }, top, el('body', {}, el('main', {}, body(content, source))));
  return `<!doctype html>\n${page.text}\n`;
}
