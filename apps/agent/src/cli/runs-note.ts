import { readFileSync } from 'node:fs';
import { AppError, parseQuantity, type RunNote } from '@verbslab/protocol';
import { Command, InvalidArgumentError } from 'commander';
import { newId } from '../store/new-id.js';
import { connected } from './connected.js';
import { findRun } from '../client/find-run.js';
import { bold, muted, print, printJson, printStep } from './terminal.js';

interface NoteOptions {
  file?: string;
  at?: number;
  tag?: string[];
  json?: boolean;
}

/** Nanoseconds. */
function parseTime(text: string): number {
  const seconds = parseQuantity(text, 's');
  if (seconds === null || seconds < 0)
    throw new InvalidArgumentError('It must be a time since the run was created, like 1.5s or 200ms.');
  return Math.round(seconds * 1e9);
}

/** Reads the text of a note; null if none is given. */
function readText(text: string | undefined, file: string | undefined): string | null {
  if (file === undefined) return text ?? null;
  if (text !== undefined)
    throw new AppError('USAGE', { detail: 'A note has one text', hint: 'Give either a text or --file.' });
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trimEnd();
  } catch (error) {
    const detail = `“${file}” cannot be read: ${(error as Error).message}`;
    throw new AppError('USAGE', { detail, hint: 'Give the name of a text file, or - for stdin.' });
  }
}

function noteText({ text, tags, moment, changedAt }: RunNote): string {
  const at = moment === null ? [] : [`at ${moment.t / 1e9} s`];
  const head = [new Date(changedAt).toISOString().slice(0, 19).replace('T', ' '), ...at, ...tags];
  return `${muted(head.join('  '))}\n${text}`;
}

export function runsNoteCommand(): Command {
  return new Command('note')
    .description('write a note about a run; without a text, print its notes')
    .argument('<run>', 'number or ID of the run')
    .argument('[text]', 'Markdown')
    .option('--file <file>', 'read the text from a file; - for stdin')
    .option('--at <time>', 'the moment of the run that the note is about, e.g. 1.5s', parseTime)
    .option('--tag <tag>', 'a tag of the note; may be repeated', (tag: string, before: string[] = []) => [
      ...before,
      tag,
    ])
    .option('--json', 'print one JSON object: the note, or `notes`')
    .addHelpText(
      'after',
      `
A note is Markdown of at most 20,000 characters. Edit and delete notes in the dashboard.

Examples:
  verbslab runs note 12 'The peer had **no** receive posted.' --at 1.5s --tag rnr
  verbslab runs note 12 --file findings.md
  verbslab runs note 12`,
    )
    .action((name: string, given: string | undefined, { file, at, tag = [], json }: NoteOptions) =>
      connected(async (client) => {
        const text = readText(given, file);
        const { id: runId, number } = await findRun(client, name);
        if (text === null) {
          const { notes } = await client.request('notebook.get', { runId });
          if (json) printJson({ run: number, notes });
          else if (notes.length === 0) print(`Run ${number} has no notes.`);
          else print([bold(`Notes on run ${number}`), ...notes.map(noteText)].join('\n\n'));
          return;
        }
        if (text.trim() === '')
          throw new AppError('USAGE', { detail: 'The note is empty', hint: 'Give a text.' });
        const moment = at === undefined ? null : { t: at };
        const { note } = await client.request('note.write', {
          ...{ runId, noteId: newId(), version: 0, text, tags: tag, moment },
        });
        if (json) printJson(note);
        else printStep(`Wrote a note on run ${number}`);
      }),
    );
}
