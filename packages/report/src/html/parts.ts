/** The parts of a report. */
import type { FigureView, TableView } from '@verbslab/labs';
import { PROVIDER_CLASS_TEXT } from '@verbslab/protocol';
import type { Badge, Fact } from '../content/circumstances.js';
import { besideText } from '../content/format.js';
import { el, type Child } from './markup.js';

export const p = (text: string | null | undefined, className?: string): Child =>
  text === null || text === undefined || text === '' ? null : el('p', { class: className }, text);

/** A section of the report; null if it is empty. */
export function section(title: string, children: readonly Child[]): Child {
  return children.length === 0 ? null : el('section', {}, el('h2', {}, title), ...children);
}

export const badges = (list: readonly Badge[]): Child =>
  list.map(({ provider, text }) =>
    el('span', { class: `badge ${provider}`, title: PROVIDER_CLASS_TEXT[provider] }, text),
  );

/** A table or a chart under its name, with badges of the provider classes. */
export const block = (
  { title, text, by }: { title: string; text?: string | undefined; by?: readonly Badge[] },
  ...children: Child[]
): Child =>
  el(
    'section',
    { class: 'block' },
    el('div', { class: 'head' }, el('h3', {}, title), badges(by ?? [])),
    p(text, 'muted'),
    ...children,
  );

export const figures = (list: readonly FigureView[]): Child =>
  list.length === 0
    ? null
    : el(
        'dl',
        { class: 'figures' },
        ...list.map((one) => {
          const { value, unit } = one.shown;
          const beside = besideText(one);
          return el(
            'div',
            {},
            el('dt', {}, one.label),
            el(
              'dd',
              {},
              el('strong', {}, unit === '' ? value : `${value}\u00a0${unit}`),
              beside === '' ? null : el('div', { class: 'small' }, beside),
              one.text === undefined ? null : el('div', { class: 'small' }, one.text),
            ),
          );
        }),
      );

/** A scrollable area for content that may be wider than the page. The keyboard can reach it. */
export const scrolling = (label: string, ...children: Child[]): Child =>
  el('div', { class: 'scroll', role: 'group', 'aria-label': label, tabindex: 0 }, ...children);

export function table({ label, columns, rows }: Pick<TableView, 'label' | 'columns' | 'rows'>): Child {
  const side = (at: number): string | undefined => (columns[at]?.numeric ? 'number' : undefined);
  const head = columns.map(({ label: name, unit }, i) =>
    el('th', { class: side(i), scope: 'col' }, name, unit === '' ? null : [el('br'), unit]),
  );
  const cell = (text: string, i: number): Child =>
    el('td', { class: side(i) && (/\d/.test(text) ? side(i) : `${side(i)} words`) }, text);
  const body = rows.map((row) => el('tr', {}, ...row.map(cell)));
  return scrolling(label, el('table', {}, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...body)));
}

/** The table behind a chart, folded. */
export const tableBehind = (view: TableView): Child =>
  el('details', {}, el('summary', {}, 'Table'), table(view));

export const facts = (list: readonly Fact[]): Child =>
  list.length === 0
    ? null
    : el(
        'table',
        { class: 'facts' },
        el(
          'tbody',
          {},
          ...list.map(({ name, value }) =>
            el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, value)),
          ),
        ),
      );

export const figure = (label: string, chart: Child): Child => el('figure', {}, scrolling(label, chart));
