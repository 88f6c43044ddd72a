import { defineLab } from '../form/define.js';
import { delayAndWindowParams } from './params.js';
import { DELAY_AND_WINDOW_SELF_CHECKS } from './questions.js';
import { RESULTS } from './results.js';
import { runDelayAndWindow } from './run.js';

export default defineLab({
  id: 'delay-and-window',
  title: 'Delay and window',
  question: 'How does the length of a path change how much must be in flight?',
  summary:
    'The server’s device delays its packets by up to 60 µs (you may change that). At each delay you see goodput by messages in flight, what half of the link takes, and the bandwidth-delay product from the measured round trip.',
  track: 'loss',
  order: 3,
  minutes: 5,
  params: delayAndWindowParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Keeps WRITEs in flight and measures them.' },
    {
      name: 'server',
      title: 'Server',
      text: 'Registers the memory. Its device delays every packet that it sends.',
    },
  ],
  watch: ['checks', 'completions', 'verbs'],
  needs: ['faults'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'kept-eight',
      text: 'Eight messages are in flight. How much of their goodput is left with the longest delay (60 µs, unless you change it)?',
      unit: '%',
      figure: 'kept-eight',
    },
    {
      kind: 'choice',
      id: 'rule',
      text: 'What limits the goodput with the longest delay and the most messages in flight?',
      options: [
        { id: 'link', text: 'The link: the window holds more than the bandwidth-delay product' },
        { id: 'window', text: 'The window: it holds less than the bandwidth-delay product' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick run', text: 'One repetition.', params: { duration: 30, repeat: 1 } },
    {
      name: 'far',
      title: '2 ms',
      text: 'No window of the lab reaches half of a link above 2.1 Gb/s.',
      params: { delay: 2000 },
    },
    {
      name: 'small-messages',
      title: '1 KiB messages',
      text: 'The same bytes in flight are four times as many messages.',
      params: { size: 1024 },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: DELAY_AND_WINDOW_SELF_CHECKS,
  checks: [
    { id: 'delayed', text: 'No request completes before its delay is over.' },
    { id: 'bounded', text: 'No window carries more than it holds per delay.' },
  ],
  run: runDelayAndWindow,
});
