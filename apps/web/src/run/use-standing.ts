import { isFinal } from '@verbslab/protocol';
import { standstill, type StillAnswer } from '@verbslab/report/standstill';
import { useEffect, useState } from 'react';
import type { RunView } from '../connection/run-view';
import { usePaused, useTopics } from '../connection/use-session';
import { useAgent } from '../connection/store';
import type { Topic } from '../model/run-model';

const TOPICS: readonly Topic[] = ['standstill', 'state'];
/** A second that passes is shown at once; more often than that nothing changes. */
const TICK_MS = 250;

/** What a program waits for, now or, of one that a signal ended, when it ended; null if nothing stands still. */
export function useStanding(view: RunView): StillAnswer | null {
  useTopics(view, TOPICS);
  const paused = usePaused(view);
  const connected = useAgent((s) => s.status === 'open');
  const { stills, record } = view.model;
  const ended = isFinal(record.state);
  const going = !ended && !paused && connected;
  // The run's clock: the time of its latest event, and what has passed here since that came.
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (!going) return;
    let seen = { latest: -1, came: 0 };
    const timer = setInterval(() => {
      const { latest } = stills;
      if (latest !== seen.latest) seen = { latest, came: performance.now() };
      setNow(latest + (performance.now() - seen.came) * 1e6);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [going, stills]);
  return standstill(stills, Math.max(now, stills.latest), { ended });
}
