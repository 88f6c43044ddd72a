'use client';
import { PageLink } from '../ui/page-link';
import { CopyCommand } from '../ui/copy-command';
import { FailureNote, type Failure } from '../ui/states';
import { Words } from '../ui/words';
import { LANGUAGE_TITLE } from './languages';
import type { Workbench } from './use-workbench';

/** Reasons why programs cannot run here, with fixes; empty if there are none. */
export function SwitchedOff({
  workbench,
  failure,
}: {
  workbench: Workbench | null;
  failure: Failure | null;
}) {
  if (failure) return <FailureNote failure={failure} className="my-4 max-w-[72ch]" />;
  if (!workbench) return null;
  const missing = workbench.languages.filter((one) => one.missing.length > 0);
  return (
    <>
      {workbench.allowed ? null : <NotAllowed command={workbench.command} />}
      {missing.map(({ name, missing: what, install }) => (
        <div key={name} className="my-4 max-w-[72ch]" role="status" data-missing={name}>
          <p className="mb-1">
            {LANGUAGE_TITLE[name]} programs cannot be compiled: <span className="num">{what.join(', ')}</span>{' '}
            {what.length > 1 ? 'are' : 'is'} not installed on the agent’s host. Install{' '}
            {what.length > 1 ? 'them' : 'it'} there:
          </p>
          <CopyCommand command={install} />
        </div>
      ))}
      {workbench.allowed && workbench.gaps.length > 0 ? (
        <ul className="my-4 max-w-[72ch] border-l-2 border-retx pl-4 text-13 text-ink-2" data-gaps>
          {workbench.gaps.map((gap) => (
            <li key={gap}>
              <Words>{gap}</Words>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

function NotAllowed({ command }: { command: string }) {
  return (
    <section
      aria-labelledby="switched-off"
      className="my-4 max-w-[72ch] border-l-2 border-line-strong bg-sunken px-4 py-3"
      data-off
    >
      <h2 id="switched-off" className="font-medium">
        Running programs is switched off
      </h2>
      <p className="mt-1 text-ink-2">
        A program from the workbench is code that a browser sends to your machine. The agent runs none unless
        you, who started it, say so. To allow it, stop the agent and start it with this command, or add
        --allow-programs to <code className="num">npx verbslab up</code>:
      </p>
      <div className="mt-2">
        <CopyCommand command={command} />
      </div>
      <p className="text-13 text-ink-2">
        The programs run confined: they reach the device and no other network, no other files, and have limits
        on time and memory. Without the switch, you can read the tasks and write programs. To check one, use{' '}
        <code className="num">npx verbslab workbench check</code> in a terminal, as below. To run any other
        program, use <code className="num">npx verbslab exec</code>, which checks no task; see{' '}
        <PageLink href="/tools" className="text-accent underline underline-offset-4">
          Tools
        </PageLink>
        .
      </p>
    </section>
  );
}
