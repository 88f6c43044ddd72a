import {
  isEmpty,
  LINKS,
  noResults,
  takeResult,
  type Check,
  type EmittedEvent,
  type ErrorInfo,
  type Link,
  type Note,
  type RunResult,
  type RunState,
  type Transport,
  type TransportResult,
} from '@verbslab/protocol';
import { systemOf } from '../devices/machine.js';
import type { RunOptions } from './run-options.js';

interface Ending {
  state: RunState;
  error: ErrorInfo | null;
  captureFile: string | null;
  /** Reads the figures of a run that ended early from its record. */
  recorded: () => RunResult['transports'];
}

/** Findings of the procedure of a run so far, which become the result of the run. */
export class Outcome {
  readonly transports: Partial<Record<Transport, TransportResult>> = {};
  answer: string | null = null;
  readonly #links = new Set<Link>();
  readonly #checks: Check[] = [];
  readonly #notes: Note[] = [];
  readonly #results = noResults();

  take(event: EmittedEvent): void {
    takeResult(this.#results, event);
    if (event.kind === 'note')
      this.#notes.push({ text: event.text, ...(event.caveat ? { caveat: event.caveat } : {}) });
    if (event.kind === 'link') this.#links.add(event.link);
    if (event.kind === 'check') {
      const { kind: _, ...check } = event;
      this.#checks.push(check);
    }
  }

  result(
    { lab, device, places, record }: RunOptions,
    { state, error, captureFile, recorded }: Ending,
  ): RunResult {
    return {
      lab: lab.description.id,
      state,
      provider: device.providerClass,
      device: device.name,
      ...(this.#links.size > 0 ? { links: LINKS.filter((link) => this.#links.has(link)) } : {}),
      endpoints: [...places].map(([role, place]) => ({
        role,
        host: place.host,
        device: place.device.name,
        providerClass: place.device.providerClass,
        ...(place.agent ? { system: systemOf(place.agent) } : {}),
      })),
      parameters: record.parameters,
      transports: state === 'done' ? this.transports : { ...recorded(), ...this.transports },
      checks: this.#checks,
      ...(isEmpty(this.#results) ? {} : { results: structuredClone(this.#results) }),
      ...(this.answer === null ? {} : { answer: this.answer }),
      ...(this.#notes.length > 0 ? { notes: [...this.#notes] } : {}),
      captureFile,
      ...(error ? { error } : {}),
    };
  }
}
