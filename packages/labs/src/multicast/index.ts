import { defineLab } from '../form/define.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { multicastParams } from './params.js';
import { runMulticast } from './run.js';

export default defineLab({
  id: 'multicast',
  title: 'Multicast',
  question: 'How does one SEND reach many receivers?',
  summary:
    'Several receivers attach their UD QPs to a group. One datagram from the client reaches all of them, and no receiver acknowledges it.',
  short: 'Multicast',
  why: 'Market data feeds reach many receivers this way.',
  buildsOn: ['ud-grh'],
  picture: { sample: 'datagram', focus: ['client.device', 'wire', 'server.rq'] },
  track: 'verbs',
  minutes: 5,
  order: 9,
  params: multicastParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends to the group.' },
    { name: 'outsider', title: 'Outsider', text: 'Has the same Q_Key, but does not attach.' },
    { name: 'receiver', title: 'Receiver', text: 'Attaches to the group.', count: { param: 'receivers' } },
  ],
  watch: ['completions', 'packets', 'verbs', 'checks'],
  results: {
    figures: [
      { name: 'reached', label: 'Receivers that one SEND reached' },
      { name: 'sent', label: 'Packets that the client sent for it' },
      { name: 'answers', label: 'Packets that the client received' },
    ],
    tables: [
      {
        name: 'address',
        label: 'The group’s addresses',
        text: 'The GID and the MAC address are computed from the IPv4 address.',
        columns: [
          { name: 'form', label: 'Form' },
          { name: 'value', label: 'Value' },
        ],
      },
      {
        name: 'arrivals',
        label: 'Datagrams that arrived',
        text: 'First SEND to the group. Last two rows: to one endpoint, after a receiver detached.',
        columns: [
          { name: 'endpoint', label: 'Endpoint' },
          { name: 'byteLen', label: 'byte_len', unit: 'B' },
          { name: 'destGid', label: 'Destination GID in the GRH' },
          { name: 'sourceQp', label: 'Sender’s QPN' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'number',
      id: 'sent',
      text: 'How many packets does the client send for one datagram to the group?',
      figure: 'sent',
    },
    {
      kind: 'choice',
      id: 'outsider',
      text: 'The outsider has the same Q_Key and a free RECV, but has not attached. What does it get?',
      options: [
        { id: 'nothing', text: 'Nothing' },
        { id: 'copy', text: 'A copy' },
      ],
    },
  ],
  variations: [
    { name: 'eight', title: 'Eight receivers', params: { receivers: 8 } },
    {
      name: 'same-mac',
      title: 'Another group with the same MAC address',
      text: 'It differs in a bit that the MAC address does not contain.',
      params: { group: '239.129.2.3' },
    },
  ],
  selfChecks: [
    numberCheck({
      id: 'packets',
      numbers: { messages: { min: 10, max: 90, step: 10 }, receivers: [8, 20, 100] },
      text: ({ messages, receivers }) =>
        `A feed sends ${messages} messages of 64 B to a group with ${receivers} receivers. How many packets leave its port?`,
      answer: ({ messages }) => messages,
      unit: 'packets',
      tolerance: 0,
      worked: ({ messages, receivers }) =>
        `One per message: ${messages}. The switches make the ${receivers} copies.`,
    }),
    choiceCheck({
      id: 'knows',
      text: 'A SEND to a group completes with SUCCESS. What does the sender know?',
      options: [
        { id: 'left', text: 'The datagram has left' },
        { id: 'one', text: 'At least one receiver has it' },
        { id: 'all', text: 'All receivers have it' },
      ],
      answer: 'left',
      worked: 'UD has no ACK. The status is the same if no receiver is attached at all.',
    }),
  ],
  checks: [
    { id: 'all', text: 'One SEND reaches every attached receiver.' },
    { id: 'grh', text: 'The GRH names the group, and the completion names the sender.' },
    { id: 'one-packet', text: 'The client sends one packet and gets no ACK.' },
    { id: 'outsider', text: 'An endpoint that has not attached gets nothing.' },
    { id: 'detach', text: 'A receiver that has detached gets nothing more.' },
    { id: 'sender-blind', text: 'The SEND succeeds even if no receiver has a RECV.' },
  ],
  wants: ['tap'],
  run: runMulticast,
});
