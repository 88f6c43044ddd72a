'use client';
import type { Tool } from '@verbslab/labs/tools';
import { commandText } from '@verbslab/protocol';
import { CopyCommand } from '../ui/copy-command';
import { Gloss } from '../ui/gloss';

/** Address of the embedded device until one is chosen. */
const PLACE = { address: '127.0.0.1' };

/** Commands for the values in the form, which can also be typed by hand. */
export function ToolCommands({
  tool,
  params,
  link,
  wrong,
}: {
  tool: Tool;
  params: Readonly<Record<string, unknown>>;
  link: 'auto' | 'udp';
  wrong: boolean;
}) {
  if (wrong) return null;
  const commands = tool.commands(tool.parse(params), PLACE);
  const exec = link === 'udp' ? 'npx verbslab exec --link udp --' : 'npx verbslab exec --';
  return (
    <section className="mt-8 max-w-[80ch]" aria-labelledby="commands">
      <h2 id="commands" className="text-16 font-semibold">
        {commands.length > 1 ? 'Commands' : 'Command'}
      </h2>
      <p className="mt-0.5 mb-2 text-13 text-ink-2">
        {commands.length > 1
          ? 'What the agent runs, in this order. In terminals of your own, start them in the same order:'
          : 'What the agent runs. In a terminal of your own:'}
      </p>
      <ol className="space-y-1">
        {commands.map(({ role, title, command }) => (
          <li key={role} data-role={role}>
            <p className="mb-1 text-13">
              {commands.length > 1 ? (
                <span className="font-medium">{role.charAt(0).toUpperCase() + role.slice(1)}: </span>
              ) : null}
              <Gloss>{title}</Gloss>
            </p>
            <CopyCommand command={`${exec} ${commandText(command)}`} />
          </li>
        ))}
      </ol>
    </section>
  );
}
