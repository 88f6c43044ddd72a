import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isatty } from 'node:tty';
import { AppError } from '@verbslab/protocol';
import { FORMAT_LIST, exportName } from '@verbslab/protocol/exports';
import { Command, Option } from 'commander';
import { AgentClient } from '../client/client.js';
import { programUrl } from '../config/instance.js';
import { download } from '../client/download.js';
import { findOrStart } from '../client/find.js';
import { createLogger } from '../log.js';
import { findRun } from './find-run.js';
import { printStep } from './terminal.js';

interface ExportOptions {
  format: string;
  out?: string;
}

/** Calls whose failure is the file's. */
const OF_FILES = new Set(['open', 'write', 'rename']);

/** The file appears under its name when it is whole. Throws what the source throws. */
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

const formats = FORMAT_LIST.map(
  ({ id, holds, opens }) => `  ${id.padEnd(7)} ${holds}\n          For ${opens}.`,
).join('\n');

export function runsExportCommand(): Command {
  return new Command('export')
    .description(
      'write a run to a file: packets, time series, events, a timeline, or all of it for another host',
    )
    .argument('<run>', 'number or ID of the run')
    .addOption(
      new Option('-f, --format <format>', 'what to write')
        .choices(FORMAT_LIST.map(({ id }) => id))
        .makeOptionMandatory(),
    )
    .option(
      '-o, --out <file>',
      'where to write it (default: stdout, or a file of its own if that is a terminal)',
    )
    .addHelpText(
      'after',
      `
Formats:
${formats}

A run in progress is exported as far as it is, but not as a bundle.

Examples:
  verbslab runs export 12 --format trace --out run12.trace.json
  verbslab runs export 12 --format jsonl | jq -c 'select(.kind == "wr")'
  verbslab runs export 12 --format pcapng | tshark -r -
  verbslab runs export 12 --format bundle --out run12.vlrun`,
    )
    .action(async (name: string, { format: id, out }: ExportOptions) => {
      const format = FORMAT_LIST.find((one) => one.id === id)!;
      const found = await findOrStart(createLogger('warn'));
      let client: AgentClient | null = null;
      try {
        client = (await AgentClient.connect(found.address, {})).client;
        const run = await findRun(client, name);
        const file = out ?? (isatty(1) ? exportName(run, format) : null);
        const body = await download(found.address, `/api/runs/${run.id}/export/${id}`);
        if (file === null) await pipeline(body, process.stdout, { end: false });
        else {
          await save(body, file);
          printStep(`${format.title} of run ${run.number} is in ${file}`);
        }
      } catch (error) {
        // A reader that stops early (head) is no error.
        if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
        if (error instanceof AppError) throw error;
        const url = programUrl(found.address);
        throw new AppError('AGENT_UNREACHABLE', { url, detail: (error as Error).message }, { cause: error });
      } finally {
        await client?.close();
        await found.release();
      }
    });
}
