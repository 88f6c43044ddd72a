import { defineLab } from '../form/define.js';
import { deviceFactsParams } from './params.js';
import { DEVICE_FACTS_QUESTIONS } from './questions.js';
import { runDeviceFacts } from './run.js';

export default defineLab({
  id: 'device-facts',
  title: 'What a device says about itself',
  question: 'What does an RDMA device tell you before you use it?',
  summary:
    'A program opens a device, reads its attributes, its port and its GID table, and asks for queues beyond the limits.',
  short: 'Device facts',
  why: 'Limits that a program exceeds show up only when it runs.',
  buildsOn: [],
  picture: { sample: 'write', focus: ['client.device'] },
  track: 'foundations',
  minutes: 5,
  order: 2,
  params: deviceFactsParams,
  roles: [{ name: 'host', title: 'Host', text: 'Opens and queries the device.' }],
  watch: ['verbs', 'checks'],
  results: {
    figures: [
      {
        name: 'active-mtu',
        label: 'Active MTU of the port',
        unit: 'B',
        text: 'Largest payload per packet, without headers.',
      },
      {
        name: 'interface-mtu',
        label: 'MTU of its network interface',
        unit: 'B',
        text: 'Whole IP packets, including headers.',
      },
      {
        name: 'path-mtu-asked',
        label: 'Path MTU for the chosen interface MTU',
        unit: 'B',
        text: 'Computed: the largest path MTU that leaves 80 B for headers.',
      },
      { name: 'max-qp', label: 'Queue pairs (max_qp)' },
      { name: 'max-cq', label: 'Completion queues (max_cq)' },
    ],
    tables: [
      {
        name: 'attributes',
        label: 'Attributes',
        columns: [
          { name: 'of', label: 'Of' },
          { name: 'name', label: 'Name in C' },
          { name: 'value', label: 'Value' },
          { name: 'meaning', label: 'Meaning' },
        ],
      },
      {
        name: 'gids',
        label: 'GID table',
        columns: [
          { name: 'index', label: 'Index' },
          { name: 'gid', label: 'GID' },
          { name: 'type', label: 'Type' },
          { name: 'interface', label: 'Interface' },
          { name: 'origin', label: 'What it is' },
        ],
      },
      {
        name: 'interfaces',
        label: 'Network interfaces',
        text: 'The path MTU is computed from the interface’s MTU.',
        columns: [
          { name: 'name', label: 'Interface' },
          { name: 'mac', label: 'MAC' },
          { name: 'mtu', label: 'MTU', unit: 'B' },
          { name: 'pathMtu', label: 'Path MTU', unit: 'B' },
          { name: 'addresses', label: 'Addresses' },
        ],
      },
      {
        name: 'asks',
        label: 'Requests at the limits',
        columns: [
          { name: 'limit', label: 'Limit' },
          { name: 'value', label: 'Its value' },
          { name: 'asked', label: 'Asked for' },
          { name: 'outcome', label: 'Answer' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'choice',
      id: 'mtu-of',
      text: 'How much payload does an RDMA packet carry on an interface of 1500 B (by default)?',
      options: [
        { id: 'b256', text: '256 B' },
        { id: 'b512', text: '512 B' },
        { id: 'b1024', text: '1024 B' },
        { id: 'b1500', text: '1500 B' },
        { id: 'b2048', text: '2048 B' },
        { id: 'b4096', text: '4096 B' },
      ],
    },
    {
      kind: 'choice',
      id: 'beyond-limit',
      text: 'You ask for a queue with one more entry than the limit. What happens?',
      options: [
        { id: 'refused', text: 'The call is refused' },
        { id: 'granted', text: 'It succeeds, with a queue at the limit' },
      ],
    },
    {
      kind: 'number',
      id: 'queue-pairs',
      text: 'How many queue pairs can this device hold at once?',
      figure: 'max-qp',
    },
  ],
  variations: [
    {
      name: 'jumbo',
      title: 'Jumbo frames (9000 B)',
      params: { interfaceMtu: 9000 },
    },
    {
      name: 'at-the-limit',
      title: 'Ask for exactly the limits',
      params: { beyond: 0 },
    },
    {
      name: 'just-short',
      title: 'An interface MTU of 1100 B',
      params: { interfaceMtu: 1100 },
    },
  ],
  selfChecks: DEVICE_FACTS_QUESTIONS,
  intends: [
    { role: 'host', most: 2, calls: [{ call: 'ibv_create_qp' }] },
    { role: 'host', most: 1, calls: [{ call: 'ibv_create_cq' }] },
  ],
  checks: [
    { id: 'port-active', text: 'The port is ACTIVE.' },
    { id: 'gids-tied', text: 'Every GID belongs to a network interface.' },
    { id: 'mtu-fits', text: 'The active MTU is the largest that fits the interface’s.' },
    {
      id: 'refused',
      text: 'Queues beyond the limits are refused, or those at the limits (0 beyond) granted.',
    },
  ],
  run: runDeviceFacts,
});
