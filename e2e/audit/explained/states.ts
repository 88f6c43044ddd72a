// The calls at a state or a transition, from the rows of the run.
import { rowsOf, type Recompute, type Row } from './found.js';

/** Reason for the answer, from the lab's words for the mistake. */
function whyOf({ answer, what, from }: Row): string | null {
  if (answer === 'Granted.') return null;
  const words = String(what);
  const missing = / without (\w+)$/.exec(words)?.[1];
  if (missing) return `Lacks ${missing}`;
  const extra = / with (\w+) as well$/.exec(words)?.[1];
  if (extra) return `Not allowed here: ${extra}`;
  const to = /^(?:Straight|Back) to (\w+)$/.exec(words)?.[1];
  return to ? `No transition from ${String(from)} to ${to}` : 'A value; the mask is right';
}

export const states: Recompute = (evidence, { at }) => {
  const [from, to] = String(at).split('-');
  const calls = rowsOf(evidence, 'calls').filter((row) => {
    if (from !== 'any' && row.from !== from) return false;
    // The first state in the words for the request.
    return to === undefined || String(row.what).match(/RESET|INIT|RTR|RTS|SQD|ERR/)?.[0] === to;
  });
  const granted = calls.filter(({ answer }) => answer === 'Granted.').length;
  return {
    figures: { granted, refused: calls.length - granted },
    tables: { calls: calls.map((row) => ({ ...row, why: whyOf(row) })) },
    curves: {},
  };
};
