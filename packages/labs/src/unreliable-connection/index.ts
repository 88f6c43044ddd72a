import { defineLab } from '../form/define.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { unreliableParams } from './params.js';
import { runUnreliable } from './run.js';

export default defineLab({
  id: 'unreliable-connection',
  title: 'Unreliable connection',
  question: 'What does a connection without ACKs save, and what does it lose?',
  summary:
    'The client sends the same messages over UC and over RC. Then a message, and one packet of a longer message, is dropped on each connection.',
  short: 'UC and RC',
  why: 'Some data is out of date before it could be retransmitted.',
  buildsOn: ['ud-grh', 'acknowledgments'],
  picture: { sample: 'unreliable-lost', focus: ['wire', 'client.cq', 'server.memory'] },
  track: 'verbs',
  minutes: 5,
  order: 10,
  params: unreliableParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends. Its device drops packets on demand.' },
    { name: 'server', title: 'Server', text: 'Looks at what has arrived.' },
  ],
  watch: ['packets', 'completions', 'verbs', 'checks'],
  results: {
    figures: [
      { name: 'uc-acks', label: 'Packets that came back over UC' },
      { name: 'rc-acks', label: 'Packets that came back over RC' },
      { name: 'uc-arrived', label: 'Messages of 3 that arrived over UC, one dropped' },
      { name: 'rc-arrived', label: 'Messages of 3 that arrived over RC, one dropped' },
      { name: 'uc-landed', label: 'Packets of the WRITE in memory over UC, one dropped' },
      { name: 'rc-landed', label: 'Packets of the WRITE in memory over RC, one dropped' },
      { name: 'size', label: 'Size of a WRITE', unit: 'B' },
    ],
    tables: [
      {
        name: 'packets',
        label: 'Packets at the client, nothing dropped',
        columns: [
          { name: 'type', label: 'Connection' },
          { name: 'messages', label: 'Messages' },
          { name: 'sent', label: 'Sent' },
          { name: 'acks', label: 'Received' },
          { name: 'perMessage', label: 'Packets per message' },
        ],
      },
      {
        name: 'losses',
        label: 'One packet dropped',
        columns: [
          { name: 'type', label: 'Connection' },
          { name: 'what', label: 'Dropped' },
          { name: 'dropped', label: 'Packets' },
          { name: 'client', label: 'Status at the client' },
          { name: 'server', label: 'At the server' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'number',
      id: 'acks',
      text: 'How many packets does the client receive for its messages over UC?',
      figure: 'uc-acks',
    },
    {
      kind: 'choice',
      id: 'loss',
      text: 'The second of three messages over UC is lost on the way. What happens?',
      options: [
        { id: 'again', text: 'The device sends it again' },
        { id: 'missing', text: 'It is missing, without an error' },
        { id: 'error', text: 'The client’s request fails' },
      ],
    },
  ],
  variations: [
    { name: 'long', title: '16 messages of 8 packets', params: { messages: 16, packets: 8 } },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: [
    numberCheck({
      id: 'packets',
      numbers: { messages: [10, 25, 100], packets: [1, 4, 8] },
      text: ({ messages, packets }) =>
        `${messages} messages are each ${packets} times as long as the path MTU. How many packets does UC need for them, in both directions together?`,
      answer: ({ messages, packets }) => messages * packets,
      tolerance: 0,
      worked: ({ messages, packets }) =>
        `${messages} × ${packets} = ${messages * packets}. No packet comes back. RC adds ACKs.`,
    }),
    choiceCheck({
      id: 'reads',
      text: 'Why is there no READ on UC?',
      options: [
        { id: 'answer', text: 'A READ needs an answer, and UC sends none' },
        { id: 'rights', text: 'The server’s memory has no right for it' },
      ],
      answer: 'answer',
      worked: 'READ and atomics need responses. UC offers SEND and WRITE, each with or without immediate.',
    }),
  ],
  checks: [
    { id: 'uc-arrives', text: 'Without loss, the messages over UC arrive.' },
    { id: 'no-acks', text: 'UC sends no ACK, and sends each packet once.' },
    { id: 'rc-arrives', text: 'The messages over RC arrive.' },
    { id: 'rc-acks', text: 'RC sends ACKs.' },
    { id: 'uc-silent', text: 'A message lost over UC is missing, and both programs see only SUCCESS.' },
    { id: 'uc-partial', text: 'A WRITE over UC that loses a packet leaves at most part of its data.' },
    { id: 'rc-repairs', text: 'RC retransmits a lost message, in order.' },
    { id: 'rc-whole', text: 'A WRITE over RC that loses a packet still arrives complete.' },
  ],
  wants: ['tap', 'faults'],
  run: runUnreliable,
});
