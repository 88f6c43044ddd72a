import { defineLab } from '../form/define.js';
import { GIGABYTE_RULES, gigabyteParams } from './params.js';
import { GIGABYTE_SELF_CHECKS } from './questions.js';
import { ROUTE_IDS, TITLES } from './report.js';
import { runGigabyte } from './run.js';

export default defineLab({
  id: 'gigabyte',
  title: 'The cost of moving a gigabyte',
  question: 'What does it cost to move 1 GB: CPU time, system calls, context switches, energy?',
  summary:
    'A client moves the same bytes over TCP, over RDMA and, if the device has it, over RDMA through shared memory. You see what each GB costs.',
  short: 'Cost of 1 GB',
  why: 'CPU seconds per GB, times 50: the cores for 400 Gb/s.',
  buildsOn: ['bulk'],
  picture: {
    sample: 'write',
    paths: true,
    focus: ['client.program', 'client.kernel', 'client.device', 'wire'],
  },
  track: 'sockets',
  order: 2,
  minutes: 5,
  params: gigabyteParams,
  rules: GIGABYTE_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends all the bytes.' },
    {
      name: 'server',
      title: 'Server',
      text: 'Reads them, or owns the memory.',
    },
  ],
  watch: ['checks', 'verbs'],
  wants: ['link', 'engineCpu'],
  results: {
    figures: [
      ...ROUTE_IDS.map((id) => ({
        name: `${id}-cpu`,
        label: `CPU time, ${TITLES[id]}`,
        unit: 's per GB',
        text: 'Both ends together, median of the rounds.',
      })),
      ...ROUTE_IDS.map((id) => ({
        name: `${id}-calls`,
        label: `System calls, ${TITLES[id]}`,
        unit: 'per GB',
        text: 'Both ends, without calls that found nothing. From short transfers under ptrace.',
      })),
      ...ROUTE_IDS.map((id) => ({
        name: `${id}-switches`,
        label: `Context switches, ${TITLES[id]}`,
        unit: 'per GB',
      })),
      ...ROUTE_IDS.map((id) => ({
        name: `${id}-energy`,
        label: `Energy, ${TITLES[id]}`,
        unit: 'J per GB',
        text: 'Of the whole processor, including idle cores and other programs (RAPL).',
      })),
    ],
    tables: [
      {
        name: 'costs',
        label: 'What one GB costs',
        text: 'Per 10^9 bytes, both ends together. Lowest and highest: of all CPU time.',
        columns: [
          { name: 'route', label: 'Transport' },
          { name: 'seconds', label: 'Time', unit: 's' },
          { name: 'app', label: 'Application', unit: 's' },
          { name: 'nic', label: 'NIC work', unit: 's' },
          { name: 'kernel', label: 'Kernel', unit: 's' },
          { name: 'outside', label: 'Kernel outside of processes', unit: 's' },
          { name: 'cpu', label: 'All CPU time', unit: 's' },
          { name: 'lowest', label: 'Lowest', unit: 's' },
          { name: 'highest', label: 'Highest', unit: 's' },
          { name: 'switches', label: 'Context switches' },
          { name: 'calls', label: 'System calls' },
          { name: 'energy', label: 'Energy', unit: 'J' },
        ],
      },
      {
        name: 'calls',
        label: 'System calls',
        text: 'A longer transfer less a shorter one, both ends, without rare calls.',
        columns: [
          { name: 'route', label: 'Transport' },
          { name: 'part', label: 'Threads of' },
          { name: 'call', label: 'Call' },
          { name: 'message', label: 'Per message' },
          { name: 'gigabyte', label: 'Per GB' },
          { name: 'empty', label: 'Per GB, found nothing' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'number',
      id: 'tcp',
      text: 'How much CPU time do both ends need to move 1 GB over TCP?',
      unit: 's per GB',
      figure: 'tcp-cpu',
    },
    {
      kind: 'choice',
      id: 'dearer',
      text: 'Which takes more CPU time per GB on your device?',
      options: [
        { id: 'tcp', text: 'TCP' },
        { id: 'rdma', text: 'RDMA through the device’s port' },
        { id: 'same', text: 'No clear difference' },
      ],
    },
  ],
  variations: [
    {
      name: 'quick',
      title: 'Quick run',
      params: { megabytes: 100, repeat: 1, counted: 32 },
    },
    {
      name: 'small-messages',
      title: '4 KiB messages',
      params: { size: 4096 },
    },
    {
      name: 'large-messages',
      title: '1 MiB messages',
      params: { size: 1024 * 1024 },
    },
    {
      name: 'polling',
      title: 'The client polls',
      text: 'Application time grows by the time that the client spends polling.',
      params: { wait: 'poll' },
    },
  ],
  selfChecks: GIGABYTE_SELF_CHECKS,
  checks: [
    { id: 'moved', text: 'Every transfer moved the same bytes, and they arrived.' },
    { id: 'cpu', text: 'The measured CPU time is no more than the kernel charged.' },
    {
      id: 'tcp-calls',
      text: 'TCP passes each message to the kernel by system calls.',
    },
    { id: 'no-calls', text: 'Through shared memory no data is sent or received by a socket call.' },
  ],
  run: runGigabyte,
});
