// A sentence that the product says, and the place of its source.

/** What says it. */
export const SAYERS = [
  'lab text',
  'lab',
  'explanation',
  'error',
  'failure',
  'counter',
  'term',
  'diagnosis',
  'doc',
] as const;
export type Sayer = (typeof SAYERS)[number];

export interface Statement {
  by: Sayer;
  text: string;
  /** What the sentence is about where only its place says so: the counter, error or parameter, or the heading above. */
  about: string;
  /** From the root of the repository. */
  file: string;
  line: number;
}

/** As compilers name a place. */
export const placeOf = ({ file, line }: Statement): string => `${file}:${line}`;

/** Fewer words are a label. */
const LEAST_WORDS = 5;

/** A statement, and not a label, a question or an instruction alone. */
export const statesSomething = (text: string): boolean =>
  text.split(/\s+/).filter((word) => /\p{Letter}/u.test(word)).length >= LEAST_WORDS && !text.endsWith('?');

/** Sentences of a paragraph, each with its offset. Abbreviations and decimals end none. */
export function sentencesOf(paragraph: string): { text: string; at: number }[] {
  const ends = /(?<=[.!?]["”’)*`]*)(?<!\b(?:e\.g|i\.e|vs|cf|No|ch)\.)\s+(?=["“(*`[{]*[\p{Lu}\d`{])/gu;
  const found: { text: string; at: number }[] = [];
  let from = 0;
  for (const end of [...paragraph.matchAll(ends), null]) {
    const piece = paragraph.slice(from, end?.index);
    const lead = piece.length - piece.trimStart().length;
    if (piece.trim() !== '') found.push({ text: piece.trim().replaceAll(/\s+/g, ' '), at: from + lead });
    if (end) from = end.index + end[0].length;
  }
  return found;
}
