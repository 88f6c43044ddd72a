/** Characters that are markup anywhere in a line. An underscore inside a word is not. */
const MARKS = /[\\`*[\]|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Starts of lines that begin a heading, a list or a rule. */
const STARTS = /^(\s*)(?:(#{1,6}|[-+])(?=\s|$)|([-=]+)(?=\s*$)|(\d+)([.)])(?=\s|$))/gm;

/** Escapes text inside a line so that it is neither HTML nor markup. */
export const escapeInline = (text: string): string =>
  text
    .replace(MARKS, '\\$&')
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** Escapes starts of lines, so that each line is part of a paragraph. */
export const escapeStarts = (text: string): string =>
  text.replace(STARTS, (_, space: string, mark?: string, rule?: string, number = '', point = '') =>
    [space, number, '\\', mark ?? rule ?? point].join(''),
  );

/** Escapes text so that it stands for itself. */
export const escapeMarkdown = (text: string): string => escapeStarts(escapeInline(text));

export const oneLine = (text: string): string => escapeMarkdown(text.replace(/\s*\n\s*/g, ' ').trim());

const longestRun = (text: string): number =>
  Math.max(0, ...(text.match(/`+/g) ?? []).map((marks) => marks.length));

/** A code span with as many backticks as its text needs. */
export function codeSpan(text: string): string {
  const longest = longestRun(text);
  const marks = '`'.repeat(longest + 1);
  return longest === 0 ? `${marks}${text}${marks}` : `${marks} ${text} ${marks}`;
}

export function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text}\n${fence}`;
}

export const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
