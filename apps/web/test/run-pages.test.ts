import type { ReplyOf, RunRecord } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { AgentError } from '../src/connection/client';
import { changed, RunPages, without, type RunHistory } from '../src/connection/run-pages';
import { record } from './stream';

const run = (number: number) => ({ ...record(), id: String(number).padStart(10, 'r'), number });

/** Pages whose answers come from the test. */
function opened() {
  let state: RunHistory = {
    runs: null,
    moreRuns: false,
    olderRuns: 0,
    unreadableRuns: [],
    oldestRun: null,
    runsFailure: null,
  };
  const asked: {
    before: number | undefined;
    answer: (reply: Partial<ReplyOf<'run.rows'>>) => void;
    fail: (error: Error) => void;
  }[] = [];
  const pages = new RunPages(
    (before) =>
      new Promise((resolve, reject) =>
        asked.push({
          before,
          fail: reject,
          answer: (reply) => resolve({ type: 'rows', re: 1, runs: [], more: false, ...reply }),
        }),
      ),
    (change) => (state = change(state)),
  );
  const hear = (one: RunRecord): void => void (state = { ...state, ...changed(state, one) });
  return { pages, asked, hear, numbers: () => state.runs?.map(({ number }) => number), state: () => state };
}

describe('the pages of the history', () => {
  it('are asked for once, however often a page is wanted, and each run is kept once', async () => {
    const { pages, asked, numbers, state } = opened();
    const first = pages.load();
    asked[0]!.answer({ runs: [run(9), run(8)], more: true, total: 5 });
    await first;
    expect(state()).toMatchObject({ moreRuns: true, olderRuns: 3 });
    const both = [pages.load(8), pages.load(8)];
    expect(asked).toHaveLength(2);
    asked[1]!.answer({
      runs: [run(8), run(7)],
      more: true,
      total: 5,
      unreadable: [{ id: 'x', number: 6, reason: 'r' }],
    });
    await Promise.all(both);
    expect(numbers()).toEqual([9, 8, 7]);
    expect(state()).toMatchObject({ olderRuns: 1, unreadableRuns: [6] });
    void pages.load(8);
    expect(asked).toHaveLength(3);
  });

  it('leave no gap in a list that was restarted', async () => {
    const { pages, asked, numbers } = opened();
    const first = pages.load();
    asked[0]!.answer({ runs: [run(9)], more: true });
    await first;
    const late = pages.load(5);
    const again = pages.load();
    asked[2]!.answer({ runs: [run(10), run(9)], more: true });
    await again;
    asked[1]!.answer({ runs: [run(4)], more: false });
    await late;
    expect(numbers()).toEqual([10, 9]);
  });

  it('hide no runs when one changes that is not loaded yet', async () => {
    const { pages, asked, hear, numbers, state } = opened();
    const first = pages.load();
    asked[0]!.answer({ runs: [run(9), run(8)], more: true, total: 9 });
    await first;
    // A tag is added to an old run.
    hear({ ...run(2), tags: ['kept'] });
    expect(numbers()).toEqual([9, 8]);
    expect(state().oldestRun).toBe(8);
    // New and loaded runs are shown at once.
    hear(run(10));
    hear({ ...run(8), tags: ['kept'] });
    expect(numbers()).toEqual([10, 9, 8]);
    expect(state().runs!.at(-1)!.tags).toEqual(['kept']);
    const next = pages.load(state().oldestRun!);
    asked[1]!.answer({ runs: [run(7), run(6)], more: true, total: 10 });
    await next;
    expect(numbers()).toEqual([10, 9, 8, 7, 6]);
    // When all pages are loaded, a run that comes back from a joined run is in its place.
    const last = pages.load(state().oldestRun!);
    asked[2]!.answer({ runs: [run(5), run(3), run(2), run(1)], more: false, total: 10 });
    await last;
    hear(run(4));
    expect(numbers()).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('go on below a page of which no run can be read', async () => {
    const { pages, asked, state } = opened();
    const first = pages.load();
    asked[0]!.answer({ runs: [run(9)], more: true, unreadable: [{ id: 'x', number: 8, reason: 'r' }] });
    await first;
    expect(state().oldestRun).toBe(8);
    const next = pages.load(8);
    asked[1]!.answer({ more: true, unreadable: [{ id: 'y', number: 7, reason: 'r' }] });
    await next;
    expect(state().oldestRun).toBe(7);
  });

  it('keep why one did not come, until one comes', async () => {
    const { pages, asked, state } = opened();
    const first = pages.load();
    asked[0]!.fail(
      new AgentError({ code: 'HISTORY_DAMAGED', message: 'It is damaged.', cure: 'Restore it.' }),
    );
    await first;
    expect(state()).toMatchObject({
      runs: null,
      runsFailure: { what: 'It is damaged.', cure: 'Restore it.', code: 'HISTORY_DAMAGED' },
    });
    const again = pages.load();
    asked[1]!.answer({ runs: [run(1)] });
    await again;
    expect(state()).toMatchObject({ runsFailure: null, oldestRun: 1 });
  });

  it('count what was deleted, loaded or not', () => {
    const history = { runs: [run(9), run(8)], olderRuns: 3 };
    expect(without(history, run(9).id)).toEqual({ runs: [run(8)], olderRuns: 3 });
    expect(without(history, run(2).id)).toEqual({ runs: history.runs, olderRuns: 2 });
  });
});
