import { useState } from 'react';
import { count } from '../../format/number';
import { Button } from '../../ui/button';

/** Browsers do not draw a list of more than some 17 million pixels; a tall row has 44. */
const ROWS = 400_000;

export interface ListPage {
  number: number;
  /** Of all pages. */
  of: number;
  /** Its first row. */
  from: number;
  length: number;
  /** Of all rows. */
  rows: number;
  turn: (to: number) => void;
}

/** The part of a long list that is drawn: the one with the chosen row, until the reader turns to another. */
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

/** Nothing on a list that is drawn whole. */
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
