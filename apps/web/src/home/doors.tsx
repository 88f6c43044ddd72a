import type { LabDescription } from '@verbslab/protocol';
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyCommand } from '../ui/copy-command';
import { buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';

/** The labs behind the first two doors. */
export const LEARN = 'minimal-flow';
export const MEASURE = 'bulk';
/** From the folder of Verbs Lab, where npm has put the command. */
export const EXEC = 'npx verbslab exec -- ./program';

/** Three ways in: learn, measure, debug. */
export function Doors({ labs }: { labs: readonly LabDescription[] }) {
  const [learn, measure] = [LEARN, MEASURE].map((own) => labs.find(({ id }) => id === own));
  const steps = learn?.steps?.length;
  return (
    <div className="grid gap-x-8 gap-y-6 md:grid-cols-3">
      <Door id="learn" name="Learn" title={learn?.title}>
        <p>
          One program writes into the memory of another, then reads it back. You press a button
          {steps ? ` ${steps} times` : ''} and see what each step does: the objects, the calls, the packets.
        </p>
        <Enter href={`/labs/${LEARN}`} primary>
          Start learning
        </Enter>
      </Door>
      <Door id="measure" name="Measure" title={measure?.title}>
        <p>
          The same data travels over TCP, over RDMA through the kernel (UDP), and over RDMA that bypasses the
          kernel (shared memory). You compare speed and CPU time.
        </p>
        <Enter href={`/labs/${MEASURE}`}>Start measuring</Enter>
      </Door>
      <Door id="debug" name="Debug" title="Your own program">
        <p>
          Run any RDMA program, unchanged. It appears under Runs with its objects, work requests, packets and
          errors. From the Verbs Lab folder, run:
        </p>
        <CopyCommand command={EXEC} />
        <p>
          No program yet? Write one, task by task, in the{' '}
          <PageLink href="/workbench" className="text-accent underline underline-offset-4">
            Workbench
          </PageLink>
          .
        </p>
      </Door>
    </div>
  );
}

function Door(props: { id: string; name: string; title: string | undefined; children: ReactNode }) {
  const { id, name, title, children } = props;
  return (
    <section
      aria-labelledby={id}
      data-door={id}
      className="flex min-w-0 flex-col items-start gap-2 border-t-2 border-ink pt-3 text-ink-2"
    >
      <h2 id={id} className="text-16 font-semibold text-ink">
        <span className="block text-13 font-normal text-ink-3">{name}</span>
        {title}
      </h2>
      {children}
    </section>
  );
}

function Enter({ href, primary, children }: { href: string; primary?: boolean; children: ReactNode }) {
  return (
    <PageLink
      href={href}
      className={buttonStyle({ kind: primary ? 'primary' : 'plain', className: 'mt-auto' })}
    >
      {children}
      <ArrowRight size={14} aria-hidden />
    </PageLink>
  );
}
