import { Command } from 'commander';
import { compareBenchCommand } from './compare.js';

export function benchCommand(): Command {
  return new Command('bench')
    .description('scripted measurements with a report')
    .addHelpText(
      'after',
      `
Examples:
  verbslab bench compare                  RDMA and TCP side by side
  verbslab bench compare --help           its options, and how to read the report`,
    )
    .addCommand(compareBenchCommand());
}
