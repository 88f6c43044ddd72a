'use client';
import type { RunTraffic } from '@verbslab/protocol';
import { useEffect, useState } from 'react';
import { hear, request, useAgent } from '../../connection/store';

const NONE: readonly RunTraffic[] = [];

/** Traffic of the devices of runs in progress, twice per second. A hidden page requests nothing. */
export function useTraffic(): readonly RunTraffic[] {
  const connected = useAgent((s) => s.status === 'open');
  const [runs, setRuns] = useState(NONE);
  useEffect(() => {
    if (!connected) return;
    // An older agent, or one that is gone, sends no rates, so none are shown.
    const watch = (on: boolean) => void request('traffic.watch', { on }).catch(() => undefined);
    const follow = () => {
      watch(!document.hidden);
      if (document.hidden) setRuns(NONE);
    };
    const stop = hear((m) => {
      if (m.type === 'traffic.changed') setRuns(m.runs);
    });
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      stop();
      watch(false);
      setRuns(NONE);
    };
  }, [connected]);
  return runs;
}
