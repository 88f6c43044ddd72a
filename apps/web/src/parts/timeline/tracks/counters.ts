import type { RunModel } from '../../../model/run-model';
import type { LineTrack } from '../model/track';
import { laterText, type TrackEvents } from '../model/track-events';

/** Counters have a heading of their own: there are many, and few are looked at. */
export const countersOf = (endpoint: string): string => `${endpoint}${COUNTERS}`;
export const COUNTERS = ' counters';

/** Counters that stand still are not drawn. */
export function counterTracks(model: RunModel, { snapshots }: TrackEvents): LineTrack[] {
  return [...model.counters].flatMap(([endpoint, { history: all }]) => {
    const history = all.length > snapshots ? all.slice(-snapshots) : all;
    const caveat = laterText(all.length - history.length);
    const names = [...new Set(history.flatMap(({ values }) => Object.keys(values)))].toSorted();
    return names.flatMap((name): LineTrack[] => {
      const known = history.filter(({ values }) => values[name] !== undefined);
      const first = (all[0]?.values[name] === undefined ? known : all)[0]?.values[name] ?? 0;
      const y = Float64Array.from(known, ({ values }) => values[name]! - first);
      const top = y.reduce((a, b) => Math.max(a, b), 0);
      if (top === 0) return [];
      const t = Float64Array.from(known, (snapshot) => snapshot.t);
      return [
        {
          id: `counter ${endpoint} ${name}`,
          group: countersOf(endpoint),
          title: name,
          kind: 'lines',
          form: 'steps',
          lines: [{ name: 'since the first snapshot', color: 'ink-2', t, y }],
          top,
          unit: '',
          height: 32,
          ...(caveat === null ? {} : { caveat }),
        },
      ];
    });
  });
}
