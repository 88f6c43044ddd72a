// A sentence of the product, and the place of its source.

/** Kinds of text that state something. */
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
  /** Subject of the sentence if only its place names it: the counter, error or parameter, or the heading above. */
  about: string;
  /** Path from the root of the repository. */
  file: string;
  line: number;
}

/** Place in the format of compilers. */
export const placeOf = ({ file, line }: Statement): string => `${file}:${line}`;

/** Fewest words of a statement. Shorter text is a label. */
const LEAST_WORDS = 5;

/** True for a statement; false for a label or a question. */
export const statesSomething = (text: string): boolean =>
  text.split(/\s+/).filter((word) => /\p{Letter}/u.test(word)).length >= LEAST_WORDS && !text.endsWith('?');

/** Sentences of a paragraph, each with its offset. Abbreviations and decimals do not end a sentence. */
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
