'use client';
import { TOOL_GROUPS, type Tool } from '@verbslab/labs/tools';
import { toolHref } from '../addresses';
import { Gloss } from '../ui/gloss';
import { PageLink } from '../ui/page-link';
import { useMissing } from './use-missing';

/** The programs of the distribution that can be run from here, in the order in which they are best learned. */
export function ToolList() {
  const missing = useMissing();
  return (
    <div className="max-w-[72rem]">
      <h1 className="text-28 font-semibold">Tools</h1>
      <p className="prose mt-2 mb-6 text-ink-2">
        The RDMA programs that Linux distributions carry, run unchanged on the embedded device. Both ends run
        as one, beside the objects and packets that they cause, and their output is explained line by line. To
        write a program yourself, use the{' '}
        <PageLink href="/workbench" className="text-accent underline underline-offset-4">
          Workbench
        </PageLink>
        .
      </p>
      <div className="space-y-8">
        {TOOL_GROUPS.map(({ id, title, text, tools }) => (
          <section key={id} aria-labelledby={id}>
            <h2 id={id} className="text-16 font-semibold">
              {title}
            </h2>
            <p className="prose mt-0.5 mb-2 text-13 text-ink-2">{text}</p>
            <ul className="divide-y border-y">
              {tools.map((tool) => (
                <ToolRow key={tool.name} tool={tool} missing={missing.get(tool.name) ?? []} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

function ToolRow({ tool, missing }: { tool: Tool; missing: readonly string[] }) {
  return (
    <li
      data-tool={tool.name}
      className="grid items-baseline gap-x-6 gap-y-0.5 py-1.5 sm:grid-cols-[15rem_1fr_auto]"
    >
      <PageLink
        href={toolHref(tool.name)}
        className="num inline-flex min-h-8 items-center text-accent underline underline-offset-4 pointer-coarse:min-h-11"
      >
        {tool.title}
      </PageLink>
      <span className="text-ink-2">
        <Gloss>{tool.summary}</Gloss>
      </span>
      {missing.length > 0 ? <span className="text-13 text-ink-3">not installed</span> : null}
    </li>
  );
}
