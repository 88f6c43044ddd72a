import { faultsText } from '@verbslab/protocol';
import type { RunModel } from '../../../model/run-model';
import type { Span } from '../model/spans';
import type { SpanTrack } from '../model/track';
import { rowsHeight } from './requests';

/**
 * Faults that a person injected into the packets of each endpoint, with their duration. `last`: end of those still in
 * effect.
 */
export function faultTracks(model: RunModel, last: number): SpanTrack[] {
  const ends = new Set(model.faults.map(({ endpoint }) => endpoint ?? ''));
  return [...ends].map((endpoint) => {
    const own = model.faults.filter((e) => (e.endpoint ?? '') === endpoint);
    const row = own.flatMap((e, i): Span[] => {
      const label = faultsText(e);
      const to = Math.max(e.t, own[i + 1]?.t ?? last);
      return label === '' ? [] : [{ from: e.t, to, ref: e.seq, label, tone: 'error' }];
    });
    return {
      id: `faults ${endpoint}`,
      group: endpoint,
      title: 'Injected faults',
      kind: 'spans',
      of: 'event',
      rows: [row],
      height: rowsHeight(1),
    };
  });
}
