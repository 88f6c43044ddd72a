'use client';
import { Button } from '../ui/button';
import { FailureNote, type Failure } from '../ui/states';
import { loadPeers, loadProgress, loadRuns, useAgent } from './store';

type What = 'runs' | 'peers' | 'progress';

const AGAIN: Readonly<Record<What, () => Promise<void>>> = {
  runs: () => loadRuns(),
  peers: () => loadPeers(),
  progress: () => loadProgress(),
};

/** Why a list did not come, while the agent is there: the banner says that it is gone. */
export function useNotLoaded(what: What): Failure | null {
  const failure = useAgent((s) => s[`${what}Failure`]);
  const connected = useAgent((s) => s.status === 'open');
  return connected ? failure : null;
}

/** The same, with a button that asks again. Nothing where the list came. */
export function NotLoaded({ what, className }: { what: What; className?: string | undefined }) {
  const failure = useNotLoaded(what);
  if (!failure) return null;
  return (
    <FailureNote
      failure={failure}
      {...(className === undefined ? {} : { className })}
      action={<Button onClick={() => void AGAIN[what]()}>Ask again</Button>}
    />
  );
}
