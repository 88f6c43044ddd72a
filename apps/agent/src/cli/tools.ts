import { TOOL_GROUPS, type Tool } from '@verbslab/labs/tools';
import { Command } from 'commander';
import { connected } from './connected.js';
import { bold, muted, print, printJson, table } from './terminal.js';
import { toolsRunCommand } from './tools-run.js';

/** Programs that the agent's host lacks, by the name of the tool. */
type Missing = ReadonlyMap<string, readonly string[]>;

const rowOf = (tool: Tool, missing: Missing): string[] => [
  `  ${tool.name}`,
  tool.summary,
  muted((missing.get(tool.name) ?? []).length > 0 ? `not installed (${tool.package})` : ''),
];

function listText(missing: Missing): string {
  const widths: number[] = [];
  return TOOL_GROUPS.map(
    ({ title, text, tools }) =>
      `${bold(title)}  ${muted(text)}\n${table(
        tools.map((tool) => rowOf(tool, missing)),
        [],
        widths,
      )}`,
  ).join('\n\n');
}

const listJson = (missing: Missing) => ({
  groups: TOOL_GROUPS.map(({ id, title, tools }) => ({
    id,
    title,
    tools: tools.map(({ name, summary, shows, package: from, params, flags, roles }) => ({
      ...{ name, summary, shows, package: from, params, flags, roles },
      missing: missing.get(name) ?? [],
    })),
  })),
});

export function toolsCommand(): Command {
  return new Command('tools')
    .description('run the distribution’s RDMA programs, both ends as one run')
    .option('--json', 'print one JSON object: the programs with their fields')
    .addHelpText(
      'after',
      `
Without a subcommand it lists the programs. They come from the packages ibverbs-utils, rdmacm-utils and perftest,
and run unchanged on the embedded device. verbslab exec runs any other program.

Examples:
  verbslab tools
  verbslab tools run ibv_devinfo
  verbslab tools run ib_write_bw --help
  verbslab tools run ib_write_bw --size 4KiB --queue-pairs 4`,
    )
    .addCommand(toolsRunCommand())
    .action(async ({ json = false }: { json?: boolean }) => {
      const { tools } = await connected((client) => client.request('tools.list', {}));
      const missing = new Map(tools.map((one) => [one.name, one.missing]));
      if (json) printJson(listJson(missing));
      else print(listText(missing));
    });
}
