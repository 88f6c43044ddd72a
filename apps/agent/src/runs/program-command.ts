import {
  commandText,
  errorInfo,
  isFinal,
  WORKBENCH_FILE,
  workbenchOf,
  type ErrorInfo,
  type ProgramCommand as CommandResult,
  type ProgramEvent,
  type ProgramWork,
  type RunRecord,
} from '@verbslab/protocol';
import type { AskedFaults } from '../faults/asked-faults.js';
import type { ProgramRun } from './program-run.js';

/** Number of frame sources that one command may announce. */
const SOURCES = 0x0100_0000;

export interface CommandOptions {
  command: readonly string[];
  /** Options of `verbslab exec`, as words. */
  options: readonly string[];
  /** Output streams of the command that are not recorded. */
  terminal: readonly ('stdout' | 'stderr')[];
  /** Asks the client of the command to end the program. */
  onStop(runId: string): void;
  /** Asks the client to inject faults. Absent if the client cannot. */
  faults?: AskedFaults;
}

/** The end of a command. `error` is null if it succeeded. */
interface CommandEnd {
  state: 'done' | 'failed' | 'interrupted';
  error: ErrorInfo | null;
  exitCode: number | null;
  signal: string | null;
  work?: ProgramWork;
}

/** Signals that a program raises by its own actions. */
const FAULTS: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGFPE', 'SIGILL', 'SIGSYS']);
/** Signals with which a person or another program ends it. */
const ASKED: ReadonlySet<string> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGKILL']);

function killedHint(signal: string): string {
  if (FAULTS.has(signal)) return 'Run it in a debugger: verbslab exec -- gdb --args …';
  if (ASKED.has(signal))
    return 'If it did not come to its end, the problems of this run and the states of its objects say what it waited for.';
  return `The program has no handler for ${signal}, which ends it by default.`;
}

/** A `verbslab exec` that feeds a run: handles everything that its client sends. */
export class ProgramCommand {
  readonly run: ProgramRun;
  readonly index: number;
  readonly options: CommandOptions;
  /** Start on the run’s clock, ns. */
  readonly begun: number;
  #end: CommandEnd | null = null;

  constructor(run: ProgramRun, index: number, begun: number, options: CommandOptions) {
    this.run = run;
    this.index = index;
    this.begun = begun;
    this.options = options;
  }

  get record(): RunRecord {
    return this.run.record;
  }

  /** Null while the command is in progress. */
  get ended(): CommandEnd | null {
    return this.#end;
  }

  get text(): string {
    return commandText(this.options.command);
  }

  /** Lower bound of the sources of its frames, exclusive. */
  get sources(): number {
    return this.index * SOURCES;
  }

  get result(): CommandResult {
    const { command, options, terminal } = this.options;
    return {
      command: [...command],
      begun: this.begun,
      ...(options.length > 0 ? { options: [...options] } : {}),
      ...(terminal.length > 0 ? { terminal: [...terminal] } : {}),
      exitCode: this.#end?.exitCode ?? null,
      signal: this.#end?.signal ?? null,
    };
  }

  events(events: readonly ProgramEvent[]): void {
    this.run.events(this, events);
  }

  /** Takes a frame. Throws FrameError, or AppError BAD_FRAME if no `source` event announced it. */
  frame(frame: Buffer): void {
    this.run.frame(frame);
  }

  /** Ends the command, since the program has ended. */
  end(code: number | null, signal: string | null, work?: ProgramWork): void {
    const written = workbenchOf(this.record);
    const program = written ? WORKBENCH_FILE[written.language] : this.text;
    let error: ErrorInfo | null = null;
    if (signal !== null) {
      if (!this.run.ending)
        error = errorInfo('PROGRAM_KILLED', { program, signal, hint: killedHint(signal) });
    } else if (code !== 0) error = errorInfo('PROGRAM_FAILED', { program, code: code ?? 'unknown' });
    this.#close({
      state: error ? 'failed' : 'done',
      error,
      exitCode: code,
      signal,
      ...(work ? { work } : {}),
    });
  }

  /** Ends the command, since the client that fed it is gone. */
  lost(): void {
    const error = errorInfo('PROGRAM_LOST', { program: this.text });
    this.#close({ state: 'interrupted', error, exitCode: null, signal: null });
  }

  #close(end: CommandEnd): void {
    if (this.#end !== null || isFinal(this.run.record.state)) return;
    this.#end = end;
    this.run.commandEnded(this);
  }
}
