import type { Pen } from './pen';

/** Fills columns of pixels from left to right; those next to each other that are alike are one rectangle. */
export class Bars {
  readonly #ctx: Pen['ctx'];
  readonly #wide: number;
  #from = 0;
  #to = 0;
  #top = 0;
  #height = 0;

  /** `wide`: pixels that the last column of a rectangle is wide. */
  constructor(ctx: Pen['ctx'], wide: number) {
    this.#ctx = ctx;
    this.#wide = wide;
  }

  add(x: number, top: number, height: number): void {
    if (x === this.#to && top === this.#top && height === this.#height) {
      this.#to++;
      return;
    }
    this.end();
    this.#from = x;
    this.#to = x + 1;
    this.#top = top;
    this.#height = height;
  }

  /** Draws what is not drawn yet. */
  end(): void {
    const wide = this.#to - this.#from;
    if (wide > 0) this.#ctx.fillRect(this.#from, this.#top, wide - 1 + this.#wide, this.#height);
    this.#to = this.#from;
  }
}
