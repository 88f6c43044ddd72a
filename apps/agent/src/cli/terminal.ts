/** What the command prints: results on stdout, everything else on stderr. */
import { toErrorInfo, AppError } from '@verbslab/protocol';

const colours = process.stdout.isTTY && !process.env.NO_COLOR;
const errorColours = process.stderr.isTTY && !process.env.NO_COLOR;
const paint = (on: boolean | undefined, code: number, text: string): string =>
  on ? `\u001b[${code}m${text}\u001b[0m` : text;

export const bold = (text: string): string => paint(colours, 1, text);
export const muted = (text: string): string => paint(colours, 2, text);
export const good = (text: string): string => paint(colours, 32, text);
export const bad = (text: string): string => paint(colours, 31, text);

export function print(text = ''): void {
  process.stdout.write(`${text}\n`);
}

/** What is being done, for whoever waits: on stderr. */
export function printStep(text: string): void {
  process.stderr.write(`${paint(errorColours, 36, '›')} ${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** One sentence what is wrong, one what to do; the code to look it up. */
export function printError(error: unknown): void {
  const info = toErrorInfo(error);
  process.stderr.write(`${paint(errorColours, 31, 'error')}: ${info.message}\n`);
  if (info.cure !== '') process.stderr.write(`  ${info.cure}\n`);
  if (process.env.VERBSLAB_DEBUG && info.detail) process.stderr.write(`${info.detail}\n`);
}

export function exitCodeOf(error: unknown): number {
  return error instanceof AppError ? error.exitCode : 1;
}

/** A line that is written over and over on a terminal, and not at all elsewhere. */
export class StatusLine {
  readonly #on = process.stderr.isTTY === true;
  #shown = false;

  show(text: string): void {
    if (!this.#on) return;
    const width = (process.stderr.columns ?? 80) - 1;
    process.stderr.write(`\r\u001b[2K${text.slice(0, width)}`);
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
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
  widths: number[] = [],
): string {
  // Escape sequences take no room on the screen.
  // eslint-disable-next-line no-control-regex
  const plain = (text: string): string => text.replace(/\u001b\[\d+m/g, '');
  const width = (text: string): number => (text.includes('\u001b') ? plain(text) : text).length;
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
