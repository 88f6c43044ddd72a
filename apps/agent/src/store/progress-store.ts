import { PROGRAM_LAB, type LabProgress, type RunRecord } from '@verbslab/protocol';
import type { Queries } from './queries.js';

/** What was done with each lab, in the database of the history. It outlives the runs. */
export class ProgressStore {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  /** Labs with progress, by name. */
  list(): LabProgress[] {
    const { db } = this.#queries;
    const labs = new Map<string, LabProgress>();
    const of = (lab: string): LabProgress => {
      const known = labs.get(lab) ?? { lab, runs: 0, lastRunAt: null, checks: [] };
      labs.set(lab, known);
      return known;
    };
    for (const row of this.#queries.all(db.selectFrom('lab_runs').selectAll()))
      Object.assign(of(row.lab), { runs: row.runs, lastRunAt: row.last_run_at });
    const answers = db.selectFrom('self_checks').selectAll().orderBy('lab').orderBy('check_id');
    for (const row of this.#queries.all(answers))
      of(row.lab).checks.push({ id: row.check_id, right: row.right === 1, answeredAt: row.answered_at });
    return [...labs.values()].sort((a, b) => (a.lab < b.lab ? -1 : 1));
  }

  /** Counts a run of a lab that is done. False for other runs, which are no progress. */
  ran({ lab, state, endedAt }: RunRecord): boolean {
    if (state !== 'done' || lab === PROGRAM_LAB) return false;
    const at = endedAt ?? Date.now();
    this.#queries.run(
      this.#queries.db
        .insertInto('lab_runs')
        .values({ lab, runs: 1, last_run_at: at })
        .onConflict((c) =>
          c.column('lab').doUpdateSet((e) => ({ runs: e('lab_runs.runs', '+', 1), last_run_at: at })),
        ),
    );
    return true;
  }

  /** A wrong answer does not undo a right one. */
  answered(lab: string, check: string, right: boolean): void {
    const values = { lab, check_id: check, right: right ? 1 : 0, answered_at: Date.now() };
    this.#queries.run(
      this.#queries.db
        .insertInto('self_checks')
        .values(values)
        .onConflict((c) =>
          c
            .columns(['lab', 'check_id'])
            .doUpdateSet({ right: values.right, answered_at: values.answered_at })
            .where('self_checks.right', '=', 0),
        ),
    );
  }

  reset(): void {
    const { db, raw } = this.#queries;
    this.#queries.explained(
      raw.transaction(() => {
        this.#queries.run(db.deleteFrom('lab_runs'));
        this.#queries.run(db.deleteFrom('self_checks'));
      }),
    );
  }
}
