import type { ReactNode } from 'react';

/** A part of a row, with its heading. `id`: its name for links and the audit. */
export function Part(props: {
  id: string;
  title: ReactNode;
  aside?: ReactNode;
  /** Content at the right of the heading. */
  tools?: ReactNode;
  children: ReactNode;
}) {
  const { id, title, aside, tools, children } = props;
  return (
    <section className="mt-4 scroll-mt-16 first:mt-0" id={`panel-${id}`} data-panel={id}>
      <div className="mb-1.5 flex items-center justify-between gap-2">
        <h3 className="flex items-center gap-2 text-14 font-semibold">
          <span>{title}</span>
          <span className="num text-12 font-normal text-ink-3">{aside}</span>
        </h3>
        {tools}
      </div>
      {children}
    </section>
  );
}
