/** Output of the command: results on stdout, everything else on stderr. All text for the terminal is written here. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { isatty } from 'node:tty';
import { toErrorInfo, AppError } from '@verbslab/protocol';
import { printable, printableLine } from '../base/printable.js';

const colors = isatty(1) && !process.env.NO_COLOR;
const errorColors = isatty(2) && !process.env.NO_COLOR;

/**
 * Stands for ESC in the command's own text until it is printed. Text from elsewhere cannot contain it, and its ESC is
 * escaped.
 */
const MARK = `\ufdd0${randomBytes(8).toString('hex')}`;
const PAINT = new RegExp(`${MARK}\\[\\d+m`, 'g');
const paint = (on: boolean | undefined, code: number, text: string): string =>
  on ? `${MARK}[${code}m${text}${MARK}[0m` : text;

/** The command’s own colors and nothing else that a terminal acts on. */
export const forTerminal = (text: string): string => printable(text).replaceAll(MARK, '\u001b');

export const bold = (text: string): string => paint(colors, 1, text);
export const muted = (text: string): string => paint(colors, 2, text);
export const good = (text: string): string => paint(colors, 32, text);
export const bad = (text: string): string => paint(colors, 31, text);

export function print(text = ''): void {
  process.stdout.write(`${forTerminal(text)}\n`);
}

/** Writes pieces to stdout as it takes them. A stream's pipeline would leave its listeners there. */
export async function printPieces(
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  for await (const piece of pieces) if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
}

/** Prints a line on stderr, beside the output of the command. */
export function printNote(text: string): void {
  process.stderr.write(`${forTerminal(printableLine(text))}\n`);
}

/** Progress for a waiting user, on stderr. */
export function printStep(text: string): void {
  printNote(`${paint(errorColors, 36, '›')} ${text}`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Prints an error: a sentence that says what is wrong, another that says what to do, and the code to look up. */
export function printError(error: unknown): void {
  const info = toErrorInfo(error);
  printNote(`${paint(errorColors, 31, 'error')}: ${info.message}`);
  if (info.cure !== '') printNote(`  ${info.cure}`);
  if (process.env.VERBSLAB_DEBUG && info.detail) process.stderr.write(`${forTerminal(info.detail)}\n`);
}

/** Exit code of a program that Ctrl-C ended. */
export const EXIT_INTERRUPTED = 130;

export function exitCodeOf(error: unknown): number {
  return error instanceof AppError ? error.exitCode : 1;
}

/** Status line, rewritten in place on a terminal. Elsewhere nothing is printed. */
export class StatusLine {
  /** True on a terminal. */
  readonly inPlace = process.stderr.isTTY === true;
  #shown = false;

  show(text: string): void {
    if (!this.inPlace) return;
    const width = (process.stderr.columns ?? 80) - 1;
    process.stderr.write(`\r\u001b[2K${printableLine(text).slice(0, width)}`);
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) process.stderr.write('\r\u001b[2K');
    this.#shown = false;
  }
}

/**
 * Columns padded to their widest cell; numbers to the right when `right` names them. A table that is printed in parts
 * hands over the same `widths` each time, and its columns only grow.
 */
export function table(
  given: readonly (readonly string[])[],
  right: readonly number[] = [],
  widths: number[] = [],
): string {
  const rows = given.map((row) => row.map(printableLine));
  // Colors take no room on the screen.
  const width = (text: string): number => (text.includes(MARK) ? text.replace(PAINT, '') : text).length;
  for (const row of rows)
    row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, width(cell))));
  return rows
    .map((row) =>
      row
        .map((cell, index) => {
          const space = ' '.repeat(widths[index]! - width(cell));
          return right.includes(index) ? space + cell : cell + space;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
