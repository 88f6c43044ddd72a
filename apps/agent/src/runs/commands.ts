import { basename } from 'node:path';
import { commandText, type ProgramResult } from '@verbslab/protocol';

const MAX_TITLE = 120;

/** Title of a run of these commands in lists. */
export function programTitle(commands: readonly (readonly string[])[]): string {
  const text = commands
    .map(([program = '', ...words]) => commandText([basename(program), ...words]))
    .join(' + ');
  return text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE - 1)}…` : text;
}

type End = Pick<ProgramResult, 'exitCode' | 'signal'>;

/** The end of several commands: that of the first that failed, else of one with an unknown end, else success. */
export function endOfAll(commands: readonly End[]): End {
  const bad =
    commands.find(({ exitCode, signal }) => signal !== null || (exitCode ?? 0) !== 0) ??
    commands.find(({ exitCode }) => exitCode === null);
  return { exitCode: bad ? bad.exitCode : 0, signal: bad?.signal ?? null };
}
