import {
  addDropped,
  AppError,
  callFailed,
  decodeHeader,
  placeText,
  stampFrame,
  type AgentMessageOf,
  type PlannedFaults,
  type ProgramEvent,
  type RunRecord,
} from '@verbslab/protocol';
import { AgentClient, type AgentAddress } from '../client/client.js';
import { addressOf } from '../client/find.js';
import { findRun } from '../client/find-run.js';
import { orTooOld } from '../client/too-old.js';
import { homeAt, homePath } from '../config/home.js';
import { findRunning } from '../config/instance.js';
import { placeByLines, readCallLines } from './call-lines.js';
import { CommandFaults } from './command-faults.js';
import { FeedServer } from './feed-server.js';
import { OutputLog } from './output-log.js';
import type { UnplacedFinding } from './feed-outlet.js';
import { locate, type RawPlace } from './source-lines.js';
import { StandstillWatch } from './standstill-watch.js';
import { WorkTally } from './work-tally.js';

/**
 * Longest search for an agent, ms. A running agent answers at once; a program must not wait long for one that hangs.
 */
const FIND_MS = 1_000;
/** Most events in one message. */
const BATCH = 200;
const BATCH_BYTES = 128 * 1024;
const BATCH_MS = 50;
/** Bytes waiting for a slow agent above which frames are left out (completions and packets are samples anyway). */
const MAX_WAITING = 16 * 1024 * 1024;
const END_MS = 3_000;

export interface RegistrationEvents {
  /** Called when the run was cancelled. */
  onStop(): void;
  /** Called when the agent is gone or takes no more. Called once, not after `end`. */
  onLost(reason: string): void;
  /** Called when the program is stuck, once for each reason in a row, with a line that says why. */
  onStuck(line: string): void;
}

export interface RegisteredProgram {
  command: readonly string[];
  /** Options of `exec`, as words. */
  options: readonly string[];
  /** Folder for the program’s socket. */
  folder: string;
  /** The output streams that are not recorded. */
  terminal: ('stdout' | 'stderr')[];
  /** Run that the program becomes part of, by its number or ID. */
  with?: string;
  /** Faults that the program begins with, or that come later. */
  faults?(client: AgentClient, address: AgentAddress): Promise<readonly PlannedFaults[]>;
  /** Time without progress after which the program is stuck, ns; null: it is never said. */
  stuckAfter: number | null;
  /** File in which a program in TypeScript records the lines of its calls. */
  lines?: string;
}

interface Place {
  run: RunRecord;
  /** CLOCK_MONOTONIC at which the run’s clock reads 0. */
  clock: bigint;
  /** Number of frame sources in use in that run. */
  sources: number;
  /** Number of processes that the run had before. */
  processes?: number;
}

/** Makes a run of the program, or adds its command to another run. Throws AppError. */
async function placeOf(client: AgentClient, program: RegisteredProgram): Promise<Place> {
  const { options, terminal } = program;
  const asked = {
    command: program.command.slice(0, 256).map((word) => word.slice(0, 4096)),
    ...(options.length > 0 ? { options: options.slice(0, 128).map((word) => word.slice(0, 4096)) } : {}),
    ...(terminal.length > 0 ? { terminal } : {}),
    takesFaults: true,
  };
  if (program.with === undefined) {
    const clock = process.hrtime.bigint();
    const { run } = await client.request('program.start', { ...asked, clock: clock.toString() });
    return { run, clock, sources: 0 };
  }
  const { id } = await findRun(client, program.with);
  const joined = await orTooOld(client.request('program.join', { ...asked, runId: id }));
  const { run, clock, sources, processes } = joined;
  return { run, clock: BigInt(clock), sources, processes: processes ?? 0 };
}

/** Id of the finding in the misuse report (native/uroce/report/finding.cc). */
const SYSTEM_LIBRARY = 'system-library-loaded';

/**
 * A program as a run of the agent’s, or as part of one: connects, makes the run, and forwards the reports of the
 * program’s processes.
 */
export class Registration {
  readonly #client: AgentClient;
  readonly runId: string;
  /** Address of the run’s page, for a browser that is signed in. */
  readonly page: string;
  /** Records the program's output. */
  readonly output: OutputLog;
  /** Number of the run. */
  readonly number: number;
  readonly #feed: FeedServer;
  readonly #work: WorkTally;
  readonly #stills: StandstillWatch;
  readonly #lines: string | undefined;
  readonly #clock: bigint;
  #batch: ProgramEvent[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #open = true;
  /** Findings wait for the end: source lines are looked up once per file, and without delaying the program. */
  readonly #findings: { finding: UnplacedFinding; place: RawPlace | null }[] = [];
  /** Number of records in frames that were left out, by source and kind: the next frame reports it. */
  readonly #lost = new Map<string, number>();

  /** How the command stood at its end, if it was stuck. */
  stuck: string | null = null;

  private constructor(
    client: AgentClient,
    run: { id: string; number: number },
    page: string,
    feed: FeedServer,
    work: WorkTally,
    stills: StandstillWatch,
    clock: bigint,
    lines: string | undefined,
  ) {
    this.#client = client;
    this.#lines = lines;
    this.#clock = clock;
    this.runId = run.id;
    this.page = `${page}/runs/view?id=${run.id}`;
    this.number = run.number;
    this.#stills = stills;
    this.#feed = feed;
    this.#work = work;
    this.output = new OutputLog(
      (event) => this.event(event),
      () => Number(process.hrtime.bigint() - clock),
    );
  }

  /**
   * Registers a program. Null if no agent runs and no run is to be joined. Throws AppError if a running agent refuses.
   */
  static async begin(program: RegisteredProgram, events: RegistrationEvents): Promise<Registration | null> {
    const home = homeAt(homePath());
    const state = await findRunning(home, FIND_MS);
    if (!state && program.with !== undefined) throw new AppError('JOIN_NO_AGENT');
    if (!state && program.faults) throw new AppError('FAULTS_NO_AGENT');
    if (!state) return null;
    let registration: Registration | undefined;
    const lost = (reason: string): void => {
      if (registration !== undefined && registration.#stop()) events.onLost(reason);
    };
    const address = addressOf(state, home);
    const { client } = await AgentClient.connect(address, {
      onMessage: (message) => {
        if (message.type === 'program.stop' && message.runId === registration?.runId) events.onStop();
        if (message.type === 'program.faults' && message.runId === registration?.runId)
          void registration.faults(message);
        if (message.type === 'error') lost(message.message);
      },
      onClose: () => lost('the connection closed'),
    });
    try {
      const plan = (await program.faults?.(client, address)) ?? [];
      const { run, clock, ...place } = await placeOf(client, program);
      let { sources } = place;
      const work = new WorkTally();
      const faults = new CommandFaults(plan, place.processes);
      const stills = new StandstillWatch({
        tell: (event) => registration?.event(event),
        now: () => Number(process.hrtime.bigint() - clock),
        after: program.stuckAfter,
        say: (line) => events.onStuck(line),
      });
      const feed = await FeedServer.open(
        program.folder,
        clock,
        {
          event: (event) => registration?.event(event),
          frame: (frame) => registration?.frame(frame),
          finding: (finding, place) => registration?.finding({ finding, place }),
          standstill: stills.take,
          newSource: () => ++sources,
          work,
        },
        faults,
      );
      registration = new Registration(client, run, state.page, feed, work, stills, clock, program.lines);
      return registration;
    } catch (error) {
      await client.close();
      if (error instanceof AppError) throw error;
      throw callFailed('SYSTEM', 'listen', (error as NodeJS.ErrnoException).code ?? (error as Error).message);
    }
  }

  /** Variables for the program’s environment. */
  get environment(): Record<string, string> {
    return this.#feed.environment;
  }

  /**
   * Ends the program's part of the run. Returns the run; null if the agent is gone. Never rejects, takes bounded time.
   * `systemLibrary`: a library that a process loaded by name, bypassing the device.
   */
  async end(
    code: number | null,
    signal: string | null,
    systemLibrary: string | null = null,
  ): Promise<RunRecord | null> {
    await this.#feed.close();
    this.stuck = await this.#stills.end();
    if (systemLibrary !== null) this.#bypassed(systemLibrary);
    this.output.end();
    await this.#tellFindings();
    const work = this.#work.result;
    if (!this.#stop()) return null;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), END_MS)));
    const told = this.#client.request('program.end', { runId: this.runId, code, signal, work }).then(
      ({ run }) => run,
      () => null,
    );
    const record = await Promise.race([told, patience]);
    clearTimeout(timer);
    await this.#client.close();
    return record;
  }

  /**
   * Adds the finding of a loaded system library. A process that opened the device has reported it itself. Most of the
   * processes that load a library by name open none.
   */
  #bypassed(library: string): void {
    if (this.#findings.some(({ finding }) => finding.id === SYSTEM_LIBRARY)) return;
    this.#findings.push({
      finding: {
        kind: 'finding',
        id: SYSTEM_LIBRARY,
        call: 'dlopen',
        object: 'library',
        count: 1,
        detail: `dlopen loaded the system’s ${library}, which does not know the device: its functions cannot use it`,
        cure: 'Link the program with -libverbs and -lrdmacm, or look the functions up with dlsym(RTLD_DEFAULT).',
        t: Number(process.hrtime.bigint() - this.#clock),
      },
      place: null,
    });
  }

  async #tellFindings(): Promise<void> {
    const lines = this.#lines === undefined ? null : readCallLines(this.#lines);
    const known = this.#findings.map(({ finding, place }) => ({
      raw: place,
      placed: lines ? placeByLines(lines, finding) : [{ finding, place: null }],
    }));
    const unplaced = known.flatMap(({ raw, placed }) => (raw && placed[0]!.place === null ? [raw] : []));
    const places = await locate(unplaced);
    for (const { raw, placed } of known)
      for (const { finding, place: own } of placed) {
        const place = own ?? (raw === null ? null : places.shift()!);
        this.event({ ...finding, where: place && placeText(place), place });
      }
  }

  /** Sends the waiting events and stops. Returns false if it had stopped already. */
  #stop(): boolean {
    if (!this.#open) return false;
    this.#flush();
    this.#open = false;
    return true;
  }

  private async faults(asked: AgentMessageOf<'program.faults'>): Promise<void> {
    const { ask, endpoint, faults, earlier } = asked;
    const { runId } = this;
    const told = await this.#feed.faults.set(endpoint, faults, earlier);
    // Events go before the answer to the request that caused them.
    this.#flush();
    if (this.#open) this.#client.send({ type: 'program.faulted', runId, ask, ...told });
  }

  private finding(finding: { finding: UnplacedFinding; place: RawPlace | null }): void {
    this.#findings.push(finding);
  }

  private event(event: ProgramEvent): void {
    if (!this.#open) return;
    this.#stills.event(event);
    this.#batch.push(event);
    this.#bytes += Buffer.byteLength(JSON.stringify(event));
    if (this.#batch.length >= BATCH || this.#bytes >= BATCH_BYTES) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), BATCH_MS);
  }

  private frame(frame: Uint8Array): void {
    if (!this.#open) return;
    const { kind, source, count, dropped } = decodeHeader(frame);
    const key = `${source} ${kind}`;
    const lost = this.#lost.get(key) ?? 0;
    if (kind !== 'series' && this.#client.waiting > MAX_WAITING) {
      this.#lost.set(key, lost + count + dropped);
      return;
    }
    // The event that announces the source goes first.
    this.#flush();
    if (lost > 0) {
      addDropped(frame, lost);
      this.#lost.delete(key);
    }
    stampFrame(frame, this.number, 0);
    this.#client.send(frame);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#open || this.#batch.length === 0) return;
    this.#client.send({ type: 'program.events', runId: this.runId, events: this.#batch });
    this.#batch = [];
    this.#bytes = 0;
  }
}
