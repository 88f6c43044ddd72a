import { setImmediate } from 'node:timers/promises';
import {
  AppError,
  ProblemTally,
  stampFrame,
  zRunEvent,
  type EventBody,
  type ProgramWork,
  type RunEvent,
  type RunRecord,
  type RunState,
} from '@verbslab/protocol';
import { answers, type Subsystem } from '../base/subsystem.js';
import type { Home } from '../config/home.js';
import { storageError } from '../config/storage.js';
import { JointWork } from '../program/joint-work.js';
import { captureName, capturePath } from '../store/capture-files.js';
import { CaptureWriter } from '../store/capture.js';
import type { ChunkItem } from '../store/chunk.js';
import type { RunManager } from '../runs/manager.js';
import { programTitle } from '../runs/commands.js';
import type { RunStore } from '../store/store.js';
import { mergeParts, type Item } from './merge.js';
import { planJoin, type Part } from './plan.js';
import { joinedResult, leadOf } from './result.js';

const CHUNK_BYTES = 1024 * 1024;
/** Bytes copied per turn of the event loop: a live run must not wait for the join. */
const TURN_BYTES = 256 * 1024;

/** Joins runs of programs that have ended, one join at a time, and separates them again. */
export class Joins implements Subsystem {
  readonly messages = answers({
    'run.join': async ({ runIds }) => ({ run: await this.join(runIds) }),
    'run.separate': ({ runId }) => ({ runs: this.separate(runId) }),
  });
  readonly #manager: RunManager;
  readonly #store: RunStore;
  readonly #home: Home;
  #busy = false;

  constructor(manager: RunManager, store: RunStore, home: Home) {
    this.#manager = manager;
    this.#store = store;
    this.#home = home;
  }

  /** Joins runs and returns the joined one. Rejects with an AppError, and changes nothing then. */
  async join(ids: readonly string[]): Promise<RunRecord> {
    if (this.#busy) throw new AppError('JOIN_BUSY');
    const parts = planJoin(ids.map((id) => this.#manager.get(id)));
    this.#busy = true;
    try {
      const id = await this.#make(parts);
      for (const { record } of parts) this.#manager.annotated(record.id);
      this.#manager.annotated(id);
      return this.#manager.get(id);
    } finally {
      this.#busy = false;
    }
  }

  async #make(parts: readonly Part[]): Promise<string> {
    const joined = new JoinedRun(this.#store, this.#home, parts);
    try {
      let turn = 0;
      const readers = parts.map(({ record }) => this.#manager.read(record.id, 1).reader);
      for (const item of mergeParts(parts, readers)) {
        turn += joined.take(item);
        if (turn < TURN_BYTES) continue;
        turn = 0;
        await setImmediate();
      }
      await joined.sortCapture();
      // A part may have been deleted, or joined elsewhere, in the meantime.
      planJoin(parts.map(({ record }) => this.#manager.get(record.id)));
      return joined.commit();
    } catch (error) {
      await joined.discard();
      throw error;
    }
  }

  /** Separates a joined run and returns its parts, unchanged. Throws AppError NOT_JOINED, JOIN_PART, LIMIT. */
  separate(id: string): RunRecord[] {
    const { number, parts, partOf, imported, result } = this.#manager.get(id);
    if (partOf) throw new AppError('JOIN_PART', { number, whole: partOf.number });
    if (!parts) {
      const joined = (result?.program?.commands?.length ?? 1) > 1;
      let why = 'it was not joined';
      if (joined)
        why = imported
          ? `its parts are on the host “${imported.host}”`
          : 'its commands were recorded as one run';
      throw new AppError('NOT_JOINED', { number, why });
    }
    this.#store.joined.separate({ id, number }, parts);
    this.#manager.gone(id);
    for (const part of parts) this.#manager.annotated(part.id);
    return parts.map((part) => this.#manager.get(part.id));
  }
}

/** A joined run that is being written: nothing shows it before it is complete. */
class JoinedRun {
  readonly #store: RunStore;
  readonly #parts: readonly Part[];
  readonly #place: { id: string; number: number; captureFile: string };
  readonly #work = new JointWork();
  readonly #problems = new ProblemTally();
  readonly #capture: CaptureWriter;
  #items: ChunkItem[] = [];
  #bytes = 0;
  #seq = 0;
  #lastT = 0;
  #recordedBytes = 0;

  constructor(store: RunStore, home: Home, parts: readonly Part[]) {
    this.#store = store;
    this.#parts = parts;
    const first = parts[0]!.record;
    const commands = joinedResult(parts, undefined).program!.commands!;
    const title = programTitle(commands.map(({ command }) => command));
    this.#place = store.imports.begin({ ...first, title });
    this.#capture = new CaptureWriter(capturePath(home, this.#place.id), first.createdAt, ['uroce0']);
    for (const { record } of parts) if (record.droppedRecords > 0) this.#work.missed();
    for (const state of ['created', 'preparing', 'running'] as const) this.#state(state);
    this.#tellInexact();
  }

  #tellInexact(): void {
    const inexact = this.#parts.slice(1).filter(({ exact }) => !exact);
    for (const { record } of inexact)
      this.#own({
        kind: 'note',
        text: `The start of run ${record.number} is known by the time of day only. Its times are on this clock to within a few milliseconds.`,
      });
  }

  #state(state: RunState, rest: Pick<RunRecord, 'error'> = { error: null }): void {
    this.#own({ kind: 'run.state', state, ...(rest.error ? { error: rest.error } : {}) });
  }

  #own(event: EventBody): void {
    this.#event({ seq: 0, t: this.#lastT, ...event });
  }

  #event(event: RunEvent): number {
    event.seq = this.#seq + 1;
    return this.#push({ frame: false, bytes: Buffer.from(JSON.stringify(event)) }, event.t);
  }

  /** Takes an item. Returns its bytes. */
  take({ part, t, event, frame }: Item): number {
    if (event) {
      this.#count(part, event);
      return this.#event(event);
    }
    this.#work.frame(frame);
    stampFrame(frame, this.#place.number, this.#seq + 1);
    this.#capture.add(frame, 'uroce0');
    if (this.#capture.failure) throw storageError(this.#capture.failure, this.#place.captureFile);
    return this.#push({ frame: true, bytes: frame }, t);
  }

  /**
   * Counts an event. Another version may have written it in any form: only an event of this version's form counts. The
   * check takes as long as everything else together, so only events that may count are checked.
   */
  #count(part: number, event: RunEvent): void {
    const [work, problem] = [JointWork.takes(event.kind), ProblemTally.takes(event.kind)];
    if (!work && !problem) return;
    const known = zRunEvent.safeParse(event);
    if (!known.success) return;
    if (work) this.#work.event(part, known.data);
    if (problem) this.#problems.take(known.data);
  }

  #push(item: ChunkItem, t: number): number {
    this.#items.push(item);
    this.#bytes += item.bytes.length;
    this.#recordedBytes += item.bytes.length;
    this.#seq++;
    this.#lastT = Math.max(this.#lastT, t);
    if (this.#bytes >= CHUNK_BYTES) this.#flush();
    return item.bytes.length;
  }

  #flush(): void {
    const firstSeq = this.#seq - this.#items.length + 1;
    if (this.#items.length > 0) this.#store.imports.append(this.#place.number, firstSeq, this.#items);
    this.#items = [];
    this.#bytes = 0;
  }

  commit(): string {
    const records = this.#parts.map(({ record }) => record);
    const [first] = records as [RunRecord, ...RunRecord[]];
    const kept = this.#capture.summary;
    const lead = leadOf(this.#parts);
    const work = this.#work.result(this.#parts.map(workOf));
    const result = {
      ...joinedResult(this.#parts, work),
      problems: this.#problems.count,
      captureFile: kept ? captureName(this.#place.id) : null,
    };
    if (lead.state === 'done') this.#state('draining');
    this.#own({ kind: 'result', result });
    this.#state(lead.state, lead);
    this.#flush();
    const capture = kept && { ...kept, dropped: Math.max(0, packetsIn(records) - kept.packets) };
    const record: RunRecord = {
      ...first,
      title: programTitle(result.program!.commands!.map(({ command }) => command)),
      state: lead.state,
      startedAt: least(records.flatMap(({ startedAt }) => startedAt ?? [])),
      endedAt: Math.max(...records.map(({ endedAt, createdAt }) => endedAt ?? createdAt)),
      lastSeq: this.#seq,
      droppedRecords: records.reduce((n, one) => n + one.droppedRecords, 0),
      capture,
      result,
      error: lead.error,
      parts: records.map(({ id, number }) => ({ id, number })),
    };
    this.#store.joined.commit(this.#place, record, {
      lastT: this.#lastT,
      recordedBytes: this.#recordedBytes,
      captured: kept !== null,
    });
    return this.#place.id;
  }

  /** Sorts the packets of all parts by time. Rejects with an AppError if there is no room for that. */
  async sortCapture(): Promise<void> {
    try {
      for (const _ of this.#capture.finishing()) await setImmediate();
    } catch (error) {
      throw storageError(error, this.#place.captureFile);
    }
  }

  async discard(): Promise<void> {
    this.#capture.close();
    await this.#store.imports.discard(this.#place);
  }
}

/** Work of a part, on the clock of the joined run. */
function workOf({ record, ns }: Part): ProgramWork | undefined {
  const work = record.result?.program?.work;
  return work?.start === undefined ? work : { ...work, start: work.start + ns };
}

/** Packets that the taps of these runs saw. */
const packetsIn = (records: readonly RunRecord[]): number =>
  records.reduce((n, { capture }) => n + (capture ? capture.packets + capture.dropped : 0), 0);

const least = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.min(...values);
