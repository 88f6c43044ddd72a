import { defineLab } from '../form/define.js';
import { pollingEventsParams } from './params.js';
import { POLLING_EVENTS_QUESTIONS } from './questions.js';
import { runPollingEvents } from './run.js';
import { WAYS } from './ways.js';

export default defineLab({
  id: 'polling-events',
  title: 'Polling or events',
  question: 'How should a program wait for a completion?',
  summary:
    'A server polls the CQ, sleeps until an event, or polls and then sleeps. You see latency and CPU time of each, and two mistakes after which no event comes.',
  short: 'Poll or sleep',
  why: 'A message that arrives before arming may raise no event.',
  buildsOn: ['write-stages'],
  picture: { sample: 'send', focus: ['server.cq', 'server.program'] },
  track: 'completions',
  order: 5,
  minutes: 5,
  params: pollingEventsParams,
  roles: [
    {
      name: 'client',
      title: 'Client',
      text: 'Sends messages with gaps between.',
    },
    { name: 'server', title: 'Server', text: 'Waits for each message and answers it.' },
  ],
  watch: ['completions', 'verbs', 'checks'],
  wants: ['link'],
  results: {
    headline: { table: 'ways', columns: ['way', 'median', 'p99', 'cpu'] },
    figures: [
      ...WAYS.flatMap(({ id, title }) => [
        { name: `${id}-time`, label: `Round trip: ${title}`, unit: 'µs' },
        { name: `${id}-cpu`, label: `CPU time per message: ${title}`, unit: 'µs' },
      ]),
      { name: 'events-forgotten', label: 'Events after the program forgot to arm again' },
      { name: 'events-late', label: 'Events for a message that arrived before arming' },
    ],
    tables: [
      {
        name: 'ways',
        label: 'Three ways to wait',
        text: 'CPU time: the server’s process, gaps included. Both run in Node.js. p99: from 1,000 messages.',
        columns: [
          { name: 'way', label: 'The server waits' },
          { name: 'median', label: 'Median', unit: 'µs' },
          { name: 'lowest', label: 'Lowest median', unit: 'µs' },
          { name: 'highest', label: 'Highest median', unit: 'µs' },
          { name: 'p99', label: 'p99', unit: 'µs' },
          { name: 'n', label: 'n' },
          { name: 'cpu', label: 'CPU time per message', unit: 'µs' },
          { name: 'share', label: 'Share of a core', unit: '%' },
        ],
      },
      {
        name: 'counts',
        label: 'Arming and events at the server',
        text: 'Warm-up included.',
        columns: [
          { name: 'way', label: 'The server waits' },
          { name: 'messages', label: 'Messages' },
          { name: 'arms', label: 'Times armed' },
          { name: 'rechecks', label: 'Found by the poll after arming' },
          { name: 'sleeps', label: 'Sleeps' },
          { name: 'events', label: 'Events' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'choice',
      id: 'forgotten',
      text: 'A program gets an event, polls the message, and does not arm its CQ again. What does the next message raise?',
      options: [
        { id: 'event', text: 'An event' },
        { id: 'nothing', text: 'Nothing' },
      ],
    },
    {
      kind: 'choice',
      id: 'cpu',
      text: 'How much CPU time per message does a sleeping server use, compared with a polling one?',
      options: [
        { id: 'less', text: 'Less' },
        { id: 'same', text: 'No clear difference' },
        { id: 'more', text: 'More' },
      ],
    },
    {
      kind: 'choice',
      id: 'adaptive',
      text: 'What does the adaptive server do with your gap?',
      options: [
        { id: 'sleeps', text: 'Sleeps before almost every message' },
        { id: 'both', text: 'Sleeps before some' },
        { id: 'polls', text: 'Hardly ever sleeps' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick', params: { messages: 40, repeat: 2 } },
    {
      name: 'busy',
      title: 'No gap between messages',
      params: { gap: 0 },
    },
    {
      name: 'long-budget',
      title: 'A budget longer than the gap',
      text: 'The adaptive server polls through the gap.',
      params: { budget: 20_000 },
    },
    {
      name: 'rare',
      title: 'Rare messages',
      text: 'Polling costs most per message here.',
      params: { gap: 20_000, messages: 100 },
    },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: POLLING_EVENTS_QUESTIONS,
  checks: [
    {
      id: 'rearm',
      text: 'An armed CQ raises one event, and none until it is armed again.',
    },
    { id: 'late', text: 'A message that arrived before arming raises no event.' },
    { id: 'again', text: 'The poll after arming finds that message.' },
    { id: 'whole', text: 'Every message arrived once, in order, and was answered.' },
    { id: 'events', text: 'An event ended each sleep, and polling raised none.' },
  ],
  run: runPollingEvents,
});
