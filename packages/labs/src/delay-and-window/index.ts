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
    'The server’s device delays its packets by up to 60 µs (you may change that). You see goodput by messages in flight at each delay.',
  short: 'Delay and window',
  why: 'The same program is slower on a longer path.',
  buildsOn: ['outstanding'],
  picture: { sample: 'many-writes', focus: ['wire', 'client.sq'] },
  track: 'loss',
  order: 3,
  minutes: 5,
  params: delayAndWindowParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Keeps WRITEs in flight and measures them.' },
    {
      name: 'server',
      title: 'Server',
      text: 'Its device delays every packet that it sends.',
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
        { id: 'link', text: 'The link: enough is in flight' },
        { id: 'window', text: 'The window: too little is in flight' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick run', params: { duration: 30, repeat: 1 } },
    {
      name: 'far',
      title: '2 ms',
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
