'use client';
import { useAgent } from './store';

/** True when nothing has ever come from the agent and it does not answer: grey shapes would then wait for ever. */
export function useAbsent(): boolean {
  return useAgent((s) => s.status === 'lost' && s.agent === null);
}

/** In the place of what only the agent knows. The banner above says what to do about it. */
export function Absent({ what }: { what: string }) {
  const why = useAgent((s) => s.why);
  return (
    <p className="max-w-[72ch] border-y py-4 text-ink-2">
      {what}{' '}
      {why === 'unauthorised'
        ? 'once you are signed in.'
        : why === 'protocol'
          ? 'once you reload this page.'
          : 'as soon as the agent answers.'}
    </p>
  );
}
