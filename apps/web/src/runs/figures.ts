import { cpuPerGBTotal, untilText, type RunRecord, type TransportResult } from '@verbslab/protocol';
import { secondsText } from '../format/number';

/** CPU seconds per GB in all; null when nothing was moved. */
export function cpuTotal(r: TransportResult): number | null {
  const c = r.cpuSecondsPerGB;
  return c && cpuPerGBTotal(c);
}

/** Where a run is shown. */
export function runHref(id: string): string {
  return `/runs/view?id=${id}`;
}

/** Seconds from start to end, or to now while it is in progress. */
export function runSeconds(run: RunRecord, now: number): number | null {
  if (run.startedAt === null) return null;
  return Math.max(0, ((run.endedAt ?? now) - run.startedAt) / 1000);
}

/** What partial figures of a run that ended early cover: "until it was cancelled after 3.1 s". */
export function coverage(run: RunRecord): string {
  const seconds = run.endedAt === null ? null : runSeconds(run, 0);
  return untilText(run.state, seconds === null ? undefined : secondsText(seconds));
}
