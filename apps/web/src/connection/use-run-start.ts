import { useCallback, useState } from 'react';
import type { Failure } from '../ui/states';
import { toFailure } from './failure';
import { request, useAgent } from './store';

type Asked = Parameters<typeof request<'run.start'>>[1];

/** Starts runs of a lab, one at a time. `onStart`: with the ID of the new run. Its identity must last. */
export function useRunStart(onStart: (id: string) => void) {
  const connected = useAgent((s) => s.status === 'open');
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const start = useCallback(
    async (asked: Asked) => {
      setStarting(true);
      setFailure(null);
      try {
        const { run } = await request('run.start', asked);
        onStart(run.id);
      } catch (e) {
        setFailure(toFailure(e));
      } finally {
        setStarting(false);
      }
    },
    [onStart],
  );
  return { connected, starting, failure, start };
}
