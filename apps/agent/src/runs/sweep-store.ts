import {
  AppError,
  errorInfo,
  parseJson,
  sweepOrder,
  zMeasurement,
  zSweepRecord,
  type Measurement,
  type SweepPlan,
  type SweepRecord,
} from '@verbslab/protocol';
import { newId } from './new-id.js';
import type { Queries } from './queries.js';
import type { SweepRow } from './schema.js';

type Row = Omit<SweepRow, 'number'> & { number: number };

/** Sweeps and what they measured, in the database of the history. A measurement outlives its run. */
export class SweepStore {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  create(title: string, plan: SweepPlan): SweepRecord {
    const id = newId();
    this.#queries.run(
      this.#queries.db.insertInto('sweeps').values({
        id,
        title,
        state: 'queued',
        plan_json: JSON.stringify(plan),
        created_at: Date.now(),
      }),
    );
    return this.get(id);
  }

  /** Throws AppError UNKNOWN_SWEEP. */
  get(id: string): SweepRecord {
    const [row] = this.#queries.all(this.#queries.db.selectFrom('sweeps').selectAll().where('id', '=', id));
    if (!row) throw new AppError('UNKNOWN_SWEEP', { sweep: id });
    return this.#record(row);
  }

  /** Newest first. */
  list(limit: number): SweepRecord[] {
    const query = this.#queries.db.selectFrom('sweeps').selectAll().orderBy('number', 'desc').limit(limit);
    return this.#queries.all(query).map((row) => this.#record(row as Row));
  }

  save({ id, state, startedAt, endedAt, error }: SweepRecord): void {
    this.#queries.run(
      this.#queries.db
        .updateTable('sweeps')
        .set({
          state,
          started_at: startedAt,
          ended_at: endedAt,
          error_json: error && JSON.stringify(error),
        })
        .where('id', '=', id),
    );
  }

  add(sweep: number, measurement: Measurement): void {
    this.#queries.run(
      this.#queries.db
        .insertInto('measurements')
        .values({ sweep, position: measurement.position, json: JSON.stringify(measurement) }),
    );
  }

  measurements(sweep: number): Measurement[] {
    const query = this.#queries.db
      .selectFrom('measurements')
      .select('json')
      .where('sweep', '=', sweep)
      .orderBy('position');
    return this.#queries.all(query).map(({ json }) => zMeasurement.parse(parseJson(json)));
  }

  /** At start: what the last agent left running or queued was interrupted. A paused sweep stays paused. */
  interruptUnfinished(): SweepRecord[] {
    const rows = this.#queries.all(
      this.#queries.db.selectFrom('sweeps').selectAll().where('state', 'in', ['queued', 'running']),
    );
    return rows.map((row) => {
      const record: SweepRecord = {
        ...this.#record(row),
        state: 'interrupted',
        endedAt: Date.now(),
        error: errorInfo('INTERRUPTED'),
      };
      this.save(record);
      return record;
    });
  }

  #record(row: Row): SweepRecord {
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
      measured: this.measurements(row.number).length,
      total: sweepOrder(plan.points.length, plan.repeat).length,
      runId: null,
      secondsLeft: null,
      error: row.error_json === null ? null : parseJson(row.error_json),
    });
  }
}
