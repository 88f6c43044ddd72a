import type { Readable } from 'node:stream';

/** Characters that are kept of a line: a program may print without end and without a line feed. */
export const MAX_LINE_CHARS = 64 * 1024;

const CUT = ` … (cut after ${MAX_LINE_CHARS / 1024} Ki characters)`;

/** Calls back with every line of text. A line that is too long is cut, and marked so. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let line = '';
  let cut = false;
  const add = (text: string): void => {
    if (cut) return;
    line += text;
    if (line.length <= MAX_LINE_CHARS) return;
    cut = true;
    // The line is passed on at once, since its end may never come.
    onLine(`${line.slice(0, MAX_LINE_CHARS)}${CUT}`);
  };
  const end = (): void => {
    if (!cut) onLine(line.replace(/\r$/, ''));
    line = '';
    cut = false;
  };
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const [first, ...rest] = text.split('\n');
    add(first!);
    for (const next of rest) {
      end();
      add(next);
    }
  });
  stream.on('end', () => {
    if (line !== '') end();
  });
}
