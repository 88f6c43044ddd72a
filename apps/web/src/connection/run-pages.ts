import type { ReplyOf, RunRow } from '@verbslab/protocol';
import type { Failure } from '../ui/states';
import { toFailure } from './failure';

/** The loaded part of the history. */
export interface RunHistory {
  runs: RunRow[] | null;
  moreRuns: boolean;
  olderRuns: number;
  unreadableRuns: number[];
  /** Lowest run number in the loaded pages; the next page starts below it. */
  oldestRun: number | null;
  /** Reason why the latest page did not load. */
  runsFailure: Failure | null;
}

/** The list with this run in its place: newest first, without duplicates. */
export function upsert(list: readonly RunRow[], run: RunRow): RunRow[] {
  const i = list.findIndex((r) => r.id === run.id);
  if (i >= 0) return list.map((r, k) => (k === i ? run : r));
  const at = list.findIndex((r) => r.number < run.number);
  return at < 0 ? [...list, run] : [...list.slice(0, at), run, ...list.slice(at)];
}

/**
 * The list after a run changed. Parts of a joined run are not listed. A run older than the loaded pages is not added:
 * it comes with its page, and would otherwise hide the runs in between.
 */
export function changed(
  { runs, moreRuns, oldestRun }: Pick<RunHistory, 'runs' | 'moreRuns' | 'oldestRun'>,
  run: RunRow,
): Pick<RunHistory, 'runs'> {
  if (!runs) return { runs };
  if (run.partOf) return { runs: runs.filter(({ id }) => id !== run.id) };
  const notLoaded = moreRuns && run.number < (oldestRun ?? 0) && !runs.some(({ id }) => id === run.id);
  return { runs: notLoaded ? runs : upsert(runs, run) };
}

/** The history after a run was deleted. */
export function without(
  { runs, olderRuns }: Pick<RunHistory, 'runs' | 'olderRuns'>,
  id: string,
): Pick<RunHistory, 'runs' | 'olderRuns'> {
  if (!runs || runs.some((run) => run.id === id))
    return { runs: runs && runs.filter((run) => run.id !== id), olderRuns };
  return { runs, olderRuns: Math.max(0, olderRuns - 1) };
}

/**
 * Loads the history page by page: each page once at a time, each run once, and no page of a list that was restarted in
 * the meantime.
 */
export class RunPages {
  readonly #ask: (before: number | undefined) => Promise<ReplyOf<'run.rows'>>;
  readonly #set: (change: (old: RunHistory) => RunHistory) => void;
  readonly #underWay = new Map<number | undefined, Promise<void>>();
  /** Number of times that the list was restarted. */
  #beginning = 0;

  constructor(
    ask: (before: number | undefined) => Promise<ReplyOf<'run.rows'>>,
    set: (change: (old: RunHistory) => RunHistory) => void,
  ) {
    this.#ask = ask;
    this.#set = set;
  }

  load(before?: number): Promise<void> {
    const known = this.#underWay.get(before);
    if (known) return known;
    const page = this.#load(before).finally(() => this.#underWay.delete(before));
    this.#underWay.set(before, page);
    return page;
  }

  async #load(before: number | undefined): Promise<void> {
    const beginning = before === undefined ? ++this.#beginning : this.#beginning;
    let reply: ReplyOf<'run.rows'>;
    try {
      reply = await this.#ask(before);
    } catch (error) {
      if (beginning === this.#beginning) this.#set((old) => ({ ...old, runsFailure: toFailure(error) }));
      return;
    }
    if (beginning !== this.#beginning) return;
    const unreadable = reply.unreadable?.map(({ number }) => number) ?? [];
    this.#set((old) => {
      const from = before === undefined ? [] : (old.runs ?? []);
      const runs = reply.runs.reduce((list, run) => upsert(list, run), from);
      const unreadableRuns = [
        ...new Set(before === undefined ? unreadable : [...old.unreadableRuns, ...unreadable]),
      ];
      const olderRuns = Math.max(0, (reply.total ?? runs.length) - runs.length - unreadableRuns.length);
      const numbers = [...reply.runs.map(({ number }) => number), ...unreadable];
      const oldestRun = numbers.length > 0 ? Math.min(...numbers) : (before ?? null);
      return { runs, moreRuns: reply.more, olderRuns, unreadableRuns, oldestRun, runsFailure: null };
    });
  }
}
