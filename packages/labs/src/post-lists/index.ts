import { defineLab } from '../form/define.js';
import { POST_LISTS_RULES, postListsParams } from './params.js';
import { POST_LISTS_SELF_CHECKS } from './questions.js';
import { runPostLists } from './run.js';

const LENGTH = { label: 'Requests per post', unit: 'requests', log: true };

export default defineLab({
  id: 'post-lists',
  title: 'Lists of requests per post',
  question: 'How many work requests should you pass to one ibv_post_send?',
  summary:
    'A client posts small WRITEs one by one, then in longer and longer lists. You see rate, CPU time, and what happens when only part of a list is accepted.',
  short: 'Post lists',
  why: 'Each post pays for a call, a lock and a doorbell.',
  buildsOn: ['outstanding'],
  picture: { sample: 'many-writes', focus: ['client.program', 'client.sq', 'client.device'] },
  track: 'completions',
  order: 3,
  minutes: 5,
  params: postListsParams,
  rules: POST_LISTS_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'Posts WRITEs in lists.' },
    { name: 'server', title: 'Server', text: 'Makes no call during the transfers.' },
  ],
  watch: ['completions', 'verbs', 'problems', 'checks'],
  wants: ['faults'],
  results: {
    figures: [
      { name: 'single', label: 'One request per post', unit: 'k msg/s' },
      { name: 'single-cpu', label: 'CPU time per message, one per post', unit: 'ns' },
      { name: 'best', label: 'Highest median rate', unit: 'k msg/s' },
      { name: 'best-cpu', label: 'CPU time per message at the highest rate', unit: 'ns' },
      {
        name: 'knee',
        label: 'Knee',
        unit: 'requests',
        text: 'Shortest list with 90 % of the highest median; none if 1 or the longest.',
      },
      { name: 'accepted', label: 'Requests sent from a list that failed', unit: 'requests' },
    ],
    tables: [
      {
        name: 'lists',
        label: 'Rate and CPU time by list length',
        text: 'Calls = 1,000,000 / length.',
        columns: [
          { name: 'length', label: 'Requests per post' },
          { name: 'calls', label: 'Calls per million messages' },
          { name: 'rate', label: 'Message rate', unit: 'k msg/s' },
          { name: 'cpu', label: 'CPU time per message', unit: 'ns' },
        ],
      },
      {
        name: 'refused',
        label: 'Lists that are not accepted',
        columns: [
          { name: 'list', label: 'List' },
          { name: 'call', label: 'Call' },
          { name: 'result', label: 'Result' },
          { name: 'completed', label: 'Requests that completed' },
        ],
      },
    ],
    curves: [
      {
        name: 'rate',
        label: 'Message rate by list length',
        text: 'Medians; the range spans the repetitions.',
        x: LENGTH,
        y: { label: 'Message rate', unit: 'k msg/s', log: true },
      },
      {
        name: 'cpu',
        label: 'CPU time per message by list length',
        text: 'The client’s application, NIC work and kernel.',
        x: LENGTH,
        y: { label: 'CPU time', unit: 'ns', log: true },
      },
    ],
  },
  predictions: [
    {
      kind: 'choice',
      id: 'gain',
      text: 'Is the best length clearly faster than one request per post?',
      options: [
        { id: 'faster', text: 'Yes, beyond the spread' },
        { id: 'same', text: 'No clear difference' },
      ],
    },
    {
      kind: 'choice',
      id: 'refused',
      text: 'ibv_post_send fails for a list that does not fit. How many of its requests are sent?',
      options: [
        { id: 'none', text: 'None' },
        { id: 'some', text: 'Those that fit' },
        { id: 'all', text: 'All, later' },
      ],
    },
  ],
  variations: [
    {
      name: 'large-messages',
      title: '16 KiB messages',
      params: { size: 16_384 },
    },
    {
      name: 'long-lists',
      title: 'Lists of up to 256',
      text: 'A list as long as the send queue leaves the device idle while the next one is built.',
      params: { largest: 256 },
    },
    { name: 'udp', title: 'Over UDP', text: 'A list becomes fewer system calls.', params: { link: 'udp' } },
  ],
  selfChecks: POST_LISTS_SELF_CHECKS,
  intends: [
    {
      role: 'client',
      most: 1,
      calls: [
        { call: 'ibv_post_send', errno: 'EINVAL' },
        { call: 'ibv_wr_complete', errno: 'ENOMEM' },
      ],
    },
    // A request behind a list that did not fit is tried until there is room.
    { role: 'client', calls: [{ call: 'ibv_post_send', errno: 'ENOMEM' }] },
  ],
  checks: [
    { id: 'same-work', text: 'Every length sends the same messages, with the same completions.' },
    { id: 'too-long', text: 'If a list does not fit, the requests that fit are sent.' },
    { id: 'invalid', text: 'If a request in a list is invalid, the requests before it are sent.' },
    { id: 'all-or-nothing', text: 'Extended posting sends the whole list or nothing.' },
  ],
  run: runPostLists,
});
