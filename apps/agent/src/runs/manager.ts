import { EventEmitter } from 'node:events';
import {
  AppError,
  type Faults,
  isFinal,
  PROGRAM_LAB,
  type AgentMessage,
  type ClientMessageOf,
  type LabDescription,
  type RunOfSweep,
  type RunRecord,
  type WorkbenchLanguage,
} from '@verbslab/protocol';
import { hear, type Subsystem } from '../base/subsystem.js';
import { runAnswers } from './answers.js';
import type { RunnableLab } from './lab.js';
import type { ActiveRun } from './active-run.js';
import { readRunRequest } from './read-run-request.js';
import { capturePath } from '../store/capture-files.js';
import { checkPlan } from '../faults/fault-schedule.js';
import type { CommandOptions, ProgramCommand } from './program-command.js';
import type { ManagerEvents, ManagerOptions, ToolOfRun } from './manager-options.js';
import { newProgram, type HeldProgram } from './new-program.js';
import { ProgramRun } from './program-run.js';
import { askedOnce, placeNames, placeRun } from './place.js';
import { Run, runName } from './run.js';
import type { RunList, RunQuery } from '../store/store.js';
import { StreamReader } from '../store/stream-reader.js';
import type { RunStream } from '../store/stream.js';

/** Runs that may wait in step mode at the same time: each holds processes and queue pairs. */
const MAX_WAITING = 8;
/** Programs registered at the same time. */
const MAX_PROGRAMS = 64;

type AskedRun = Omit<ClientMessageOf<'run.start'>, 'type' | 'id'>;

/** Starts runs, keeps those in progress, and answers requests about those that have ended. */
export class RunManager extends EventEmitter<ManagerEvents> implements Subsystem {
  readonly messages = runAnswers(this);
  readonly #options: ManagerOptions;
  /** Returns the error for a run that does not belong to the sweep in progress, or null. */
  reserved: () => AppError | null = () => null;
  readonly #runs = new Map<string, { run: ActiveRun; finished: Promise<void> }>();

  constructor(options: ManagerOptions) {
    super();
    this.#options = options;
    this.setMaxListeners(0);
  }

  changes(send: (message: AgentMessage) => void): () => void {
    return hear<ManagerEvents>(this, {
      changed: (run) => send({ type: 'run.changed', run }),
      removed: (runId) => send({ type: 'run.removed', runId }),
    });
  }

  get labs(): LabDescription[] {
    return this.#options.labs.map((lab) => lab.description);
  }

  /** Name of this machine. */
  get host(): string {
    return this.#options.host;
  }

  /** Runs that have not ended. */
  get active(): RunRecord[] {
    return [...this.#runs.values()].map(({ run }) => this.#marked(run.record));
  }

  /** Runs that have not ended, as objects rather than records. */
  get running(): ActiveRun[] {
    return [...this.#runs.values()].map(({ run }) => run);
  }

  /** Adds the tags and the number of notes from the notebook. */
  #marked(record: RunRecord): RunRecord {
    return { ...record, ...this.#options.store.notebook.marks(record.number) };
  }

  /** True while a run does more than wait for its next step. */
  get measuring(): boolean {
    return this.busy() !== null;
  }

  /**
   * Returns RUN_BUSY while a run does more than wait for its next step, or a sweep runs to which the request does not
   * belong (`ofSweep`); else null.
   */
  busy(except?: string, ofSweep = false): AppError | null {
    const busy = [...this.#runs.values()].find(({ run }) => run.id !== except && !run.idle);
    if (!busy) return ofSweep ? null : this.reserved();
    const { host } = this.#options;
    const hint = `Wait for it, or cancel it in the dashboard of “${host}”.`;
    return new AppError('RUN_BUSY', { what: runName(busy.run.record), host, hint });
  }

  get endpointCount(): number {
    return [...this.#runs.values()].reduce((sum, { run }) => sum + run.endpointCount, 0);
  }

  titleOf(lab: string): string {
    return this.lab(lab).description.title;
  }

  /** Checks that each of these runs could start, with its parameters and in its places. Throws AppError. */
  async check(
    messages: readonly Pick<AskedRun, 'lab' | 'params' | 'variation' | 'device' | 'endpoints'>[],
  ): Promise<void> {
    const hosts = askedOnce(this.#options.hosts);
    for (const message of messages) {
      const lab = this.lab(message.lab);
      await placeRun(lab, readRunRequest(lab, message).params, message, hosts);
    }
  }

  async start(message: AskedRun, sweep?: RunOfSweep): Promise<RunRecord> {
    const lab = this.lab(message.lab);
    const { params, predictions } = readRunRequest(lab, message);
    const { faults } = message;
    this.#refuseWhenBusy(undefined, sweep !== undefined);
    const { parameters, places, device } = await placeRun(lab, params, message, this.#options.hosts);
    if (faults) checkPlan(faults, [...places.keys()]);
    this.#refuseWhenBusy(undefined, sweep !== undefined);
    const { store, home, logger, runLimit } = this.#options;
    const record = store.create({
      lab: lab.description.id,
      title: lab.description.title,
      mode: message.mode,
      device: placeNames(places, device),
      parameters,
      ...(sweep ? { sweep } : {}),
    });
    const run = new Run({
      record,
      lab,
      params,
      predictions,
      ...(faults ? { faults } : {}),
      places,
      device,
      store,
      captureFile: capturePath(home, record.id),
      logger,
      ...(runLimit === undefined ? {} : { runLimit }),
      onChange: (changed) => this.emit('changed', this.#marked(changed.record)),
    });
    const finished = run.execute().then(
      () => this.#ended(run.id),
      (error: unknown) => {
        this.#ended(run.id);
        logger.error({ run: run.id, err: error }, 'run ended without a state');
      },
    );
    this.#runs.set(run.id, { run, finished });
    return run.record;
  }

  /**
   * Makes a run for a program that a client runs and reports on, since `clock` (CLOCK_MONOTONIC, ns). Throws AppError
   * LIMIT.
   */
  register(options: CommandOptions, clock: string): ProgramCommand {
    const programs = this.active.filter(({ lab }) => lab === PROGRAM_LAB).length;
    if (programs >= MAX_PROGRAMS) {
      throw new AppError('LIMIT', {
        what: 'Too many programs',
        value: programs + 1,
        limit: MAX_PROGRAMS,
      });
    }
    return this.#newProgram(options, BigInt(clock)).begin(options);
  }

  /**
   * Opens a run of programs that the agent starts itself: `verbslab exec` feeds it. Throws AppError RUN_BUSY, LIMIT.
   */
  open(command: readonly string[], tool: ToolOfRun): ProgramRun {
    return this.#openHeld(command, { tool: { ...tool } });
  }

  /** Opens a run of a workbench program. `workbenchOf` reads its parameters. */
  openWorkbench(
    command: readonly string[],
    workbench: { task: string; language: WorkbenchLanguage },
    title: string,
  ): ProgramRun {
    return this.#openHeld(command, { workbench: { ...workbench } }, title);
  }

  #openHeld(command: readonly string[], held: HeldProgram, title?: string): ProgramRun {
    this.#refuseWhenBusy();
    const run = this.#newProgram(
      { command, options: [], terminal: [] },
      process.hrtime.bigint(),
      held,
      title,
    );
    run.open();
    return run;
  }

  #newProgram(
    command: Pick<CommandOptions, 'command' | 'options' | 'terminal'>,
    begun: bigint,
    held?: HeldProgram,
    title?: string,
  ): ProgramRun {
    return this.fed((options, onChange) =>
      newProgram(options, command, begun, {
        ...(held ? { held } : {}),
        ...(title === undefined ? {} : { title }),
        onChange,
      }),
    );
  }

  /** Makes a run that only records what a client reports of it. */
  fed<R extends ActiveRun & { finished: Promise<void> }>(
    make: (options: ManagerOptions, onChange: (run: ActiveRun) => void) => R,
  ): R {
    const run = make(this.#options, (changed) => this.emit('changed', this.#marked(changed.record)));
    this.#runs.set(run.id, { run, finished: run.finished.then(() => this.#ended(run.id)) });
    return run;
  }

  /** Adds a program to the run of another one. Throws AppError (UNKNOWN_RUN, JOIN_NO_PROGRAM, JOIN_ENDED, …). */
  registerWith(options: CommandOptions, id: string): ProgramCommand {
    const active = this.#runs.get(id)?.run;
    if (active instanceof ProgramRun) return active.join(options);
    const { number, lab } = this.get(id);
    throw new AppError(lab === PROGRAM_LAB ? 'JOIN_ENDED' : 'JOIN_NO_PROGRAM', { number });
  }

  /**
   * Refuses a run while another one measures: the figures of both would suffer. A run that waits for its next step
   * disturbs no other.
   */
  #refuseWhenBusy(except?: string, ofSweep = false): void {
    const busy = this.busy(except, ofSweep) ?? this.#options.elsewhere?.() ?? null;
    if (busy) throw busy;
    const others = [...this.#runs.values()].filter(({ run }) => run.id !== except && run instanceof Run);
    if (others.length >= MAX_WAITING) {
      throw new AppError('LIMIT', {
        what: 'Too many paused runs',
        value: others.length + 1,
        limit: MAX_WAITING,
      });
    }
  }

  step(id: string, go: 'next' | 'all'): RunRecord {
    const { run } = this.#active(id, 'waiting for a step');
    if (!(run instanceof Run) || !run.idle)
      throw new AppError('RUN_STATE', { state: run.record.state, needed: 'waiting for a step' });
    this.#refuseWhenBusy(id);
    run.step(go);
    return this.#marked(run.record);
  }

  /** Sets the faults that the devices of a run inject from now on. Resolves with the names of their endpoints. */
  async faults(id: string, endpoint: string | undefined, faults: Faults): Promise<string[]> {
    const { run } = this.#active(id, 'in progress');
    return run.setFaults(endpoint, faults);
  }

  /** Cancels a run. Resolves when the run has ended and nothing of it is left. Cancelling twice is fine. */
  async cancel(id: string): Promise<RunRecord> {
    const active = this.#runs.get(id);
    if (active) {
      active.run.stop('cancelled');
      await active.finished;
      return this.#marked(active.run.record);
    }
    const record = this.get(id);
    if (record.state === 'cancelled') return record;
    throw new AppError('RUN_STATE', { state: record.state, needed: 'in progress' });
  }

  /** Resolves with the record of a run when the run has ended. */
  async ended(id: string): Promise<RunRecord> {
    const active = this.#runs.get(id);
    if (!active) return this.get(id);
    await active.finished;
    return active.run.record;
  }

  get(id: string): RunRecord {
    const record = this.#runs.get(id)?.run.record ?? this.#options.store.get(id);
    if (!record) throw new AppError('UNKNOWN_RUN', { run: id });
    return this.#marked(record);
  }

  /** Reports that the notebook of a run has changed, or that the run is new here. */
  annotated(id: string): void {
    this.emit('changed', this.get(id));
  }

  list(query: RunQuery): RunList {
    const list = this.#options.store.list(query);
    return {
      ...list,
      runs: list.runs.map((record) => this.#marked(this.#runs.get(record.id)?.run.record ?? record)),
    };
  }

  /** Finds a lab. Throws AppError UNKNOWN_LAB. */
  lab(id: string): RunnableLab {
    const lab = this.#options.labs.find((one) => one.description.id === id);
    if (lab) return lab;
    throw new AppError('UNKNOWN_LAB', { lab: id, known: this.labs.map((one) => one.id).join(', ') });
  }

  /** Reads a run. Null for one that cannot be read, which therefore is not in progress. */
  #readable(id: string): RunRecord | null {
    try {
      return this.get(id);
    } catch (error) {
      if (error instanceof AppError && error.code === 'RUN_UNREADABLE') return null;
      throw error;
    }
  }

  delete(id: string): void {
    const record = this.#readable(id);
    if (record && !isFinal(record.state))
      throw new AppError('RUN_STATE', { state: record.state, needed: 'finished' });
    if (record?.partOf)
      throw new AppError('JOIN_PART', { number: record.number, whole: record.partOf.number });
    this.#options.store.retention.delete(id);
    this.gone(id);
  }

  /** Reports that a run is no longer in the history. */
  gone(id: string): void {
    this.emit('removed', id);
  }

  #ended(id: string): void {
    const record = this.#runs.get(id)?.run.record;
    this.#runs.delete(id);
    if (record) this.emit('ended', record);
    this.tidy();
  }

  /** Deletes the oldest runs beyond the retention limits; never a run in progress, nor the latest. */
  tidy(): void {
    const { store, keep, logger } = this.#options;
    if (!keep) return;
    try {
      for (const id of store.retention.surplus(keep)) {
        if (this.#runs.has(id)) continue;
        store.retention.delete(id);
        logger.info({ run: id }, 'deleted an old run: the history has reached its limit');
        this.emit('removed', id);
      }
    } catch (error) {
      logger.error({ err: error }, 'old runs cannot be deleted');
    }
  }

  captureFile(id: string): string {
    this.get(id);
    const file = this.#options.store.captureFile(id);
    if (!file) throw new AppError('NO_CAPTURE');
    return file;
  }

  /** Reads the stream of a run, live or ended, from a sequence number on. */
  read(id: string, fromSeq: number): { record: RunRecord; reader: StreamReader; live: RunStream | null } {
    const record = this.get(id);
    const live = this.#runs.get(id)?.run.stream ?? null;
    return { record, live, reader: new StreamReader(this.#options.store, record.number, live, fromSeq) };
  }

  /** Reports that a page follows the run. */
  watched(id: string): void {
    this.#runs.get(id)?.run.watched?.();
  }

  #active(id: string, needed: string): { run: ActiveRun } {
    const active = this.#runs.get(id);
    if (!active) throw new AppError('RUN_STATE', { state: this.get(id).state, needed });
    return active;
  }

  /** Interrupts the runs in progress and waits until they are written down. */
  async close(): Promise<void> {
    const runs = [...this.#runs.values()];
    for (const { run } of runs) run.stop('interrupted');
    await Promise.all(runs.map(({ finished }) => finished));
  }
}
