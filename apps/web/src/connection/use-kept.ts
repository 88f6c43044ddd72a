'use client';
import type { AgentMessage } from '@verbslab/protocol';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Failure } from '../ui/states';
import { toFailure } from './failure';
import { hear, useAgent } from './store';

/**
 * An answer of the agent, kept up to date: asked for after each connection and for each `key`, and folded with what the
 * agent says by itself. `key`: what is asked for; null for nothing. The last answer stays until the next one is there.
 */
export function useKept<T>(
  key: string | null,
  ask: () => Promise<T>,
  fold: (kept: T, message: AgentMessage) => T = (kept) => kept,
): { kept: T | null; failure: Failure | null } {
  const connected = useAgent((s) => s.status === 'open');
  const [kept, setKept] = useState<T | null>(null);
  const [failed, setFailed] = useState<{ key: string; failure: Failure } | null>(null);
  const asked = useEffectEvent(ask);
  const heard = useEffectEvent((message: AgentMessage) =>
    setKept((old) => (old === null ? old : fold(old, message))),
  );
  useEffect(() => {
    if (!connected || key === null) return;
    let gone = false;
    const stop = hear((message) => heard(message));
    asked().then(
      (answer) => {
        if (gone) return;
        setKept(answer);
        setFailed(null);
      },
      (e: unknown) => {
        if (!gone) setFailed({ key, failure: toFailure(e) });
      },
    );
    return () => {
      gone = true;
      stop();
    };
  }, [connected, key]);
  return { kept, failure: failed !== null && failed.key === key ? failed.failure : null };
}
