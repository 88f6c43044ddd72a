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
    'A server waits for messages in three ways: it polls the CQ, it sleeps until an event, or it polls for a while and then sleeps. You see the latency and CPU time of each, and two mistakes after which an event never comes.',
  track: 'completions',
  order: 5,
  minutes: 5,
  params: pollingEventsParams,
  roles: [
    {
      name: 'client',
      title: 'Client',
      text: 'Sends messages with a gap between them and times the answers.',
    },
    { name: 'server', title: 'Server', text: 'Waits for each message and answers it.' },
  ],
  watch: ['completions', 'verbs', 'checks'],
  wants: ['link'],
  results: {
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
        text: 'A round trip goes from the post at the client, which polls, to the server’s answer. CPU time is that of the server’s process, including gaps; on the embedded device it includes the NIC work. Both ends run in Node.js, which adds to every round trip and to every wake-up. p99 covers all repetitions together and is withheld below 1,000 messages.',
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
      text: 'A program arms its CQ, gets an event, and polls the message. It does not arm again. What does the next message raise?',
      options: [
        { id: 'event', text: 'An event' },
        { id: 'nothing', text: 'Nothing' },
      ],
    },
    {
      kind: 'choice',
      id: 'cpu',
      text: 'How much CPU time does a server that sleeps use per message, compared with one that polls?',
      options: [
        { id: 'less', text: 'Less, beyond the spread' },
        { id: 'same', text: 'No clear difference' },
        { id: 'more', text: 'More, beyond the spread' },
      ],
    },
    {
      kind: 'choice',
      id: 'adaptive',
      text: 'What does the adaptive server do with your gap and budget?',
      options: [
        { id: 'sleeps', text: 'It sleeps before almost every message' },
        { id: 'both', text: 'It sleeps before some of them' },
        { id: 'polls', text: 'It hardly ever sleeps' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick', text: 'Two short repetitions.', params: { messages: 40, repeat: 2 } },
    {
      name: 'busy',
      title: 'No gap between messages',
      text: 'Messages may come within the budget of the adaptive server.',
      params: { gap: 0 },
    },
    {
      name: 'long-budget',
      title: 'A budget longer than the gap',
      text: 'The adaptive server polls through the gap, which costs about as much as always polling.',
      params: { budget: 20_000 },
    },
    {
      name: 'rare',
      title: 'Rare messages',
      text: 'A gap of 20 ms: polling costs most per message here.',
      params: { gap: 20_000, messages: 100 },
    },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: POLLING_EVENTS_QUESTIONS,
  checks: [
    {
      id: 'rearm',
      text: 'An armed CQ raises one event for the next message, and none until it is armed again.',
    },
    { id: 'late', text: 'A message that arrived before arming raises no event.' },
    { id: 'again', text: 'The poll after arming finds the message that arrived before.' },
    { id: 'whole', text: 'Every message arrived once, in order, and was answered.' },
    { id: 'events', text: 'An event ended each sleep, and polling raised none.' },
  ],
  run: runPollingEvents,
});
