/** Compared runs go by letters, so that they can be told apart without color. */
export const MOST_COMPARED = 6;
export const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F'] as const;

export const letterOf = (index: number): string => LETTERS[index] ?? String(index + 1);

export const letterList = (indices: readonly number[]): string => nameList(indices.map(letterOf));

/** `A`, `A and B`, `A, B and C`. */
export function nameList(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
