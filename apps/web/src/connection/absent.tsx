'use client';
import { useAgent } from './store';

/** True if the agent does not answer and never has: a skeleton would then wait forever. */
export function useAbsent(): boolean {
  return useAgent((s) => s.status === 'lost' && s.agent === null);
}

/** Replaces content that only the agent has. The banner above says what to do. */
export function Absent({ what }: { what: string }) {
  const why = useAgent((s) => s.why);
  return (
    <p className="max-w-[72ch] border-y py-4 text-ink-2">
      {what}{' '}
      {why === 'unauthorized'
        ? 'once you are signed in.'
        : why === 'protocol'
          ? 'once you reload this page.'
          : 'as soon as the agent answers.'}
    </p>
  );
}
