// Text of problem counts, separate from the search for problems, which lists of runs need not load.

/** Number of problems as text: `1 problem`, `9 problems`; empty for none. */
export function problemsText(count: number | undefined): string {
  return count ? `${count} ${count === 1 ? 'problem' : 'problems'}` : '';
}
