// Policies of queue pairs, from the device's samples.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf, type ItemOf, type RunExport } from '../export.js';

type State = ItemOf<'policies'>['qps'][number];

const CONGESTION: Readonly<Record<string, string>> = {
  none: '',
  'dcqcn-paper': 'DCQCN (paper)',
  'dcqcn-nic': 'DCQCN (NIC)',
  'dcqcn-ns3': 'DCQCN (ns-3)',
  swift: 'Swift',
  timely: 'TIMELY',
  'timely-patched': 'TIMELY (patched)',
};

const recoveryOf = ({ recovery, recoveryInEffect }: State): string => {
  if (recovery === 'selective-repeat')
    return recoveryInEffect === 'go-back-n'
      ? 'selective repeat asked, go-back-N in effect'
      : 'selective repeat';
  return recovery === 'go-back-n' ? '' : recovery;
};

const nameOf = (state: State): string =>
  [recoveryOf(state), CONGESTION[state.congestion] ?? state.congestion]
    .filter((part) => part !== '')
    .join(' · ');

/** The last state of the statement's queue pair. */
function shownState(claim: Claim, data: RunExport): State {
  const states = itemsOf(data, 'policies')
    .filter(({ endpoint }) => endpoint === claim.data('endpoint'))
    .flatMap(({ qps }) => qps.filter(({ qpn }) => qpn === Number(claim.data('qp'))));
  return states.at(-1) ?? claim.fail('the samples of its process', 'no such queue pair');
}

export const POLICIES: Roads<Evidence> = {
  policy: (claim, { data }) => {
    const names = itemsOf(data, 'policies').flatMap(({ qps }) => qps.map(nameOf));
    claim.holds(names.includes(claim.text), 'the samples', names.join(', '));
  },
  'policy-allowed': (claim, { data }) => {
    const { rate, window } = shownState(claim, data);
    if (window !== undefined) return claim.quantity(window, 'the last sample');
    if (rate === undefined) return claim.equal('not limited', 'the last sample');
    const { value, unit } = claim.match(/^(?<value>[\d.,]+) (?<unit>Gb|Mb|kb)\/s$/);
    claim.figure(rate / { Gb: 1e9, Mb: 1e6, kb: 1e3 }[unit as 'Gb' | 'Mb' | 'kb'], 'the last sample', value);
  },
  'policy-cnps': (claim, { data }) => claim.count(shownState(claim, data).cnps, 'the last sample'),
  'policy-marks': (claim, { data }) => claim.count(shownState(claim, data).marks, 'the last sample'),
  'policies-more': (claim, { data }) => {
    const most = new Map<string, number>();
    for (const { endpoint = '', others } of itemsOf(data, 'policies'))
      most.set(endpoint, Math.max(others, most.get(endpoint) ?? 0));
    const { n } = claim.match(/^(?<n>[\d,]+) more/);
    claim.count(
      [...most.values()].reduce((a, b) => a + b, 0),
      'the samples',
      n,
    );
  },
  'policy-series': (claim, { data }) => {
    const cnps = itemsOf(data, 'policies').flatMap(({ qps }) => qps.map((qp) => qp.cnps));
    for (const [, last] of claim.text.matchAll(/(\d[\d,]*)\s*(?=\n|$)/g))
      claim.holds(cnps.includes(Number(last!.replaceAll(',', ''))), 'the samples', last);
  },
};
