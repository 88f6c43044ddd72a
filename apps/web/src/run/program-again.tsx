'use client';
import {
  commandsOf,
  commandText,
  execOptionsOf,
  isFinal,
  LINK_TEXT,
  toolOf,
  workbenchOf,
  type Link,
  type RunRecord,
  type RunRow,
} from '@verbslab/protocol';
import { runHref, taskHref, toolHref } from '../addresses';
import { CopyCommand } from '../ui/copy-command';
import { PageLink } from '../ui/page-link';
import { Words } from '../ui/words';
import { usePeerRuns } from './use-peer-runs';

/** Commands that run the program again under `exec`, with the options that it had. */
function execCommands(run: RunRow): string[] {
  const options = execOptionsOf(run);
  return commandsOf(run).map((command, i) =>
    commandText(['npx', 'verbslab', 'exec', ...(options[i] ?? []), '--', ...command]),
  );
}

/** Programs at the other end, and commands to run all of them again. */
export function ProgramAgain({ record }: { record: RunRecord }) {
  return <ProgramCommands record={record} peers={usePeerRuns(record)} />;
}

export function ProgramCommands({ record, peers }: { record: RunRecord; peers: readonly RunRow[] }) {
  const own = execCommands(record);
  if (isFinal(record.state) && workbenchOf(record)) return <OfWorkbench record={record} />;
  if (!isFinal(record.state) || own.length === 0) return null;
  const all = [...peers, record].sort((a, b) => a.createdAt - b.createdAt);
  return (
    <div className="mt-2 max-w-[72ch]">
      {peers.length > 0 ? (
        <ul className="mb-1 text-13 text-ink-2">
          {peers.map((peer) => (
            <li key={peer.id} data-shows="peer-run" data-peer={peer.id}>
              Connected to{' '}
              <PageLink
                href={runHref(peer.id)}
                className="inline-flex min-h-8 items-center text-accent underline pointer-coarse:min-h-11"
              >
                run {peer.number}
              </PageLink>
              : <code className="num text-12 wrap-anywhere">{peer.title}</code>
            </li>
          ))}
        </ul>
      ) : null}
      <ToolAgain record={record} />
      <p className="mb-1 text-13 text-ink-2">
        {peers.length > 0 || own.length > 1
          ? 'Run them again, each in a terminal of its own, in this order:'
          : 'Run it again in a terminal:'}
      </p>
      {all.flatMap((one) =>
        execCommands(one).map((command, index) => (
          <div
            key={`${one.id} ${index}`}
            data-shows={one === record ? 'exec-command' : 'peer-command'}
            data-peer={one === record ? undefined : one.id}
            data-command={index}
          >
            <CopyCommand command={command} />
          </div>
        )),
      )}
      <ProgramLink links={record.result?.links ?? []} />
    </div>
  );
}

/** Link to the workbench task with the program of this run. Its folder is gone, so a command would not work. */
function OfWorkbench({ record }: { record: RunRecord }) {
  const { task, language } = workbenchOf(record)!;
  if (record.imported) return null;
  return (
    <PageLink
      href={taskHref(task, language, record.id)}
      className="inline-flex min-h-8 items-center text-13 text-accent underline pointer-coarse:min-h-11"
    >
      Open it in the workbench
    </PageLink>
  );
}

/** Link to the form of the tool, filled in with the values of this run. */
function ToolAgain({ record }: { record: RunRecord }) {
  const tool = toolOf(record);
  if (!tool) return null;
  return (
    <PageLink
      href={toolHref(tool.name, tool.params, tool.link)}
      className="inline-flex min-h-8 items-center text-13 text-accent underline pointer-coarse:min-h-11"
    >
      Run it again with other flags
    </PageLink>
  );
}

/** Link that carried a program's packets, with the way to use another link. */
function ProgramLink({ links }: { links: readonly Link[] }) {
  if (links.length !== 1) return null;
  const [link] = links as [Link];
  return (
    <p className="mt-1 text-13 text-ink-2">
      <Words>
        {`${LINK_TEXT[link]} ${
          link === 'shm'
            ? 'To send them through the kernel, run every process with `npx verbslab exec --link udp -- COMMAND`.'
            : 'Processes of one host can bypass the kernel: run each of them without --link.'
        }`}
      </Words>
    </p>
  );
}
