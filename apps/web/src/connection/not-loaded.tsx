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

/** Reason why a list did not load; null while disconnected, because the banner reports that. */
export function useNotLoaded(what: What): Failure | null {
  const failure = useAgent((s) => s[`${what}Failure`]);
  const connected = useAgent((s) => s.status === 'open');
  return connected ? failure : null;
}

/** Error note with a button that asks again. Empty if the list has loaded. */
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
