import { defineLab } from '../form/define.js';
import { MODES } from './modes.js';
import { fourModesParams } from './params.js';
import { FOUR_MODES_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runFourModes } from './run.js';

const OPTIONS = MODES.map(({ id, title }) => ({ id, text: title }));

export default defineLab({
  id: 'four-modes',
  title: 'Four modes',
  question: 'Send, write, read or remote execution: what does each cost, and what must it be allowed to do?',
  summary:
    'The same payload goes through four modes of a communication library. You see time, CPU time, who is interrupted, and the rights of each.',
  short: 'Four modes',
  why: 'Pick the mode per call, and grant the fewest rights.',
  buildsOn: ['which-verb', 'write-imm'],
  picture: { sample: 'send', focus: ['client.program', 'server.program', 'server.memory', 'wire'] },
  track: 'verbs',
  minutes: 5,
  order: 12,
  params: fourModesParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Starts every operation.' },
    {
      name: 'server',
      title: 'Server',
      text: 'Its program takes part in three modes.',
    },
  ],
  watch: ['packets', 'completions', 'verbs', 'checks'],
  wants: ['engineCpu'],
  results: RESULTS,
  predictions: [
    {
      kind: 'choice',
      id: 'quiet',
      text: 'Which mode leaves the server’s program alone?',
      options: [...OPTIONS, { id: 'none', text: 'None of them, or more than one' }],
    },
    {
      kind: 'choice',
      id: 'slowest',
      text: 'Which mode takes the longest?',
      options: [...OPTIONS, { id: 'unclear', text: 'No clear difference' }],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick', params: { rounds: 10, repeat: 2 } },
    {
      name: 'polling',
      title: 'The server polls',
      params: { wait: 'poll' },
    },
    { name: 'large', title: '64 KiB', params: { payload: 65_536 } },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: FOUR_MODES_QUESTIONS,
  withoutProgram:
    'The labs on SEND and RECV, WRITE with immediate, and WRITE and READ have programs for three of the modes. The fourth needs a WebAssembly engine at the server.',
  checks: [
    { id: 'data', text: 'Each mode does its work with the rights of the table.' },
    { id: 'refused', text: 'Without one of the rights that it needs, a mode is refused.' },
    { id: 'interrupted', text: 'Read completes no RECV at the server, the others one per operation.' },
  ],
  run: runFourModes,
});
