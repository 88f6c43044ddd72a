/** Cost of the chosen loss, as figures, a curve and a table. */
import { median, noResults, type LabResults, type ResultSpecs } from '@verbslab/protocol';
import { ahead, drawnFrom, type Episode, type Sent } from './episodes';

/** −1 stands for the most expensive loss. */
export const DEFAULTS = { loss: -1 };
export type Using = typeof DEFAULTS;

export const SPECS: ResultSpecs = {
  figures: [
    { name: 'behind', label: 'Packets sent after the lost one, until the sender went back' },
    { name: 'again', label: 'Packets retransmitted by go-back-N', text: 'Counted in the capture.' },
    {
      name: 'had',
      label: 'Of these, had reached the server before',
      text: 'In the capture of the server. Its device dropped them, because a packet before them was missing. Go-back-N has to send them again; a server that keeps them would not need them.',
    },
    {
      name: 'selective',
      label: 'Packets that selective repeat would retransmit',
      text: 'Computed: retransmitted packets of which no copy had arrived.',
    },
    {
      name: 'run-losses',
      label: 'Whole run: losses in the list',
      text: 'Each is a packet to which the sender went back before a copy of it had arrived. Another packet can be lost behind it. The lab drops packets on purpose.',
    },
    {
      name: 'run-median',
      label: 'Whole run: packets retransmitted per loss, median',
      text: 'Half of the losses cost at most this. The page opens with the one that cost most.',
    },
    {
      name: 'run-after',
      label: 'Whole run: packets retransmitted after these losses',
      text: 'The sum over the list.',
    },
    {
      name: 'run-other',
      label: 'Whole run: packets retransmitted from one that had arrived',
      text: 'The sender went back to a packet that had arrived: its ACK was lost, late or not yet due. Packets behind it may have been lost.',
    },
    {
      name: 'run-selective',
      label: 'Whole run: packets that selective repeat would retransmit',
      text: 'Computed: retransmitted packets of which no copy had arrived. More than the losses in the list where packets behind a lost one were lost, too.',
    },
    {
      name: 'run-ratio',
      label: 'Whole run: packets retransmitted per packet that was missing',
      text: 'The loss amplification: all retransmitted packets / those that selective repeat would retransmit.',
    },
  ],
  curves: [
    {
      name: 'order',
      label: 'PSNs in the order of sending',
      text: 'From shortly before the loss. Without a loss the points are on one straight line. Where the sender goes back, they fall back to the lost packet.',
      x: { label: 'Place in the order of sending' },
      y: { label: 'PSN, from the lost one' },
      series: [
        { name: 'first', label: 'Sent for the first time' },
        { name: 'lost', label: 'Lost' },
        { name: 'needed', label: 'Sent again, had not arrived' },
        { name: 'vain', label: 'Sent again, had arrived' },
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

const KINDS = ['first', 'lost', 'needed', 'vain'] as const;

const kindOf = ({ again, hadArrived, arrived }: Sent): (typeof KINDS)[number] =>
  hadArrived ? 'vain' : again ? 'needed' : arrived ? 'first' : 'lost';

/** Marks at the lost packet and at the go-back. */
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
  const missing = repeated.filter((one) => !one.hadArrived).length;
  const after = episodes.reduce((sum, one) => sum + one.again, 0);
  found.figures = {
    behind: { value: behind },
    again: { value: again },
    had: { value: hadArrived },
    selective: { value: selective },
    'run-losses': { value: episodes.length },
    'run-median': { value: median(episodes.map((one) => one.again)) },
    'run-after': { value: after },
    'run-other': { value: repeated.length - after },
    'run-selective': { value: missing },
    'run-ratio': { value: missing === 0 ? null : repeated.length / missing },
  };
  found.curves.order = sent
    .slice(drawnFrom(episode), end)
    // A line joins only packets that were sent in a row.
    .flatMap((one, i) =>
      KINDS.map((series) => ({ x: i + 1, y: kindOf(one) === series ? ahead(one.psn, psn) : null, series })),
    );
  found.tables.packets = sent.slice(first, end).map((one) => ({
    psn: one.psn,
    offset: ahead(one.psn, psn),
    had: one.hadArrived,
    selective: !one.hadArrived,
    arrived: one.arrived,
  }));
  return found;
}
