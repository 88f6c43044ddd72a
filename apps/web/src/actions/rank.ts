import type { Action } from './types';

/** What a word of the query is worth where it is found. */
const WORTH = {
  label: { whole: 50, begin: 40, inside: 20 },
  // Keywords are not shown, so a match inside one looks like a mistake: “loss” is in “glossary”.
  keywords: { whole: 35, begin: 30, inside: 0 },
};
/** An action of the open page before one that is there everywhere. */
const OF_THE_PAGE = 5;

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function worth(word: string, text: string, { whole, begin, inside }: (typeof WORTH)['label']): number {
  const those = words(text);
  if (those.includes(word)) return whole;
  if (those.some((one) => one.startsWith(word))) return begin;
  return those.some((one) => one.includes(word)) ? inside : 0;
}

/** 0 when a word of the query is found nowhere in the action. */
function score(action: Action, query: readonly string[]): number {
  let sum = action.predicate === undefined ? 0 : OF_THE_PAGE;
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

/** The actions that hold every word of the query, the best match first; of equals, the one listed first. */
export function rank(actions: readonly Action[], query: string): Action[] {
  const wanted = words(query);
  return actions
    .map((action) => ({ action, score: score(action, wanted) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score)
    .map((one) => one.action);
}
