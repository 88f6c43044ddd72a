import { defineLab } from '../form/define.js';
import { parameterServerParams } from './params.js';
import { PARAMETER_SERVER_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runParameterServer } from './run.js';

export default defineLab({
  id: 'parameter-server',
  title: 'Parameter server',
  question: 'How stale is the model that workers pull from a server’s memory?',
  summary:
    'Workers pull the model with READ and push gradients with WRITE_WITH_IMM, in lockstep and then in turns. You see how stale their model is, and the harm.',
  short: 'Parameter server',
  why: 'Workers in turns compute with a model that others have changed.',
  buildsOn: ['write-imm', 'write-read'],
  picture: { sample: 'write-imm', focus: ['server.memory', 'server.cq', 'server.program'] },
  track: 'ai-data',
  order: 1,
  minutes: 8,
  params: parameterServerParams,
  roles: [
    {
      name: 'worker',
      title: 'Worker',
      text: 'Pulls the model, pushes gradients.',
      count: { param: 'workers' },
    },
    { name: 'server', title: 'Server', text: 'Has the model and applies gradients.' },
  ],
  watch: ['completions', 'verbs', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'staleness',
      text: 'Workers (3 by default) push in turns, and pull right after. How many versions pass between pull and next push?',
      unit: 'versions',
      figure: 'staleness',
    },
    {
      kind: 'choice',
      id: 'closer',
      text: 'At your learning rate (0.45 by default), which way ends closer to the optimum?',
      options: [
        { id: 'synchronous', text: 'In lockstep: updates with the mean gradient' },
        { id: 'asynchronous', text: 'In turns: an update with each gradient' },
      ],
    },
  ],
  variations: [
    {
      name: 'careful',
      title: 'Learning rate 0.2',
      text: 'Stale gradients do little harm.',
      params: { rate: 0.2 },
    },
    {
      name: 'bold',
      title: 'Learning rate 0.7',
      text: 'In turns, the model moves away.',
      params: { rate: 0.7 },
    },
    {
      name: 'six',
      title: 'Six workers',
      text: 'Staleness 5: in turns, the model moves away.',
      params: { workers: 6 },
    },
    { name: 'udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: PARAMETER_SERVER_QUESTIONS,
  checks: [
    { id: 'order', text: 'A push’s chunks have the next step and successive numbers.' },
    { id: 'headers', text: 'Every chunk names the layer and offset of its number.' },
    { id: 'silent', text: 'A pull gives the server no completion.' },
    {
      id: 'free',
      text: 'A worker pushes only after it read that its last was taken.',
    },
    { id: 'lockstep', text: 'In lockstep no gradient is stale.' },
    {
      id: 'turns',
      text: 'In turns, after the first, staleness is the number of other workers.',
    },
    { id: 'model', text: 'The model is what the formula gives for these gradients.' },
  ],
  run: runParameterServer,
});
