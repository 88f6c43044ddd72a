/**
 * The only words that reach the command line of a tool: flags of its declaration, whole numbers, names in capitals,
 * subcommands of `rdma`, and an address. Nothing that a person typed is passed on as text.
 */
const FLAG = /^-(?:[A-Za-z]|-[a-z][a-z_-]*)$/;
const NUMBER = /^(?:0|[1-9]\d{0,9})$/;
const NAME = /^[A-Z][A-Z_]{0,31}$/;
const SUBCOMMAND = /^(?:statistic|link|dev|resource|show)$/;
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** True if a word may appear on the command line of a tool. */
export const isSafeWord = (word: string): boolean =>
  [FLAG, NUMBER, NAME, SUBCOMMAND, ADDRESS].some((form) => form.test(word));

/**
 * A flag and its value; nothing where the value is false or absent. Throws TypeError for a flag or a value that no
 * declaration may have.
 */
export function flag(name: string, value: number | string | boolean | undefined): string[] {
  if (value === false || value === undefined) return [];
  const words = value === true ? [name] : [name, String(value)];
  const bad = words.find((word) => !isSafeWord(word));
  if (bad !== undefined) throw new TypeError(`not a word of a command line: ${JSON.stringify(bad)}`);
  return words;
}
