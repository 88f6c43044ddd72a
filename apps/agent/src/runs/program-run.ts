import {
  AppError,
  decodeHeader,
  errorInfo,
  FrameError,
  isFinal,
  LINKS,
  LOCAL_HOST,
  linksOfCounters,
  MAX_COMMANDS,
  OUTPUT_KEPT_BYTES,
  type Check,
  type EmittedEvent,
  type ErrorInfo,
  type Faults,
  type Link,
  type ProgramEvent,
  type ProgramResult,
  type ProviderClass,
  type RunRecord,
  type RunState,
} from '@verbslab/protocol';
import { describeAgent, systemOf } from '../devices/machine.js';
import type { Logger } from '../base/log.js';
import { JointWork } from '../program/joint-work.js';
import { workText } from '../program/work-text.js';
import type { ActiveRun, CounterReading } from './active-run.js';
import { endOfAll, programTitle } from './commands.js';
import { ProgramCommand, type CommandOptions } from './program-command.js';
import { ProgramFaults } from './program-faults.js';
import { Recording } from './recording.js';
import type { RunStore } from '../store/store.js';
import type { RunStream } from '../store/stream.js';

/** Time until a cancelled program's run ends without the program, ms. */
const CANCEL_MS = 8_000;
/** Output of a command that is kept whatever else fills the run: the beginning and the end of two streams. */
const OUTPUT_RESERVE = 4 * OUTPUT_KEPT_BYTES;

export interface ProgramRunOptions {
  record: RunRecord;
  /** CLOCK_MONOTONIC at which the run’s clock reads 0. */
  clock: bigint;
  store: RunStore;
  captureFile: string;
  logger: Logger;
  runLimit?: number;
  /** Set if the agent starts the commands itself and calls `release` when there are no more. */
  held?: boolean;
  /** Title of the run in lists. Default: made from its commands. */
  title?: string;
  onChange(run: ProgramRun): void;
}

/**
 * A run that `verbslab exec` feeds: it only records what it receives. Several commands may feed it. The run ends when
 * all of them have ended or are gone.
 */
export class ProgramRun implements ActiveRun {
  readonly finished: Promise<void>;
  readonly endpointCount = 0;
  readonly #options: ProgramRunOptions;
  readonly #recording: Recording;
  readonly #commands: ProgramCommand[] = [];
  readonly #sources = new Map<number, string>();
  readonly #work = new JointWork();
  #device: { name: string; providerClass: ProviderClass } | null = null;
  readonly #links = new Set<Link>();
  /** Latest reading of each process, by the process's name in the run. */
  readonly #readings = new Map<string, CounterReading>();
  readonly #faults: ProgramFaults;
  #cancelled = false;
  #held: boolean;
  /** True if the run's commands were asked to end without cancelling the run. */
  #ending = false;
  /** Characters of output so far. */
  #output = 0;
  #failure: ErrorInfo | null = null;
  /** Reason for which the launcher stopped the program, and which therefore explains the program's end. */
  #stopped: ErrorInfo | null = null;
  #checks: readonly Check[] = [];
  #timer: NodeJS.Timeout | undefined;
  #finish!: () => void;

  constructor(options: ProgramRunOptions) {
    this.#options = options;
    this.#held = options.held ?? false;
    this.#faults = new ProgramFaults(options.record.id);
    this.finished = new Promise((resolve) => (this.#finish = resolve));
    this.#recording = new Recording({
      ...options,
      interfaces: ['uroce0'],
      onChange: () => options.onChange(this),
      // The program is not ours to end: only its record ends.
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

  /** CLOCK_MONOTONIC at which the run’s clock reads 0. */
  get clock(): bigint {
    return this.#options.clock;
  }

  /** True for commands that a person started: they run whatever the agent does, so labs need not wait for them. */
  get idle(): boolean {
    return !this.#options.held;
  }

  /** True if the run takes no more commands: it was cancelled, is being ended, or has ended. */
  get stopping(): boolean {
    return this.#cancelled || this.#ending || isFinal(this.#recording.state);
  }

  /** True once a command has begun. */
  get began(): boolean {
    return this.#commands.length > 0;
  }

  open(): void {
    this.#recording.created();
    this.#recording.move('preparing');
    this.#recording.move('running');
  }

  begin(options: CommandOptions): ProgramCommand {
    const command = new ProgramCommand(this, 0, 0, options);
    this.#commands.push(command);
    this.open();
    return command;
  }

  /** Adds another command to the run. Throws AppError JOIN_ENDED, JOIN_CANCELLED, LIMIT. */
  join(options: CommandOptions): ProgramCommand {
    const { number } = this.record;
    if (isFinal(this.#recording.state)) throw new AppError('JOIN_ENDED', { number });
    if (this.stopping) throw new AppError('JOIN_CANCELLED', { number });
    const [first] = this.#commands;
    const index = this.#commands.length;
    if (index >= MAX_COMMANDS)
      throw new AppError('LIMIT', {
        what: 'Too many commands in one run',
        value: index + 1,
        limit: MAX_COMMANDS,
      });
    if (index === 1 && first) this.#tellBegin(first);
    const command = new ProgramCommand(this, index, this.#recording.now(), options);
    this.#commands.push(command);
    if (index > 0) this.#tellBegin(command);
    const title = this.#options.title ?? programTitle(this.#commands.map((one) => one.options.command));
    this.#recording.rename(title);
    return command;
  }

  #tellBegin({ index, begun, options }: ProgramCommand): void {
    const command = [...options.command];
    const terminal = options.terminal.length > 0 ? { terminal: [...options.terminal] } : {};
    this.#recording.emit({ kind: 'command', phase: 'begin', index, command, ...terminal, t: begun });
  }

  events(command: ProgramCommand, events: readonly ProgramEvent[]): void {
    for (const event of events) {
      if (event.kind === 'source') this.#sources.set(event.source, event.endpoint ?? '');
      if (event.kind === 'endpoint') {
        const { role, device, providerClass } = event;
        this.#device ??= { name: device, providerClass };
        this.#readings.set(event.endpoint ?? role, {
          ...{ endpoint: event.endpoint ?? role, host: LOCAL_HOST, device, providerClass },
          ...{ at: 0, values: null },
        });
        this.#faults.opened(command);
      }
      this.#work.event(command.index, event);
      this.#take(command, event);
      if (event.kind !== 'counter') continue;
      this.#linksOf(event);
      const reading = this.#readings.get(event.endpoint ?? '');
      if (reading) {
        const at = (event.t ?? this.#recording.now()) / 1e9;
        this.#readings.set(reading.endpoint, { ...reading, at, values: event.values });
      }
    }
    // Lists of runs show the device.
    if (events.some(({ kind }) => kind === 'endpoint')) this.#recording.touch();
  }

  /** Number of processes that have opened the device so far. */
  get processes(): number {
    return this.#readings.size;
  }

  setFaults(only: string | undefined, faults: Faults): Promise<string[]> {
    const going = this.#commands.filter(({ ended }) => ended === null);
    return this.#faults.set(going, only, faults);
  }

  readCounters(): Promise<CounterReading[]> {
    return Promise.resolve([...this.#readings.values()]);
  }

  #linksOf({ values, t, endpoint }: ProgramEvent & { kind: 'counter' }): void {
    for (const link of linksOfCounters(values)) {
      if (this.#links.has(link)) continue;
      this.#links.add(link);
      const from = { ...(t === undefined ? {} : { t }), ...(endpoint === undefined ? {} : { endpoint }) };
      this.#recording.emit({ kind: 'link', link, ...from });
    }
  }

  #take({ index }: ProgramCommand, event: ProgramEvent): void {
    // Parsed JSON has no undefined members.
    const emitted = event as EmittedEvent;
    if (emitted.kind !== 'output') {
      this.#recording.take(emitted);
      return;
    }
    this.#output += emitted.text.length;
    const { command: _, ...printed } = emitted;
    const output = index === 0 ? printed : { ...printed, command: index };
    // The end of the output shows why a program failed, so packets may not use up its place.
    if (this.#output <= OUTPUT_RESERVE * this.#commands.length) this.#recording.emit(output);
    else this.#recording.take(output);
  }

  /** Takes a frame. Throws FrameError, or AppError BAD_FRAME if no `source` event announced it. */
  frame(frame: Buffer): void {
    const { kind, source } = decodeHeader(frame);
    const endpoint = this.#sources.get(source);
    if (endpoint === undefined) throw new AppError('BAD_FRAME', { detail: `source ${source} is not known` });
    if (kind === 'histogram') throw new AppError('BAD_FRAME', { detail: 'programs have no histograms' });
    try {
      this.#work.frame(frame);
    } catch (error) {
      // The recording reports frames that cannot be read.
      if (!(error instanceof FrameError)) throw error;
    }
    this.#recording.frame(frame, endpoint);
  }

  /** Called when a command of the run has ended, or when its client is gone. */
  commandEnded(command: ProgramCommand): void {
    const { index, options, ended } = command;
    if (this.#commands.length > 1)
      this.#recording.emit({
        kind: 'command',
        phase: 'end',
        index,
        command: [...options.command],
        exitCode: ended?.exitCode ?? null,
        signal: ended?.signal ?? null,
      });
    if (this.#allOver) this.#allEnded();
  }

  get #allOver(): boolean {
    return !this.#held && this.#commands.every((one) => one.ended !== null);
  }

  /**
   * Ends the run once its commands have ended: no more commands come. With an error the run fails with it, unless a
   * command failed.
   */
  release(error: ErrorInfo | null): void {
    this.#held = false;
    if (error) this.#failure ??= error;
    if (this.#allOver && !isFinal(this.#recording.state)) this.#allEnded();
  }

  /** Records a source file of the program. */
  file(name: string, text: string): void {
    this.#recording.emit({ kind: 'file', name, text });
  }

  log(level: 'info' | 'warn', text: string): void {
    this.#recording.emit({ kind: 'log', level, text });
  }

  /** Sets the reason for which the launcher stopped the program: the run fails with it, however the program ended. */
  stopped(error: ErrorInfo): void {
    this.#stopped ??= error;
  }

  /** Records the device's checks of the program, once the program has ended. */
  checked(checks: readonly Check[]): void {
    this.#checks = checks;
    for (const check of checks) this.#recording.emit({ kind: 'check', ...check });
  }

  /** Asks the commands to end, which then does not count as their failure. With an error the run fails with it. */
  endCommands(error: ErrorInfo | null): void {
    if (this.stopping) return;
    this.#ending = true;
    if (error) this.#failure ??= error;
    this.#askToEnd();
  }

  /** True if the commands were asked to end, so that a signal counts as requested. */
  get ending(): boolean {
    return this.#ending;
  }

  #askToEnd(): void {
    for (const { ended, options } of this.#commands) if (ended === null) options.onStop(this.id);
  }

  #allEnded(): void {
    const ends = this.#commands.flatMap(({ ended }) => (ended ? [ended] : []));
    const bad =
      ends.find(({ state }) => state === 'failed') ?? ends.find(({ state }) => state === 'interrupted');
    if (this.#cancelled && ends.every(({ state }) => state !== 'interrupted'))
      this.#close('cancelled', errorInfo('CANCELLED'));
    else if (this.#stopped) this.#close('failed', this.#stopped);
    else if (bad) this.#close(bad.state, bad.error);
    else if (this.#failure) this.#close('failed', this.#failure);
    else {
      this.#recording.move('draining');
      this.#close('done', null);
    }
  }

  stop(as: 'cancelled' | 'interrupted'): void {
    if (isFinal(this.#recording.state)) return;
    if (as === 'interrupted') {
      this.#close('interrupted', errorInfo('INTERRUPTED'));
    } else if (!this.#cancelled) {
      this.#cancelled = true;
      this.#askToEnd();
      this.#timer = setTimeout(() => this.#close('cancelled', errorInfo('CANCELLED')), CANCEL_MS);
    }
  }

  #program(): ProgramResult {
    const system = systemOf(describeAgent());
    const [first, ...others] = this.#commands;
    if (!first || others.length === 0) {
      const { exitCode = null, signal = null, work } = first?.ended ?? {};
      return { exitCode, signal, ...(work ? { work } : {}), system };
    }
    const commands = this.#commands.map(({ result }) => result);
    const work = this.#work.result(this.#commands.map(({ ended }) => ended?.work));
    return { ...endOfAll(commands), commands, ...(work ? { work } : {}), system };
  }

  #close(state: RunState, error: ErrorInfo | null): void {
    clearTimeout(this.#timer);
    const { record } = this.#options;
    this.#recording.finish(state, error, () => {
      const program = this.#program();
      return {
        lab: record.lab,
        state,
        provider: this.#device?.providerClass ?? null,
        device: this.#device?.name ?? null,
        ...(this.#links.size > 0 ? { links: LINKS.filter((link) => this.#links.has(link)) } : {}),
        parameters: record.parameters,
        transports: {},
        checks: [...this.#checks],
        program,
        ...(program.work ? { answer: workText(program.work) } : {}),
        captureFile: this.#recording.captureFile,
        ...(error ? { error } : {}),
      };
    });
    this.#finish();
  }
}
