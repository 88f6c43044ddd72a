// The calls at a state or a transition, from the rows of the run.
import { rowsOf, type Recompute } from './found.js';

export const states: Recompute = (evidence, { at }) => {
  const [from, to] = String(at).split('-');
  const calls = rowsOf(evidence, 'calls').filter((row) => {
    if (from !== 'any' && row.from !== from) return false;
    // The first state among the words for what was asked.
    return to === undefined || String(row.what).match(/RESET|INIT|RTR|RTS|SQD|ERR/)?.[0] === to;
  });
  const granted = calls.filter(({ answer }) => answer === 'Granted.').length;
  return { figures: { granted, refused: calls.length - granted }, tables: { calls }, curves: {} };
};
