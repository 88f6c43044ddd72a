import type { ReplyOf } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { RunPages, without, type RunHistory } from '../src/connection/run-pages';
import { record } from './stream';

const run = (number: number) => ({ ...record(), id: String(number).padStart(10, 'r'), number });

/** Pages whose answers the test gives. */
function opened() {
  let state: RunHistory = { runs: null, moreRuns: false, olderRuns: 0, unreadableRuns: [] };
  const asked: { before: number | undefined; answer: (reply: Partial<ReplyOf<'run.list'>>) => void }[] = [];
  const pages = new RunPages(
    (before) =>
      new Promise((resolve) =>
        asked.push({
          before,
          answer: (reply) => resolve({ type: 'runs', re: 1, runs: [], more: false, ...reply }),
        }),
      ),
    (change) => (state = change(state)),
  );
  return { pages, asked, numbers: () => state.runs?.map(({ number }) => number), state: () => state };
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

  it('count what was deleted, loaded or not', () => {
    const history = { runs: [run(9), run(8)], olderRuns: 3 };
    expect(without(history, run(9).id)).toEqual({ runs: [run(8)], olderRuns: 3 });
    expect(without(history, run(2).id)).toEqual({ runs: history.runs, olderRuns: 2 });
  });
});
