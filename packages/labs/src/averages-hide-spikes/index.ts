import { defineLab } from '../form/define.js';
import { averagesHideSpikesParams } from './params.js';
import { AVERAGES_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runAveragesHideSpikes } from './run.js';

export default defineLab({
  id: 'averages-hide-spikes',
  title: 'Averages hide spikes',
  question: 'What does the mean latency say when one request in 200 is slow?',
  summary:
    'The client’s device delays about one packet in 200 by 2 ms. You see mean, percentiles, maximum and histogram, with and without these spikes.',
  short: 'Averages',
  why: 'The mean can be a latency that hardly any request has.',
  buildsOn: ['latency'],
  picture: { sample: 'write', focus: ['client.program', 'client.device', 'wire'] },
  track: 'loss',
  order: 4,
  minutes: 4,
  params: averagesHideSpikesParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Writes. Its device delays some packets.' },
    { name: 'server', title: 'Server', text: 'Registers the memory.' },
  ],
  watch: ['checks', 'verbs'],
  needs: ['faults'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'mean',
      text: 'How large is the mean latency with spikes?',
      unit: 'µs',
      figure: 'mean',
    },
    {
      kind: 'choice',
      id: 'which',
      text: 'Which is the first of these to show the spikes?',
      options: [
        { id: 'p50', text: 'p50' },
        { id: 'p99', text: 'p99' },
        { id: 'p999', text: 'p99.9' },
        { id: 'max', text: 'Only the maximum' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick run', params: { messages: 10_000 } },
    {
      name: 'frequent',
      title: 'One in 50',
      text: 'Now p99 shows the spikes too.',
      params: { every: 50, delay: 1000 },
    },
    {
      name: 'rare',
      title: 'One in 1,000, of 10 ms',
      text: 'The same mean; spikes that rare barely reach p99.9.',
      params: { every: 1000, delay: 10_000 },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: AVERAGES_SELF_CHECKS,
  checks: [
    { id: 'samples', text: 'Every WRITE is in its histogram exactly once.' },
    { id: 'spikes', text: 'At least as many WRITEs are slow as packets were delayed.' },
  ],
  run: runAveragesHideSpikes,
});
