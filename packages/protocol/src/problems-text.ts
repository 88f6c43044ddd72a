// Apart from how problems are found, which lists of runs need not load.

/** `1 problem`, `9 problems`; empty for none. */
export function problemsText(count: number | undefined): string {
  return count ? `${count} ${count === 1 ? 'problem' : 'problems'}` : '';
}
