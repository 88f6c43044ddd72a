import { printStep, StatusLine } from '../terminal.js';
import type { Scenario } from '@verbslab/protocol';
import type { SimulatorProgress } from '../../simulator/simulator.js';
import type { Progress } from '../../simulator/registration.js';
import { number } from './result-text.js';

/** Least time between two lines where there is no terminal, ms. */
const LINE_MS = 5_000;

/** How far a simulation is, in words: on a terminal in place, elsewhere as a line every few seconds. */
export class SimulationProgress {
  readonly #length: number;
  readonly #early: boolean;
  readonly #quiet: boolean;
  readonly #status = new StatusLine();
  readonly #begin = performance.now();
  #printed = this.#begin;
  #last = { at: this.#begin, events: 0 };
  /** Virtual time so far, µs. */
  us = 0;

  /** @param quiet print nothing */
  constructor(scenario: Scenario, quiet: boolean) {
    this.#length = typeof scenario['duration_us'] === 'number' ? scenario['duration_us'] : 1000;
    this.#early = scenario['until_done'] === true || scenario['stop_at'] !== undefined;
    this.#quiet = quiet;
  }

  /** Shows the progress, and returns it for the run. */
  take({ us, packet_events: events }: SimulatorProgress): Progress {
    const now = performance.now();
    const rate = ((events - this.#last.events) / (now - this.#last.at)) * 1000;
    this.#last = { at: now, events };
    this.us = us;
    const fraction = Math.min(1, us / this.#length);
    const of = this.#early ? 'of at most' : 'of';
    const time = `${number(us)} ${of} ${number(this.#length)} µs of virtual time`;
    const speed = `${number(rate)} packet events/s`;
    this.#show(`${Math.floor(fraction * 100)} %  ${time}, ${speed}`, now);
    const left = fraction > 0 ? ((now - this.#begin) / 1000) * (1 / fraction - 1) : null;
    // What ends early may end at any time.
    return { fraction, text: `${time}, ${speed}`, secondsLeft: this.#early ? null : left };
  }

  #show(text: string, now: number): void {
    if (this.#quiet) return;
    if (this.#status.inPlace) this.#status.show(text);
    else if (now - this.#printed >= LINE_MS) {
      this.#printed = now;
      printStep(text);
    }
  }

  clear(): void {
    this.#status.clear();
  }
}
