import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyCommand } from '../ui/copy-command';
import { buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';

/** Where the first two doors lead. */
export const LEARN = '/tour';
export const MEASURE = '/labs/bulk';
/** From the folder of Verbs Lab, where npm has put the command. */
export const EXEC = 'npx verbslab exec -- ./program';

/** Three ways in: learn, measure, debug. */
export function Doors() {
  return (
    <div className="grid gap-x-7 gap-y-6 md:grid-cols-3">
      <Door id="learn" name="Learn" note="60 seconds">
        <p>Walk through this WRITE, stage by stage. You predict, it happens.</p>
        <Enter href={LEARN} primary>
          Start the guided WRITE
        </Enter>
      </Door>
      <Door id="measure" name="Measure" note="RDMA against TCP">
        <p>Both on this computer: goodput, and who pays the CPU time.</p>
        <Enter href={MEASURE}>Start measuring</Enter>
      </Door>
      <Door id="debug" name="Debug" note="your own program">
        <p>Unchanged. You see which request waits for what, or what failed first.</p>
        <CopyCommand command={EXEC} />
      </Door>
    </div>
  );
}

function Door(props: { id: string; name: string; note: string; children: ReactNode }) {
  const { id, name, note, children } = props;
  return (
    <section
      aria-labelledby={id}
      data-door={id}
      className="flex min-w-0 flex-col items-start gap-2 border-t-2 border-ink pt-2 text-ink-2"
    >
      <h2 id={id} className="text-16 font-semibold text-ink">
        {name} <span className="text-13 font-normal text-ink-3">{note}</span>
      </h2>
      {children}
    </section>
  );
}

function Enter({ href, primary, children }: { href: string; primary?: boolean; children: ReactNode }) {
  return (
    <PageLink href={href} className={buttonStyle({ kind: primary ? 'primary' : 'plain' })}>
      {children}
      <ArrowRight size={14} aria-hidden />
    </PageLink>
  );
}
