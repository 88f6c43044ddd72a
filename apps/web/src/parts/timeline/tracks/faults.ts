import { faultsText } from '@verbslab/protocol';
import type { RunModel } from '../../../model/run-model';
import type { Span } from '../model/spans';
import type { SpanTrack } from '../model/track';
import { rowsHeight } from './requests';

/** What a person injected into the packets of each endpoint, and for how long. `last`: the end of what goes on. */
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
