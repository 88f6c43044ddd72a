import type { ResultSpecs } from '@verbslab/protocol';

const MOST = 'With the most flows. Median over the seeds, second half of the time.';

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'victim', label: 'The victim with PFC', unit: 'Gb/s', text: MOST },
    { name: 'victim-cc', label: 'The victim with PFC and congestion control', unit: 'Gb/s', text: MOST },
    { name: 'victim-drop', label: 'The victim with drops', unit: 'Gb/s', text: MOST },
    {
      name: 'ideal',
      label: 'What the victim could have',
      unit: 'Gb/s',
      text: 'Computed: what its uplink has left if each leaf gets half of the busy host’s link.',
    },
    { name: 'alone', label: 'The flow alone on its port, with PFC', unit: 'Gb/s', text: MOST },
    { name: 'each', label: 'Each flow that shares a port, with PFC', unit: 'Gb/s', text: MOST },
    {
      name: 'alone-cc',
      label: 'The flow alone on its port, with congestion control',
      unit: 'Gb/s',
      text: MOST,
    },
    {
      name: 'each-cc',
      label: 'Each flow that shares a port, with congestion control',
      unit: 'Gb/s',
      text: MOST,
    },
    {
      name: 'fair',
      label: 'The fair share',
      unit: 'Gb/s',
      text: 'Computed: the link over the number of flows.',
    },
    { name: 'pauses', label: 'PAUSE frames beside the victim', unit: 'PAUSEs', text: MOST },
    {
      name: 'pauses-cc',
      label: 'PAUSE frames beside the victim, with congestion control',
      unit: 'PAUSEs',
      text: MOST,
    },
    {
      name: 'residual-port',
      label: 'Flows that share a port, against the formula',
      unit: '%',
      text: 'Simulated / formula − 1, where it is farthest from 0.',
    },
    { name: 'residual-uplink', label: 'The victim, against the formula', unit: '%', text: 'Likewise.' },
  ],
  tables: [
    {
      name: 'port',
      label: 'One flow against those of another port',
      text: 'Gb/s, medians over the seeds.',
      columns: [
        { name: 'k', label: 'k' },
        { name: 'alone', label: 'Alone, PFC' },
        { name: 'each', label: 'Each of k, PFC' },
        { name: 'formula', label: 'Formula' },
        { name: 'residual', label: 'Residual', unit: '%' },
        { name: 'fair', label: 'Fair share' },
        { name: 'alonecc', label: 'Alone, control' },
        { name: 'eachcc', label: 'Each of k, control' },
      ],
    },
    {
      name: 'uplink',
      label: 'The victim',
      text: 'Gb/s, medians over the seeds.',
      columns: [
        { name: 'k', label: 'k' },
        { name: 'victim', label: 'PFC' },
        { name: 'formula', label: 'Formula' },
        { name: 'residual', label: 'Residual', unit: '%' },
        { name: 'ideal', label: 'Could have' },
        { name: 'control', label: 'Control' },
        { name: 'drop', label: 'Drops' },
        { name: 'pauses', label: 'PAUSE frames, PFC' },
        { name: 'pausescc', label: 'PAUSE frames, control' },
      ],
    },
  ],
  curves: [
    {
      name: 'victim-by-k',
      label: 'What the victim gets',
      x: { label: 'k: flows beside it to the busy host', log: true },
      y: { label: 'Goodput', unit: 'Gb/s' },
      series: [
        { name: 'pfc', label: 'PFC' },
        { name: 'formula', label: 'PFC, formula' },
        { name: 'control', label: 'PFC, congestion control' },
        { name: 'drop', label: 'Drops' },
        { name: 'ideal', label: 'Could have' },
      ],
    },
    {
      name: 'port-by-k',
      label: 'One flow on a port, k on another',
      x: { label: 'k: flows on the other port', log: true },
      y: { label: 'Goodput', unit: 'Gb/s' },
      series: [
        { name: 'alone', label: 'Alone, PFC' },
        { name: 'each', label: 'Each of k, PFC' },
        { name: 'formula', label: 'Each of k, formula' },
        { name: 'alone-cc', label: 'Alone, control' },
        { name: 'each-cc', label: 'Each of k, control' },
      ],
    },
  ],
};
