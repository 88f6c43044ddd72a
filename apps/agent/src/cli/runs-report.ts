import { Command, Option } from 'commander';
import { writeExport } from './write-export.js';

export function runsReportCommand(): Command {
  return new Command('report')
    .description('write a report of a run: answer, figures, charts, checks, parameters, machines and notes')
    .argument('<run>', 'number or ID of the run')
    .addOption(new Option('-f, --format <format>', 'how to write it').choices(['html', 'md']).default('html'))
    .option(
      '-o, --out <file>',
      'where to write it (default: stdout, or a file of its own if that is a terminal)',
    )
    .option('--json', 'print one JSON object: `run`, `id`, `format`, `file` and `bytes` of what was written')
    .addHelpText(
      'after',
      `
The HTML report is one file. It has no script, loads nothing, and prints well. In the Markdown report,
tables stand in place of charts. The report has the notes and tags of the run, so read them before you
share it.

Examples:
  verbslab runs report 12 --out run12.html
  verbslab runs report 12 --format md | gh issue comment 7 --body-file -`,
    )
    .action((name: string, { format, out }: { format: string; out?: string }, command: Command) =>
      writeExport(name, format, out, command.optsWithGlobals<{ json?: boolean }>().json),
    );
}
