import { resultViews, type TableView } from '@verbslab/labs';
import { noResults, type Simulation, type TableSpec } from '@verbslab/protocol';

const SPEC: TableSpec = {
  name: 'simulations',
  label: 'Each simulation',
  text: 'Times are virtual. Goodput is that of all hosts together.',
  columns: [
    { name: 'title', label: 'Simulation' },
    { name: 'us', label: 'Time', unit: 'µs' },
    { name: 'goodput', label: 'Goodput', unit: 'Gb/s' },
    { name: 'queue', label: 'Deepest queue', unit: 'B' },
    { name: 'marked', label: 'Marked' },
    { name: 'dropped', label: 'Dropped' },
    { name: 'pauses', label: 'PAUSE frames' },
    { name: 'timeouts', label: 'ACK timeouts' },
    { name: 'retransmitted', label: 'Retransmitted' },
  ],
};

/** A row for each simulation of a run that has several; null for none or one, which has a chart of its own. */
export function simulationsTable(all: readonly Pick<Simulation, 'title' | 'result'>[]): TableView | null {
  if (all.length < 2) return null;
  const results = noResults();
  results.tables[SPEC.name] = all.map(({ title, result }) => ({
    title,
    ...(result && {
      us: result.us,
      goodput: result.goodput_gbps,
      queue: result.queue_max_bytes,
      marked: result.marked,
      dropped: Object.values(result.drops).reduce((sum, n) => sum + n, 0),
      pauses: result.pauses,
      timeouts: result.timeouts,
      retransmitted: result.retransmitted,
    }),
  }));
  return resultViews(results, { results: { tables: [SPEC] } }).tables[0] ?? null;
}
