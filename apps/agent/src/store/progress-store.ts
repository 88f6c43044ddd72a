import { PROGRAM_LAB, SIMULATION_LAB, type LabProgress, type RunRecord } from '@verbslab/protocol';
import type { Queries } from './queries.js';
import type { LabRunsRow, SelfCheckRow } from './schema.js';

/** Progress with each lab, in the database of the history. It outlives the runs. */
export class ProgressStore {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  /** Labs with progress, by name. */
  list(): LabProgress[] {
    const labs = new Map<string, LabProgress>();
    const of = (lab: string): LabProgress => {
      const known = labs.get(lab) ?? { lab, runs: 0, lastRunAt: null, checks: [] };
      labs.set(lab, known);
      return known;
    };
    for (const row of this.#queries.all<LabRunsRow>('select * from lab_runs'))
      Object.assign(of(row.lab), { runs: row.runs, lastRunAt: row.last_run_at });
    for (const row of this.#queries.all<SelfCheckRow>('select * from self_checks order by lab, check_id'))
      of(row.lab).checks.push({ id: row.check_id, right: row.right === 1, answeredAt: row.answered_at });
    return [...labs.values()].sort((a, b) => (a.lab < b.lab ? -1 : 1));
  }

  /** Counts a lab run that is done. Returns false for other runs, which do not count. */
  ran({ lab, state, endedAt }: RunRecord): boolean {
    if (state !== 'done' || lab === PROGRAM_LAB || lab === SIMULATION_LAB) return false;
    this.#queries.run(
      `insert into lab_runs (lab, runs, last_run_at) values (?, 1, ?)
       on conflict (lab) do update set runs = runs + 1, last_run_at = excluded.last_run_at`,
      lab,
      endedAt ?? Date.now(),
    );
    return true;
  }

  /** Records an answer. A wrong answer does not undo a right one. */
  answered(lab: string, check: string, right: boolean): void {
    this.#queries.run(
      `insert into self_checks (lab, check_id, "right", answered_at) values (?, ?, ?, ?)
       on conflict (lab, check_id) do update set "right" = excluded."right", answered_at = excluded.answered_at
       where self_checks."right" = 0`,
      lab,
      check,
      right ? 1 : 0,
      Date.now(),
    );
  }

  reset(): void {
    this.#queries.atomically(() => {
      this.#queries.run('delete from lab_runs');
      this.#queries.run('delete from self_checks');
    });
  }
}
