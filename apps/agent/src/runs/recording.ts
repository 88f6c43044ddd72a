import {
  AppError,
  canMove,
  ProblemTally,
  FrameError,
  type EmittedEvent,
  type ErrorInfo,
  type RunRecord,
  type RunResult,
  type RunState,
} from '@verbslab/protocol';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { isDiskFull, storageError } from '../config/storage.js';
import type { Logger } from '../base/log.js';
import { CaptureWriter } from '../store/capture.js';
import type { RunStore } from '../store/store.js';
import { RUN_LIMIT_BYTES, RunStream } from '../store/stream.js';

/** Share of a run's limit for its capture: a packet needs somewhat more room there than in the stream. */
const CAPTURE_SHARE = 3 / 8;

export interface RecordingOptions {
  record: RunRecord;
  store: RunStore;
  captureFile: string;
  /** Interfaces of the capture. */
  interfaces: readonly string[];
  logger: Logger;
  runLimit?: number;
  /** CLOCK_MONOTONIC at which the run’s clock reads 0. */
  clock: bigint;
  /** Called after every change of the record. */
  onChange(): void;
  /** Called when the history takes no more. */
  onFailure(error: AppError): void;
}

/** The recorded parts of a run in progress: its record, its stream and its capture, all of it written down. */
export class Recording {
  readonly stream: RunStream;
  readonly #options: RecordingOptions;
  readonly #capture: CaptureWriter;
  readonly #record: RunRecord;
  readonly #problems = new ProblemTally();
  #badFrames = 0;
  #captureTold = false;

  constructor(options: RecordingOptions) {
    this.#options = options;
    this.#record = options.record;
    this.stream = new RunStream({
      store: options.store,
      run: options.record.number,
      now: () => this.now(),
      ...(options.runLimit === undefined ? {} : { runLimit: options.runLimit }),
      capture: () => this.#capture.summary,
      onFailure: (error) => this.#failed(error),
    });
    this.#capture = new CaptureWriter(
      options.captureFile,
      options.record.createdAt,
      options.interfaces,
      (options.runLimit ?? RUN_LIMIT_BYTES) * CAPTURE_SHARE,
    );
  }

  get state(): RunState {
    return this.#record.state;
  }

  get record(): RunRecord {
    return {
      ...this.#record,
      lastSeq: this.stream.lastSeq,
      recordedBytes: this.stream.recordedBytes,
      droppedRecords: this.stream.droppedRecords,
      capture: this.#capture.summary,
    };
  }

  /** Path of the capture file; null if no packets were captured. */
  get captureFile(): string | null {
    const { captureFile } = this.#options;
    return this.#capture.summary && existsSync(captureFile) ? captureFile : null;
  }

  now(): number {
    return Math.max(0, Number(process.hrtime.bigint() - this.#options.clock));
  }

  /**
   * Date of a time on the run's clock. Both come from a single reading: two clocks, read one after the other, differ on
   * a busy machine.
   */
  #dateOf(t: number): number {
    return this.#record.createdAt + Math.round(t / 1e6);
  }

  emit(event: EmittedEvent, endpoint?: string): void {
    if (this.stream.ended) return;
    this.#problems.take(event, endpoint);
    this.stream.append(event, endpoint);
  }

  /**
   * Records an event of an endpoint or a program, which counts against the limit of the run. Returns its size as JSON.
   */
  take(event: EmittedEvent, endpoint?: string): number {
    if (this.stream.ended) return 0;
    const { recorded, chars } = this.stream.take(event, endpoint);
    // Problems that are not recorded could not be shown, and would take unlimited memory.
    if (recorded) this.#problems.take(event, endpoint);
    return chars;
  }

  /** Counts events of an endpoint beyond its budget, without recording them. */
  leaveOut(events: number): void {
    if (events > 0 && !this.stream.ended) this.stream.leaveOut(events);
  }

  /** Records a frame. The first frame that cannot be read is logged; none of those counts. */
  frame(frame: Uint8Array, endpoint: string): void {
    if (this.stream.ended) return;
    try {
      // Packets are parsed for the capture file; all other frames are passed on unread.
      if (!this.stream.appendFrame(frame)) return;
      this.stream.charge(this.#capture.add(frame, endpoint));
      if (this.#capture.failure && !this.#captureTold) this.#captureFailed(this.#capture.failure);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      if (this.#badFrames++ === 0) {
        const text = `A frame was not readable: ${error.message}.`;
        this.emit({ kind: 'log', level: 'error', text }, endpoint);
      }
    }
  }

  #captureFailed(error: Error): void {
    this.#captureTold = true;
    // On a full disk the history fails next; any other error costs only the capture.
    if (isDiskFull(error, this.#options.captureFile)) this.#failed(error);
    else this.emit({ kind: 'log', level: 'error', text: `The capture cannot be written: ${error.message}` });
  }

  #finishCapture(): void {
    try {
      this.#capture.finish();
    } catch (error) {
      const text = `The packets of the capture are not in the order of time: ${(error as Error).message}`;
      this.emit({ kind: 'log', level: 'error', text });
    }
  }

  created(): void {
    this.stream.append({ kind: 'run.state', state: 'created' });
    this.#changed();
  }

  move(to: RunState): void {
    if (!canMove(this.#record.state, to)) {
      throw new AppError('INTERNAL', { detail: `a run cannot go from ${this.#record.state} to ${to}` });
    }
    const t = this.now();
    if (to === 'running') this.#record.startedAt = this.#dateOf(t);
    this.#record.state = to;
    this.stream.append({ kind: 'run.state', state: to, t });
    this.#changed();
  }

  /** Changes the title of the run in lists. */
  rename(title: string): void {
    this.#record.title = title;
    this.#changed();
  }

  progress(progress: NonNullable<RunRecord['progress']>): void {
    // A procedure may go on for a while after its run was cancelled.
    if (this.stream.ended) return;
    this.#record.progress = progress;
    this.emit({ kind: 'progress', ...progress });
    this.#options.onChange();
  }

  /** Ends the recording: result, final state, everything in the database. */
  finish(state: RunState, error: ErrorInfo | null, result: () => RunResult): void {
    this.#finishCapture();
    this.stream.flush();
    this.stream.salvage();
    this.stream.reportDropped();
    this.#record.error = error;
    this.#record.progress = null;
    this.#record.result = { ...result(), problems: this.#problems.count };
    // The stream has the name only, since the record knows the folder.
    const file = this.#record.result.captureFile;
    this.stream.append({
      kind: 'result',
      result: { ...this.#record.result, captureFile: file && basename(file) },
    });
    // The end is taken here, since summing up the result takes time, too.
    const t = this.now();
    this.#record.endedAt = this.#dateOf(t);
    this.#record.state = state;
    this.stream.append({ kind: 'run.state', state, t, ...(error ? { error } : {}) });
    this.stream.end();
    this.#changed();
  }

  /** Publishes a change of something that the record shows and that is not kept here. */
  touch(): void {
    this.#changed();
  }

  #changed(): void {
    try {
      this.#options.store.save(this.record);
    } catch (error) {
      this.#failed(error as Error);
    }
    this.#options.onChange();
  }

  /** Reports that the history cannot be written: the run is not worth continuing then. */
  #failed(error: Error): void {
    this.#options.logger.error({ run: this.#record.id, err: error }, 'the history cannot be written');
    this.#options.onFailure(explained(error, this.#options.captureFile));
  }
}

function explained(error: Error, path: string): AppError {
  if (error instanceof AppError) return error;
  if (isDiskFull(error, path)) return storageError(error, path);
  return new AppError('HISTORY', { detail: error.message }, { cause: error });
}
