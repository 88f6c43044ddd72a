/** What the chosen loss cost, as figures, a curve and a table. */
import { noResults, type LabResults, type ResultSpecs } from '@verbslab/protocol';
import { ahead, type Episode, type Sent } from './episodes';

/** −1: the one that cost most. */
export const DEFAULTS = { loss: -1 };
export type Using = typeof DEFAULTS;

export const SPECS: ResultSpecs = {
  figures: [
    {
      name: 'behind',
      label: 'Packets sent after the lost one, until the sender went back',
      unit: 'packets',
    },
    { name: 'again', label: 'Retransmitted by go-back-N', unit: 'packets', text: 'Counted in the capture.' },
    {
      name: 'had',
      label: 'Of these, had arrived before',
      unit: 'packets',
      text: 'In the capture of the server. Its device dropped them, because a packet before them was missing.',
    },
    {
      name: 'selective',
      label: 'Selective repeat would have retransmitted',
      unit: 'packets',
      text: 'Computed: retransmitted packets of which no copy had arrived.',
    },
    {
      name: 'run-again',
      label: 'Whole run: retransmitted',
      unit: 'packets',
      text: 'After all losses of the capture.',
    },
    {
      name: 'run-selective',
      label: 'Whole run, selective repeat',
      unit: 'packets',
      text: 'Computed: copies sent again of packets that had not arrived.',
    },
  ],
  curves: [
    {
      name: 'order',
      label: 'PSNs in the order of sending',
      text: 'From shortly before the loss. A sender without losses draws one straight line; it falls back where it goes back.',
      x: { label: 'Place in the order of sending' },
      y: { label: 'PSN, from the lost one' },
      series: [
        { name: 'first', label: 'Sent first' },
        { name: 'lost', label: 'Lost' },
        { name: 'needed', label: 'Again, needed' },
        { name: 'vain', label: 'Again, had arrived' },
      ],
    },
  ],
  tables: [
    {
      name: 'packets',
      label: 'Retransmitted packets, one by one',
      columns: [
        { name: 'psn', label: 'PSN' },
        { name: 'offset', label: 'From the lost one' },
        { name: 'had', label: 'An earlier copy had arrived' },
        { name: 'selective', label: 'Selective repeat sends it' },
        { name: 'arrived', label: 'This copy arrived' },
      ],
    },
  ],
};

/** Packets drawn before the lost one. */
const BEFORE = 4;

const kindOf = ({ again, hadArrived, arrived }: Sent): string =>
  hadArrived ? 'vain' : again ? 'needed' : arrived ? 'first' : 'lost';

const drawnFrom = ({ lost }: Episode): number => Math.max(0, lost - BEFORE);

/** Where the packet was lost, and where the sender went back to it. */
export function marksOf(episode: Episode): { names: string[]; x: number; label: string }[] {
  const from = drawnFrom(episode);
  return [
    { names: ['lost'], x: episode.lost - from + 1, label: 'lost' },
    { names: ['needed'], x: episode.first - from + 1, label: 'goes back' },
  ];
}

export function compute(sent: readonly Sent[], episodes: readonly Episode[], { loss }: Using): LabResults {
  const found = noResults();
  const episode = episodes[loss];
  if (!episode) return found;
  const { psn, first, end, behind, again, hadArrived, selective } = episode;
  const repeated = sent.filter((one) => one.again);
  found.figures = {
    behind: { value: behind },
    again: { value: again },
    had: { value: hadArrived },
    selective: { value: selective },
    'run-again': { value: repeated.length },
    'run-selective': { value: repeated.filter((one) => !one.hadArrived).length },
  };
  found.curves.order = sent
    .slice(drawnFrom(episode), end)
    .map((one, i) => ({ x: i + 1, y: ahead(one.psn, psn), series: kindOf(one) }));
  found.tables.packets = sent.slice(first, end).map((one) => ({
    psn: one.psn,
    offset: ahead(one.psn, psn),
    had: one.hadArrived,
    selective: !one.hadArrived,
    arrived: one.arrived,
  }));
  return found;
}
