import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isatty } from 'node:tty';
import { AppError, type RunRecord } from '@verbslab/protocol';
import { exportName, FORMAT_LIST } from '@verbslab/protocol/exports';
import { AgentClient } from '../client/client.js';
import { download } from '../client/download.js';
import { findOrStart } from './find-or-start.js';
import { createLogger } from '../base/log.js';
import { findRun } from '../client/find-run.js';
import { printJson, printPieces, printStep } from './terminal.js';

/** Calls whose failure is the file's. */
const OF_FILES = new Set(['open', 'write', 'rename']);

/** Saves a stream. The file appears under its name only once complete. Throws the errors of the source. */
async function save(from: NodeJS.ReadableStream, file: string): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(from, createWriteStream(part));
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    if (!OF_FILES.has((error as NodeJS.ErrnoException).syscall ?? '')) throw error;
    const detail = `“${file}” cannot be written: ${(error as Error).message}`;
    throw new AppError('USAGE', { detail, hint: 'Give another file with --out.' }, { cause: error });
  }
}

/** The file that was written, for JSON output. */
const written = ({ id, number }: RunRecord, format: string, file: string) => ({
  run: number,
  id,
  format,
  file: resolve(file),
  bytes: statSync(file).size,
});

/**
 * Writes a run in a format to a file, or to stdout if no name is given and stdout is no terminal. `json`: stdout gets a
 * description of the file, and the file always has a name.
 */
export async function writeExport(
  name: string,
  id: string,
  out: string | undefined,
  json = false,
): Promise<void> {
  const format = FORMAT_LIST.find((one) => one.id === id)!;
  const found = await findOrStart(createLogger('warn'));
  let client: AgentClient | null = null;
  try {
    client = (await AgentClient.connect(found.address, {})).client;
    const run = await findRun(client, name);
    const file = out ?? (json || isatty(1) ? exportName(run, format) : null);
    const body = await download(found.address, `/api/runs/${run.id}/export/${id}`);
    if (file === null) await printPieces(body);
    else {
      await save(body, file);
      if (json) printJson(written(run, id, file));
      else printStep(`${format.title} of run ${run.number} is in ${file}`);
    }
  } catch (error) {
    // A reader that stops early (head) is no error.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    if (error instanceof AppError) throw error;
    // The agent did not refuse the export; it stopped in the middle.
    throw new AppError('EXPORT_CUT', { run: name }, { cause: error });
  } finally {
    await client?.close();
    await found.release();
  }
}
