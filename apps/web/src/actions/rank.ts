import type { Action } from './types';

/** Points for a word of the query, by where it matches. */
const WORTH = {
  label: { whole: 50, begin: 40, inside: 20 },
  // Keywords are not shown, so a match inside one looks like a mistake: “loss” is in “glossary”.
  keywords: { whole: 35, begin: 30, inside: 0 },
};
/** Extra points for a label that begins with the query: of all labels with “QP”, the term QP comes first. */
const AT_START = 8;
/** Extra points that put an action of the open page before one that exists on every page. */
const OF_THE_PAGE = 5;

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function worth(word: string, text: string, { whole, begin, inside }: (typeof WORTH)['label']): number {
  const those = words(text);
  if (those.includes(word)) return whole;
  if (those.some((one) => one.startsWith(word))) return begin;
  return those.some((one) => one.includes(word)) ? inside : 0;
}

/** Sum of the points; 0 if the action lacks a word of the query. */
function score(action: Action, query: readonly string[]): number {
  let sum = action.predicate === undefined ? 0 : OF_THE_PAGE;
  if (query[0] !== undefined && words(action.label)[0]?.startsWith(query[0])) sum += AT_START;
  for (const word of query) {
    const best = Math.max(
      worth(word, action.label, WORTH.label),
      worth(word, action.keywords, WORTH.keywords),
    );
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}

/** Actions that contain every word of the query, best match first. Equal ones keep the order of the list. */
export function rank(actions: readonly Action[], query: string): Action[] {
  const wanted = words(query);
  return actions
    .map((action) => ({ action, score: score(action, wanted) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score)
    .map((one) => one.action);
}
