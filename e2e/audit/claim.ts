// A statement of a page beside the value that another road gives.
import type { Shown } from './collect.js';
import { nearest, parseFigure } from './figures.js';

/** A page and its evidence disagree. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

/** Which page is audited, as messages name it. */
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

  /** The same statement with more known of what it is about, such as a row of a table. */
  about(data: Readonly<Record<string, string>>): Claim {
    return new Claim(this.#page, { ...this.shown, data: { ...this.shown.data, ...data } });
  }

  /** A data-* that the statement needs to say what it is about. */
  data(name: string): string {
    const value = this.shown.data[name];
    return value ?? this.fail(`data-${name} around it`, 'none');
  }

  /** `road`: how the other value was found. */
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
   * A rounded figure: off by at most half a unit of its last digit. `slack` is added where the two roads measure
   * differently, and every use says why.
   */
  figure(other: number | null, road: string, shown: string = this.text, slack = 0): void {
    if (other === null) return this.equal('–', road, shown);
    const figure = parseFigure(shown);
    if (!figure || Math.abs(figure.value - other) > figure.half + slack) this.fail(road, other, shown);
  }

  /** A figure with its unit, in the unit's base: ns, bytes. */
  quantity(other: number, road: string, shown: string = this.text, slack = 0): void {
    const figure = nearest(shown);
    if (!figure || Math.abs(figure.value - other) > figure.half + slack) this.fail(road, other, shown);
  }

  /** The parts of a sentence; a sentence of another shape has no road. */
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

/** Another way to what a statement says. Throws Disagreement. */
export type Road<E> = (claim: Claim, evidence: E) => void;
export type Roads<E> = Readonly<Record<string, Road<E>>>;
