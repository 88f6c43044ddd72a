import { FORMAT_LIST } from '@verbslab/protocol/export-formats';
import { Command, Option } from 'commander';
import { writeExport } from './write-export.js';

interface ExportOptions {
  format: string;
  out?: string;
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
    .action((name: string, { format, out }: ExportOptions) => writeExport(name, format, out));
}
