// Output of the scripts: a line per step, on stderr, so that stdout stays free for results.
const color = process.stderr.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (color ? `\u001b[${code}m${text}\u001b[0m` : text);

const ERASE = '\r\u001b[K';
let inPlace = false;

function line(mark, text) {
  process.stderr.write(`${inPlace ? ERASE : ''}${mark} ${text}\n`);
  inPlace = false;
}

export const step = (text) => line(paint('36', '›'), text);
export const done = (text) => line(paint('32', '✓'), text);
export const warn = (text) => line(paint('33', '!'), text);

/** Shows a line on a terminal that the next one replaces; an empty text takes it away. */
export function status(text) {
  const width = (process.stderr.columns || 80) - 3;
  process.stderr.write(`${ERASE}${text && `${paint('36', '›')} ${text.slice(0, width)}`}`);
  inPlace = text !== '';
}

/** A failure that the user can fix: printed without a stack trace, exit code 1. */
export class Trouble extends Error {}

/** Runs `main`, printing a Trouble as one message. Anything else keeps its stack. */
export async function run(main) {
  try {
    await main();
  } catch (error) {
    line(paint('31', '✗'), error instanceof Trouble ? error.message : error.stack);
    process.exitCode = 1;
  }
}
