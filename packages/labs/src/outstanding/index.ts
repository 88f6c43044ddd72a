import { defineLab } from '../form/define.js';
import { OUTSTANDING_RULES, outstandingParams } from './params.js';
import { OUTSTANDING_SELF_CHECKS } from './questions.js';
import { runOutstanding } from './run.js';

const FASTEST = 'Of the fastest repetition.';
const DEPTH = { label: 'Requests in flight', unit: 'requests', log: true };

export default defineLab({
  id: 'outstanding',
  title: 'Requests in flight',
  question: 'How many requests must be in flight to fill the path?',
  summary:
    'A client keeps 1, 2, 4, … requests in flight on a path with added delay. Goodput grows up to a knee, and beyond it mostly the latency.',
  short: 'In flight',
  why: 'One request at a time leaves a fast network idle.',
  buildsOn: ['write-stages'],
  picture: { sample: 'many-writes', focus: ['client.sq', 'wire'] },
  track: 'completions',
  order: 2,
  minutes: 5,
  params: outstandingParams,
  rules: OUTSTANDING_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'Keeps requests in flight.' },
    {
      name: 'server',
      title: 'Server',
      text: 'Its device delays every packet that it sends, if it can.',
    },
  ],
  watch: ['completions', 'verbs', 'checks'],
  wants: ['faults'],
  results: {
    figures: [
      { name: 'alone', label: 'Goodput with one request in flight', unit: 'Gb/s', text: FASTEST },
      {
        name: 'alone-latency',
        label: 'Latency with one request in flight',
        unit: 'µs',
        text: 'From post to completion: the lowest mean of a repetition.',
      },
      { name: 'best', label: 'Highest goodput', unit: 'Gb/s', text: FASTEST },
      {
        name: 'knee',
        label: 'Knee',
        unit: 'requests',
        text: 'The fewest requests in flight with 90 % of the highest goodput.',
      },
      {
        name: 'product',
        label: 'Bandwidth-delay product',
        unit: 'B',
        text: 'Highest goodput × latency with one request in flight.',
      },
      { name: 'needed', label: 'Requests that hold that many bytes', unit: 'requests' },
      {
        name: 'last-latency',
        label: 'Latency with the most requests in flight',
        unit: 'µs',
        text: 'Lowest mean of a repetition.',
      },
      { name: 'accepted', label: 'Requests accepted without an ACK', unit: 'requests' },
    ],
    tables: [
      {
        name: 'depths',
        label: 'Goodput and latency',
        text: 'Best repetition of each. In flight = rate × mean latency of the fastest (Little’s law).',
        columns: [
          { name: 'depth', label: 'Limit in flight' },
          { name: 'gbps', label: 'Goodput', unit: 'Gb/s' },
          { name: 'latency', label: 'Mean latency', unit: 'µs' },
          { name: 'flying', label: 'In flight' },
        ],
      },
    ],
    curves: [
      {
        name: 'goodput',
        label: 'Goodput by requests in flight',
        text: 'Fastest repetition, with the range of all. Computed: requests × size / latency with one request.',
        x: DEPTH,
        y: { label: 'Goodput', unit: 'Gb/s', log: true },
        series: [
          { name: 'measured', label: 'Measured' },
          { name: 'computed', label: 'Computed from one request' },
        ],
      },
      {
        name: 'latency',
        label: 'Latency by requests in flight',
        text: 'Lowest mean of a repetition, with the range of all repetitions.',
        x: DEPTH,
        y: { label: 'Mean latency', unit: 'µs', log: true },
      },
    ],
  },
  predictions: [
    {
      kind: 'number',
      id: 'knee',
      text: 'How many requests in flight give 90 % of the highest goodput?',
      unit: 'requests',
      figure: 'knee',
    },
    {
      kind: 'choice',
      id: 'after',
      text: 'What do even more requests in flight change?',
      options: [
        { id: 'goodput', text: 'Goodput keeps growing' },
        { id: 'latency', text: 'Latency grows by a fifth, goodput does not' },
        { id: 'same', text: 'Neither changes by much' },
      ],
    },
  ],
  variations: [
    {
      name: 'short-path',
      title: 'No added delay',
      text: 'A few requests give much more goodput.',
      params: { delay: 0 },
    },
    {
      name: 'long-path',
      title: '1 ms of added delay',
      text: 'It needs about twice the requests, if the device allows them.',
      params: { delay: 1000 },
    },
    {
      name: 'up-to-512',
      title: 'Up to 512 in flight',
      params: { largest: 512 },
    },
    {
      name: 'large-messages',
      title: '16 KiB messages',
      params: { size: 16_384 },
    },
    {
      name: 'one-read',
      title: 'READs, one at a time',
      text: 'initiator_depth 1 makes the curve flat.',
      params: { operation: 'read', initiatorDepth: 1 },
    },
    {
      name: 'writes-initiator-depth-1',
      title: 'WRITEs with initiator_depth 1',
      text: 'The curve still rises.',
      params: { initiatorDepth: 1 },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: OUTSTANDING_SELF_CHECKS,
  intends: [{ role: 'client', most: 1, calls: [{ call: 'ibv_post_send', errno: 'ENOMEM' }] }],
  checks: [
    {
      id: 'little',
      text: 'Rate × latency is at most the allowed requests in flight, but for edges of the measured time.',
    },
    { id: 'too-many', text: 'The send queue accepts no more requests than it has slots (ENOMEM).' },
  ],
  run: runOutstanding,
});
