// Results of a lab: figures, tables, curves and predictions, from the events of the run's stream.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { middle, sum } from '../figures.js';

const EVENTS = 'the events of the stream';
const BYTES = /^[\d.,]+ ([KMGT]iB|B)$/;

/** Checks a number with or without a unit beside it. A dash means that nothing was measured. */
export function number(claim: Claim, other: number | null | undefined, shown: string = claim.text): void {
  if (other === null || other === undefined) return claim.equal('–', EVENTS, shown);
  if (BYTES.test(shown)) return claim.quantity(other, EVENTS, shown);
  claim.figure(other, EVENTS, shown.split(' ')[0]);
}

/** The last event of a figure, which is the one that counts. */
const figureOf = (claim: Claim, { data }: Evidence) =>
  itemsOf(data, 'figure').findLast(({ name }) => name === claim.data('result'));

export function cell(claim: Claim, value: unknown, shown: string): void {
  if (typeof value === 'string') claim.equal(value, EVENTS, shown);
  else if (typeof value === 'boolean') claim.equal(value ? 'yes' : 'no', EVENTS, shown);
  else number(claim, value as number | null | undefined, shown);
}

/** Body of a table, and the names of its columns. */
export function bodyOf(claim: Claim): { columns: string[]; body: readonly (readonly string[])[] } {
  return { columns: claim.data('columns').split(' '), body: (claim.shown.rows ?? []).slice(1) };
}

/** Rows that are drawn as bars, and the names of their columns. */
function barsOf(claim: Claim, { data }: Evidence) {
  const table = claim.data('result');
  const [name = '', length = '', by = ''] = claim.data('columns').split(' ');
  const rows = itemsOf(data, 'row').flatMap((row) => (row.table === table ? [row.cells] : []));
  return { columns: { name, length, by }, rows };
}

/** Median of the measured points of one series at one place. */
function medianAt({ data }: Evidence, curve: string, column: string, x: number): number | null {
  const values = itemsOf(data, 'point').flatMap((point) =>
    point.curve === curve && point.x === x && (point.series ?? 'only') === column && point.y !== null
      ? [point.y]
      : [],
  );
  return values.length === 0 ? null : middle(values);
}

const outcomeOf = (claim: Claim, { data }: Evidence) =>
  itemsOf(data, 'outcome').findLast(({ prediction }) => prediction === claim.data('result'))?.value;

const predictedOf = (claim: Claim, { data }: Evidence) =>
  itemsOf(data, 'predicted')[0]?.values[claim.data('result')];

/** Checks a prediction. IDs are on the page in the lab's words, which have no independent check. */
function guess(claim: Claim, value: unknown, label: RegExp): void {
  const { said = '' } = claim.match(label);
  if (typeof value === 'number') number(claim, value, said);
  else claim.holds(said !== '', EVENTS, 'words of the lab');
}

export const RESULTS: Roads<Evidence> = {
  'result-figure': (claim, evidence) => number(claim, figureOf(claim, evidence)?.value),
  'live-figure': (claim, evidence) => number(claim, figureOf(claim, evidence)?.value),
  // The sign is in words.
  'live-deviation': (claim, evidence) => {
    const value = figureOf(claim, evidence)?.value;
    if (value === null || value === undefined) return number(claim, value);
    const { size = '' } = claim.match(value < 0 ? /^(?<size>.+) below$/ : /^(?<size>.+) above$/);
    number(claim, Math.abs(value), size);
  },
  'live-param': (claim, evidence) => {
    const value = evidence.data.run.parameters[claim.data('result')];
    if (typeof value === 'number') number(claim, value);
    else claim.holds(value !== undefined, 'the parameters of the run', 'none of that name');
  },
  'live-finding': (claim, evidence) => {
    const check = itemsOf(evidence.data, 'check').find(({ id }) => id === claim.data('result'));
    claim.equal(check?.detail ?? 'not checked', EVENTS);
  },
  'live-outcome': (claim, evidence) => guess(claim, outcomeOf(claim, evidence), /^(?<said>.+)$/),
  'live-check': (claim, evidence) => {
    const check = itemsOf(evidence.data, 'check').find(({ id }) => id === claim.data('result'));
    const said =
      !check || check.applies === false ? 'not checked' : check.ok ? 'check passed' : 'check failed';
    claim.equal(said, EVENTS);
  },
  'result-spread': (claim, evidence) => {
    const figure = figureOf(claim, evidence);
    const { n, from, to } = claim.match(
      /^(?:(?<from>[^–]+?)(?:–| to )(?<to>[^,]+(?:,\d{3}[^,]*)*))?(?:, )?(?:n = (?<n>[\d,]+))?$/,
    );
    if (n !== undefined) claim.count(figure?.n ?? NaN, EVENTS, n);
    if (to !== undefined) number(claim, figure?.max, to);
    // The unit appears once, after the upper end.
    if (from !== undefined) {
      const unit = BYTES.exec(to ?? '')?.[1];
      number(claim, figure?.min, unit === undefined || BYTES.test(from) ? from : `${from} ${unit}`);
    }
  },
  'result-table': (claim, evidence) => {
    const { columns, body } = bodyOf(claim);
    const rows = itemsOf(evidence.data, 'row').filter(({ table }) => table === claim.data('result'));
    claim.equal(rows.length, EVENTS, String(body.length));
    rows.forEach(({ cells }, i) =>
      columns.forEach((name, j) => cell(claim, cells[name], body[i]?.[j] ?? '')),
    );
  },
  'result-bars': (claim, evidence) => {
    const { columns, rows } = barsOf(claim, evidence);
    const [, ...body] = claim.shown.rows!;
    claim.equal(rows.length + 1, EVENTS, String(body.length));
    rows.forEach((cells, i) => {
      cell(claim, cells[columns.name], body[i]![0]!);
      cell(claim, cells[columns.length], body[i]!.at(-1)!);
    });
    number(claim, sum(rows.map((cells) => Number(cells[columns.length]))), body.at(-1)!.at(-1));
  },
  'result-share': (claim, evidence) => {
    const { columns, rows } = barsOf(claim, evidence);
    const { by, share } = claim.match(/^(?<by>.+?) (?<share>[\d.,]+) %$/);
    const of = (some: typeof rows): number => sum(some.map((cells) => Number(cells[columns.length])));
    claim.figure((100 * of(rows.filter((cells) => cells[columns.by] === by))) / of(rows), EVENTS, share);
  },
  'result-curve': (claim, evidence) => {
    const { columns, body } = bodyOf(claim);
    const curve = claim.data('result');
    const points = itemsOf(evidence.data, 'point').filter((point) => point.curve === curve);
    const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
    claim.equal(xs.length, EVENTS, String(body.length));
    xs.forEach((x, i) => {
      number(claim, x, body[i]?.[0] ?? '');
      columns
        .slice(1)
        .forEach((column, j) => number(claim, medianAt(evidence, curve, column, x), body[i]?.[j + 1]));
    });
  },
  'result-predicted': (claim, evidence) => guess(claim, predictedOf(claim, evidence), /^(?<said>.+)$/),
  'result-measured': (claim, evidence) => {
    const value = outcomeOf(claim, evidence);
    // A figure decides a prediction without an outcome, and has a statement of its own.
    guess(claim, value, /^(?<said>.+)$/);
  },
  'result-verdict': (claim, evidence) => {
    const [guessed, measured] = [predictedOf(claim, evidence), outcomeOf(claim, evidence)];
    if (typeof guessed === 'number' || measured === undefined)
      return void claim.match(
        /^(As you predicted|Not as you predicted|Within 10 % of your prediction|[\d.,]+× your prediction)\.$/,
      );
    const same = JSON.stringify(guessed) === JSON.stringify(measured);
    claim.equal(same ? 'As you predicted.' : 'Not as you predicted.', EVENTS);
  },
};
