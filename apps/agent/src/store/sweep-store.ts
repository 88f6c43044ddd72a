import {
  AppError,
  errorInfo,
  issueText,
  parseJson,
  sweepOrder,
  zMeasurement,
  zSweepRecord,
  type Measurement,
  type SweepPlan,
  type SweepRecord,
} from '@verbslab/protocol';
import { z } from 'zod';
import { newId } from './new-id.js';
import type { Queries } from './queries.js';
import type { MeasurementRow, SweepRow } from './schema.js';

export interface SweepList {
  sweeps: SweepRecord[];
  unreadable: { id: string; number: number; reason: string }[];
}

/** Sweeps and what they measured, in the database of the history. A measurement outlives its run. */
export class SweepStore {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  create(title: string, plan: SweepPlan): SweepRecord {
    const id = newId();
    this.#queries.insert('sweeps', {
      id,
      title,
      state: 'queued',
      plan_json: JSON.stringify(plan),
      created_at: Date.now(),
    });
    return this.get(id);
  }

  /** Returns a sweep. Throws AppError UNKNOWN_SWEEP or SWEEP_UNREADABLE. */
  get(id: string): SweepRecord {
    const row = this.#queries.get<SweepRow>('select * from sweeps where id = ?', id);
    if (!row) throw new AppError('UNKNOWN_SWEEP', { sweep: id });
    const read = this.#read(row);
    if ('reason' in read)
      throw new AppError('SWEEP_UNREADABLE', { number: read.number, reason: read.reason });
    return read;
  }

  /** Newest first. */
  list(limit: number): SweepList {
    const rows = this.#queries.all<SweepRow>('select * from sweeps order by number desc limit ?', limit);
    const list: SweepList = { sweeps: [], unreadable: [] };
    for (const row of rows) {
      const record = this.#read(row);
      if ('reason' in record) list.unreadable.push(record);
      else list.sweeps.push(record);
    }
    return list;
  }

  save({ id, state, startedAt, endedAt, error }: SweepRecord): void {
    this.#queries.update('sweeps', 'id', id, {
      state,
      started_at: startedAt,
      ended_at: endedAt,
      error_json: error && JSON.stringify(error),
    });
  }

  add(sweep: number, measurement: Measurement): void {
    const { position } = measurement;
    this.#queries.insert('measurements', { sweep, position, json: JSON.stringify(measurement) });
  }

  measurements(sweep: number): Measurement[] {
    const query = 'select json from measurements where sweep = ? order by position';
    const rows = this.#queries.all<Pick<MeasurementRow, 'json'>>(query, sweep);
    return rows.map(({ json }) => zMeasurement.parse(parseJson(json)));
  }

  /**
   * Marks sweeps that the last agent left running or queued as interrupted, at the start of the agent. A paused sweep
   * stays paused.
   */
  interruptUnfinished(): SweepRecord[] {
    const rows = this.#queries.all<SweepRow>("select * from sweeps where state in ('queued', 'running')");
    return rows.flatMap((row) => {
      const read = this.#read(row);
      // Lists report it.
      if ('reason' in read) return [];
      const record: SweepRecord = {
        ...read,
        state: 'interrupted',
        endedAt: Date.now(),
        error: errorInfo('INTERRUPTED'),
      };
      this.save(record);
      return record;
    });
  }

  #read(row: SweepRow): SweepRecord | SweepList['unreadable'][number] {
    try {
      return this.#record(row);
    } catch (error) {
      const reason = error instanceof z.ZodError ? issueText(error) : (error as Error).message;
      return { id: row.id, number: row.number, reason };
    }
  }

  #measured(sweep: number): number {
    const query = 'select count(*) as count from measurements where sweep = ?';
    return this.#queries.get<{ count: number }>(query, sweep)!.count;
  }

  #record(row: SweepRow): SweepRecord {
    const plan = parseJson(row.plan_json) as SweepPlan;
    return zSweepRecord.parse({
      id: row.id,
      number: row.number,
      title: row.title,
      state: row.state,
      plan,
      createdAt: row.created_at,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      measured: this.#measured(row.number),
      total: sweepOrder(plan.points.length, plan.repeat).length,
      runId: null,
      secondsLeft: null,
      error: row.error_json === null ? null : parseJson(row.error_json),
    });
  }
}
