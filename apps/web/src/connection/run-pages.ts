import type { ReplyOf, RunRecord } from '@verbslab/protocol';

/** What pages know of the history. */
export interface RunHistory {
  runs: RunRecord[] | null;
  moreRuns: boolean;
  olderRuns: number;
  unreadableRuns: number[];
}

/** A list with this run in its place: newest first, each once. */
export function upsert(list: readonly RunRecord[], run: RunRecord): RunRecord[] {
  const i = list.findIndex((r) => r.id === run.id);
  if (i >= 0) return list.map((r, k) => (k === i ? run : r));
  const at = list.findIndex((r) => r.number < run.number);
  return at < 0 ? [...list, run] : [...list.slice(0, at), run, ...list.slice(at)];
}

/** The list after a run changed: a part of a joined run is not in it. */
export const changed = (list: readonly RunRecord[], run: RunRecord): RunRecord[] =>
  run.partOf ? list.filter(({ id }) => id !== run.id) : upsert(list, run);

/** The history after a run was deleted. */
export function without(
  { runs, olderRuns }: Pick<RunHistory, 'runs' | 'olderRuns'>,
  id: string,
): Pick<RunHistory, 'runs' | 'olderRuns'> {
  if (!runs || runs.some((run) => run.id === id))
    return { runs: runs && runs.filter((run) => run.id !== id), olderRuns };
  return { runs, olderRuns: Math.max(0, olderRuns - 1) };
}

/** Gets the history page by page: each page once at a time, each run once, and no page of a list that has been started over. */
export class RunPages {
  readonly #ask: (before: number | undefined) => Promise<ReplyOf<'run.list'>>;
  readonly #set: (change: (old: RunHistory) => RunHistory) => void;
  readonly #underWay = new Map<number | undefined, Promise<void>>();
  /** Grows when the list starts over. */
  #beginning = 0;

  constructor(
    ask: (before: number | undefined) => Promise<ReplyOf<'run.list'>>,
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
    let reply: ReplyOf<'run.list'>;
    try {
      reply = await this.#ask(before);
    } catch {
      // The banner already says that the connection is down; the next welcome asks again.
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
      return { runs, moreRuns: reply.more, olderRuns, unreadableRuns };
    });
  }
}
