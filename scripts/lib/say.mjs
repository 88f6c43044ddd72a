// How the scripts talk: one line a step, on stderr, so that stdout stays free for results.
const colour = process.stderr.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);

export const step = (text) => process.stderr.write(`${paint('36', '›')} ${text}\n`);
export const done = (text) => process.stderr.write(`${paint('32', '✓')} ${text}\n`);
export const warn = (text) => process.stderr.write(`${paint('33', '!')} ${text}\n`);

/** A failure that the user can mend: printed without a stack trace, exit code 1. */
export class Trouble extends Error {}

/** Runs `main`, printing a Trouble as one message. Anything else keeps its stack. */
export async function run(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${paint('31', '✗')} ${error instanceof Trouble ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}
