import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { AppError } from '@verbslab/protocol';

const WAYS = 'Give it on standard input (`verbslab peers add -`) or in a file (`--file PATH`).';

/**
 * Reads the join string from standard input, a file or the terminal. As an argument it is refused: /proc shows the
 * arguments of a process to every user of the machine.
 */
export async function readJoinString(source: string | undefined, file: string | undefined): Promise<string> {
  if (source !== undefined && source !== '-') {
    const exposed = /^\s*vlab\d/.test(source)
      ? ' Others may have read this one: if the machine has other users, delete the file `token` of that agent and restart it.'
      : '';
    throw new AppError('USAGE', {
      detail: 'A join string is a secret, and every user of this machine can read the arguments of a command',
      hint: `${WAYS}${exposed}`,
    });
  }
  if (file !== undefined) {
    if (source !== undefined)
      throw new AppError('USAGE', { detail: 'Both - and --file are given', hint: WAYS });
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw new AppError('USAGE', {
        detail: `The file ${file} cannot be read: ${(error as Error).message}`,
        hint: WAYS,
      });
    }
  }
  if (source === '-') return text(process.stdin);
  if (!process.stdin.isTTY) throw new AppError('USAGE', { detail: 'The join string is missing', hint: WAYS });
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question('Join string: ');
  } finally {
    terminal.close();
  }
}
