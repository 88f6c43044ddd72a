import { defineLab } from '../form/define.js';
import { remoteExecutionParams } from './params.js';
import { REMOTE_EXECUTION_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runRemoteExecution } from './run.js';

export default defineLab({
  id: 'remote-execution',
  title: 'Remote execution',
  question: 'Should you move the data to the code, or the code to the data?',
  summary:
    'A client ships a signed WebAssembly function, which the server runs over its data. You compare this with a READ, and see functions refused or stopped.',
  short: 'Remote execution',
  why: 'Moving code instead of data saves bytes, and costs the target’s CPU.',
  buildsOn: ['write-imm', 'send-recv'],
  picture: { sample: 'write-imm', focus: ['server.program', 'server.memory', 'server.cq'] },
  track: 'verbs',
  minutes: 8,
  order: 13,
  params: remoteExecutionParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Has the function.' },
    { name: 'server', title: 'Server', text: 'Has the data, and runs functions.' },
  ],
  watch: ['completions', 'verbs', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'choice',
      id: 'even',
      text: 'From which size on does shipping the function take less time than a READ?',
      options: [
        { id: 'small', text: 'Below 64 KiB' },
        { id: 'middle', text: 'From 64 KiB to 1 MiB' },
        { id: 'large', text: 'Above 1 MiB' },
        { id: 'never', text: 'From none of the measured sizes' },
      ],
    },
    {
      kind: 'choice',
      id: 'large',
      text: 'Which is faster for the largest data?',
      options: [
        { id: 'ship', text: 'Shipping the function' },
        { id: 'read', text: 'READ of the data' },
        { id: 'unclear', text: 'No clear difference' },
      ],
    },
    {
      kind: 'choice',
      id: 'loop',
      text: 'A signed function loops forever. What happens at the server?',
      options: [
        { id: 'stopped', text: 'It is stopped, and the server goes on' },
        { id: 'other', text: 'The server hangs or ends' },
      ],
    },
  ],
  variations: [
    {
      name: 'quick',
      title: 'Quick',
      params: { largest: 256 * 1024, rounds: 3, repeat: 2 },
    },
    { name: 'top', title: 'The largest values', params: { function: 'top' } },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: REMOTE_EXECUTION_QUESTIONS,
  withoutProgram:
    'The server needs a WebAssembly engine and a thread that it can end, so the program would not be small. The endpoint’s own is in apps/agent/src/endpoint/lambda.',
  checks: [
    { id: 'answers', text: 'Each way brings the right answer.' },
    {
      id: 'refused',
      text: 'Each bad function is refused or stopped with its own code, or limited.',
    },
    { id: 'told', text: 'The client learns the reason from the immediate data.' },
    { id: 'memory-held', text: 'A function gets no more memory than the limit.' },
    { id: 'goes-on', text: 'After all refusals, the server runs the next good function.' },
  ],
  run: runRemoteExecution,
});
