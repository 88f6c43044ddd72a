import { useState } from 'react';
import { count } from '../../format/number';
import { Button } from '../../ui/button';

/** Most rows of a list: browsers draw no more than about 17 million pixels, and a tall row has 44. */
const ROWS = 400_000;

export interface ListPage {
  number: number;
  /** Number of pages. */
  of: number;
  /** First row of the page. */
  from: number;
  length: number;
  /** Number of rows of the whole list. */
  rows: number;
  turn: (to: number) => void;
}

/** The drawn page of a long list: the one with the selected row, until the reader turns to another. */
export function useListPage(rows: number, place: number): ListPage {
  const [turned, setTurned] = useState<{ to: number; place: number } | null>(null);
  const of = Math.max(1, Math.ceil(rows / ROWS));
  const wanted = turned?.place === place ? turned.to : Math.floor(Math.max(0, place) / ROWS);
  const number = Math.min(wanted, of - 1);
  const from = number * ROWS;
  return {
    number,
    of,
    from,
    length: Math.min(ROWS, rows - from),
    rows,
    turn: (to) => setTurned({ to, place }),
  };
}

/** Controls to turn pages; empty for a list with a single page. */
export function ListPages({ page, onTurn }: { page: ListPage; onTurn: () => void }) {
  const { number, of, from, length, rows, turn } = page;
  if (of === 1) return null;
  const to = (next: number) => () => {
    turn(next);
    onTurn();
  };
  return (
    <nav
      aria-label="Parts of the list"
      className="flex flex-wrap items-center gap-2 border-t px-3 py-0.5 text-12"
    >
      <span className="num text-ink-2">
        Rows {count(from + 1)} to {count(from + length)} of {count(rows)}
      </span>
      <Button kind="quiet" size="small" disabled={number === 0} onClick={to(number - 1)}>
        Previous rows
      </Button>
      <Button kind="quiet" size="small" disabled={number === of - 1} onClick={to(number + 1)}>
        Next rows
      </Button>
    </nav>
  );
}
