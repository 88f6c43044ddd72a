import type { Command } from 'commander';

/** Options of one run alone: of its place, and of a file that is there already. */
const NOT_AGAIN: ReadonlySet<string> = new Set(['with', 'pcap', 'agent']);

/** Options of `exec` on the command line, as words with which the program runs again in the same way. */
export function givenOptions(command: Command): string[] {
  return command.options.flatMap((option) => {
    const name = option.attributeName();
    if (option.hidden || NOT_AGAIN.has(name) || command.getOptionValueSource(name) !== 'cli') return [];
    const value: unknown = command.getOptionValue(name);
    if (value === true) return [option.long!];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [option.long!, String(one)]);
  });
}
