import { cpuPerGBTotal, runSeconds, untilText, type RunRow, type TransportResult } from '@verbslab/protocol';
import { secondsText } from '../../format/number';

/** CPU seconds per GB in all; null when nothing was moved. */
export function cpuTotal(r: TransportResult): number | null {
  const c = r.cpuSecondsPerGB;
  return c && cpuPerGBTotal(c);
}

/** What partial figures of a run that ended early cover: "until it was cancelled after 3.1 s". */
export function coverage(run: RunRow): string {
  const seconds = runSeconds(run);
  return untilText(run.state, seconds === null ? undefined : secondsText(seconds));
}
