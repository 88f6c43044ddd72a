// A statement of a page, compared with the value of an independent check.
import type { Shown } from './collect.js';
import { nearest, parseFigure } from './figures.js';

/** A page and its evidence disagree. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

/** A statement on a page. `page`: the page's name in messages. */
export class Claim {
  readonly shown: Shown;
  readonly #page: string;

  constructor(page: string, shown: Shown) {
    this.#page = page;
    this.shown = shown;
  }

  get text(): string {
    return this.shown.text;
  }

  /** Returns the statement with more data on its subject, such as a row of a table. */
  about(data: Readonly<Record<string, string>>): Claim {
    return new Claim(this.#page, { ...this.shown, data: { ...this.shown.data, ...data } });
  }

  /** Returns a data-* attribute that identifies the subject of the statement. */
  data(name: string): string {
    const value = this.shown.data[name];
    return value ?? this.fail(`data-${name} around it`, 'none');
  }

  /** Fails the audit. `road`: the source of the other value. */
  fail(road: string, other: unknown, shown: string = this.text): never {
    const { name, panel, data } = this.shown;
    const about = ['transport', 'row', 'endpoint', 'check', 'stage', 'field', 'at-step', 'packet', 'wr']
      .flatMap((key) => (data[key] === undefined ? [] : `${key} ${data[key]}`))
      .join(', ');
    throw new Disagreement(
      `${this.#page}, ${panel ? `panel "${panel}"` : 'beside the panels'}, statement "${name}"${about ? ` (${about})` : ''}:\n` +
        `  shown:      ${shown}\n  other road: ${String(other)}, from ${road}`,
    );
  }

  equal(other: string | number, road: string, shown: string = this.text): void {
    if (shown !== String(other)) this.fail(road, other, shown);
  }

  /** A whole count, every digit of it. */
  count(other: number, road: string, shown: string = this.text): void {
    if (!/^\d[\d,]*$/.test(shown) || Number(shown.replaceAll(',', '')) !== other)
      this.fail(road, other, shown);
  }

  /**
   * Compares a rounded figure, which may be off by half a unit of its last digit. `slack` is added if the two sources
   * measure differently; every use gives the reason.
   */
  figure(other: number | null, road: string, shown: string = this.text, slack = 0): void {
    if (other === null) return this.equal('–', road, shown);
    const figure = parseFigure(shown);
    if (!figure || Math.abs(figure.value - other) > figure.half + slack) this.fail(road, other, shown);
  }

  /** Compares a figure with its unit, in the unit's base: ns or bytes. */
  quantity(other: number, road: string, shown: string = this.text, slack = 0): void {
    const figure = nearest(shown);
    if (!figure || Math.abs(figure.value - other) > figure.half + slack) this.fail(road, other, shown);
  }

  /** Returns the parts of a sentence. Fails for a sentence of another shape. */
  match(pattern: RegExp, shown: string = this.text): Record<string, string> {
    const found = pattern.exec(shown);
    return found
      ? { ...found.groups }
      : this.fail(`a sentence of the shape ${pattern.source}`, 'none', shown);
  }

  holds(ok: boolean, road: string, other: unknown): void {
    if (!ok) this.fail(road, other);
  }
}

/** An independent check of a statement. Throws Disagreement. */
export type Road<E> = (claim: Claim, evidence: E) => void;
export type Roads<E> = Readonly<Record<string, Road<E>>>;
