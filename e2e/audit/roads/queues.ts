// Occupancy of queues, from the device's samples.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { sum } from '../figures.js';
import { itemsOf, type ItemOf, type RunExport } from '../export.js';

type Sample = ItemOf<'queues'>;

/** The queue of a sample that has this name, in the latest sample of the endpoint until then. */
export function sampledQueue(
  data: RunExport,
  { endpoint, kind, number }: { endpoint: string; kind: string; number: number },
  until = Infinity,
): Sample['queues'][number] | undefined {
  const last = itemsOf(data, 'queues').findLast((e) => e.endpoint === endpoint && e.t <= until);
  return last?.queues.find((queue) => queue.kind === kind && queue.number === number);
}

/** The statement's queue in the last sample that names any. */
function shownQueue(claim: Claim, data: RunExport): Sample['queues'][number] {
  const [kind = '', number = ''] = claim.data('queue').split(' ');
  const last = itemsOf(data, 'queues').findLast(
    ({ endpoint, queues }) => endpoint === claim.data('endpoint') && queues.length > 0,
  );
  return (
    last?.queues.find((queue) => queue.kind === kind && queue.number === Number(number)) ??
    claim.fail('the last sample of its process', 'no such queue')
  );
}

export const QUEUES: Roads<Evidence> = {
  'queue-fill': (claim, { data }) => {
    const { used, size } = claim.match(/^(?<used>[\d,]+|\?) \/ (?<size>[\d,]+)$/);
    if (used === '?') return;
    const queue = shownQueue(claim, data);
    claim.count(queue.used, 'the last sample', used);
    claim.count(queue.size, 'the last sample', size);
  },
  'queue-since': (claim, { data }) => {
    const { since } = shownQueue(claim, data);
    if (claim.text === 'changing') return claim.equal('undefined', 'the last sample', String(since));
    const { t } = claim.match(/^(?<t>[\d.,]+) s$/);
    claim.figure((since ?? NaN) / 1e9, 'the last sample', t);
  },
  'queues-when': (claim, { data }) => {
    const { t } = claim.match(/[Ll]ast sample.*? (?<t>[\d.,]+) s/);
    const named = itemsOf(data, 'queues').filter(({ queues }) => queues.length > 0);
    claim.figure(Math.max(...named.map((e) => e.t)) / 1e9, 'the samples that name a queue', t);
  },
  'queues-more': (claim) => {
    claim.match(/^(?<n>[\d,]+) more/);
  },
  'queues-grouped': (claim, { data }) => {
    const { n, used, size } = claim.match(/^(?<n>[\d,]+) \w+ with (?<used>[\d,]+) \/ (?<size>[\d,]+)$/);
    const last = new Map(
      itemsOf(data, 'queues')
        .filter(({ queues }) => queues.length > 0)
        .map((sample) => [sample.endpoint, sample]),
    );
    const grouped = [...last.values()]
      .flatMap(({ others }) => others)
      .filter(({ kind }) => kind === claim.data('queue'));
    const total = (of: 'queues' | 'used' | 'size') => sum(grouped.map((one) => one[of]));
    claim.count(total('queues'), 'the last samples', n);
    claim.count(total('used'), 'the last samples', used);
    claim.count(total('size'), 'the last samples', size);
  },
  'queue-series': (claim, { data }) => {
    const all = itemsOf(data, 'queues').flatMap(({ queues }) => queues.map(({ used }) => used));
    for (const [, used] of claim.text.matchAll(/\d s\s+(\d[\d,]*)\b/g))
      claim.holds(all.includes(Number(used!.replaceAll(',', ''))), 'the samples', used);
  },
};
