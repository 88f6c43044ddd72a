import {
  AppError,
  commandText,
  decodeHeader,
  errorInfo,
  isFinal,
  LINKS,
  linksOfCounters,
  OUTPUT_KEPT_BYTES,
  type EmittedEvent,
  type ErrorInfo,
  type Link,
  type ProgramEvent,
  type ProgramResult,
  type ProgramWork,
  type ProviderClass,
  type RunRecord,
  type RunState,
} from '@verbslab/protocol';
import { describeAgent, systemOf } from '../devices/machine.js';
import type { Logger } from '../log.js';
import { workText } from '../program/work-text.js';
import type { ActiveRun } from './active.js';
import { Recording } from './recording.js';
import type { RunStore } from './store.js';
import type { RunStream } from './stream.js';

/** Time that a cancelled program gets until its run ends without it. */
const CANCEL_MS = 8_000;
/** Output that is kept whatever else fills the run: the beginning and the end of two streams. */
const OUTPUT_RESERVE = 4 * OUTPUT_KEPT_BYTES;

export interface ProgramRunOptions {
  record: RunRecord;
  command: readonly string[];
  /** CLOCK_MONOTONIC at which the run’s clock reads 0. */
  clock: bigint;
  store: RunStore;
  captureFile: string;
  logger: Logger;
  runLimit?: number;
  onChange(run: ProgramRun): void;
  /** Asks the client of the run to end the program. */
  onStop(): void;
}

/**
 * A run that `verbslab exec` feeds: the agent does not run the program, it only records what it receives. It ends when
 * the feeder says so or is gone.
 */
export class ProgramRun implements ActiveRun {
  readonly finished: Promise<void>;
  readonly endpointCount = 0;
  readonly #options: ProgramRunOptions;
  readonly #recording: Recording;
  readonly #sources = new Map<number, string>();
  #device: { name: string; providerClass: ProviderClass } | null = null;
  readonly #links = new Set<Link>();
  #cancelled = false;
  /** Characters of output so far. */
  #output = 0;
  #end: ProgramResult = { exitCode: null, signal: null };
  #failure: ErrorInfo | null = null;
  #timer: NodeJS.Timeout | undefined;
  #finish!: () => void;

  constructor(options: ProgramRunOptions) {
    this.#options = options;
    this.finished = new Promise((resolve) => (this.#finish = resolve));
    this.#recording = new Recording({
      record: options.record,
      store: options.store,
      captureFile: options.captureFile,
      interfaces: ['uroce0'],
      logger: options.logger,
      ...(options.runLimit === undefined ? {} : { runLimit: options.runLimit }),
      clock: options.clock,
      onChange: () => options.onChange(this),
      // The program is not ours to end: only its record does.
      onFailure: (error) => (this.#failure ??= error.info),
    });
  }

  get id(): string {
    return this.#options.record.id;
  }

  get record(): RunRecord {
    return this.#recording.record;
  }

  get stream(): RunStream {
    return this.#recording.stream;
  }

  /** It is there whatever the agent does, so labs need not wait for it. */
  get idle(): boolean {
    return true;
  }

  begin(): void {
    this.#recording.created();
    this.#recording.move('preparing');
    this.#recording.move('running');
  }

  events(events: readonly ProgramEvent[]): void {
    for (const event of events) {
      if (event.kind === 'source') this.#sources.set(event.source, event.endpoint ?? '');
      if (event.kind === 'endpoint') {
        this.#device ??= { name: event.device, providerClass: event.providerClass };
      }
      this.#take(event);
      if (event.kind === 'counter') this.#linksOf(event);
    }
    // Lists of runs show the device.
    if (events.some(({ kind }) => kind === 'endpoint')) this.#recording.touch();
  }

  #linksOf({ values, t, endpoint }: ProgramEvent & { kind: 'counter' }): void {
    for (const link of linksOfCounters(values)) {
      if (this.#links.has(link)) continue;
      this.#links.add(link);
      const from = { ...(t === undefined ? {} : { t }), ...(endpoint === undefined ? {} : { endpoint }) };
      this.#recording.emit({ kind: 'link', link, ...from });
    }
  }

  #take(event: ProgramEvent): void {
    if (event.kind === 'output') this.#output += event.text.length;
    // What came as JSON has no member that is undefined.
    const emitted = event as EmittedEvent;
    // The end of the output says why a program failed, so packets may not use up its place.
    if (event.kind === 'output' && this.#output <= OUTPUT_RESERVE) this.#recording.emit(emitted);
    else this.#recording.take(emitted);
  }

  /** Throws FrameError, or AppError BAD_FRAME when no `source` event announced it. */
  frame(frame: Buffer): void {
    const { kind, source } = decodeHeader(frame);
    const endpoint = this.#sources.get(source);
    if (endpoint === undefined) throw new AppError('BAD_FRAME', { detail: `source ${source} is not known` });
    if (kind === 'histogram') throw new AppError('BAD_FRAME', { detail: 'programs have no histograms' });
    this.#recording.frame(frame, endpoint);
  }

  /** The program has ended. */
  end(code: number | null, signal: string | null, work?: ProgramWork): void {
    if (isFinal(this.#recording.state)) return;
    const program = commandText(this.#options.command);
    this.#end = { exitCode: code, signal, ...(work ? { work } : {}) };
    if (this.#cancelled) this.#close('cancelled', errorInfo('CANCELLED'));
    else if (signal !== null) this.#close('failed', errorInfo('PROGRAM_KILLED', { program, signal }));
    else if (code !== 0)
      this.#close('failed', errorInfo('PROGRAM_FAILED', { program, code: code ?? 'unknown' }));
    else if (this.#failure) this.#close('failed', this.#failure);
    else {
      this.#recording.move('draining');
      this.#close('done', null);
    }
  }

  /** Who fed it is gone. */
  lost(): void {
    if (isFinal(this.#recording.state)) return;
    const program = commandText(this.#options.command);
    this.#close('interrupted', errorInfo('PROGRAM_LOST', { program }));
  }

  stop(as: 'cancelled' | 'interrupted'): void {
    if (isFinal(this.#recording.state)) return;
    if (as === 'interrupted') {
      this.#close('interrupted', errorInfo('INTERRUPTED'));
    } else if (!this.#cancelled) {
      this.#cancelled = true;
      this.#options.onStop();
      this.#timer = setTimeout(() => this.#close('cancelled', errorInfo('CANCELLED')), CANCEL_MS);
    }
  }

  #close(state: RunState, error: ErrorInfo | null): void {
    clearTimeout(this.#timer);
    const { record } = this.#options;
    this.#recording.finish(state, error, () => ({
      lab: record.lab,
      state,
      provider: this.#device?.providerClass ?? null,
      device: this.#device?.name ?? null,
      ...(this.#links.size > 0 ? { links: LINKS.filter((link) => this.#links.has(link)) } : {}),
      parameters: record.parameters,
      transports: {},
      checks: [],
      program: { ...this.#end, system: systemOf(describeAgent()) },
      ...(this.#end.work ? { answer: workText(this.#end.work) } : {}),
      captureFile: this.#recording.captureFile,
      ...(error ? { error } : {}),
    }));
    this.#finish();
  }
}
