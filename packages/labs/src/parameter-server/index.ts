import { defineLab } from '../form/define.js';
import { parameterServerParams } from './params.js';
import { PARAMETER_SERVER_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runParameterServer } from './run.js';

export default defineLab({
  id: 'parameter-server',
  title: 'Parameter server',
  question:
    'How do workers train one model in a server’s memory, and how stale is the model that they compute with?',
  summary:
    'Workers pull the model with READ and push gradients with WRITE_WITH_IMM, chunk by chunk. They do it in lockstep and then in turns. You see who is interrupted, how far the model moves on between a pull and its push, and what that does to the training.',
  track: 'ai-data',
  order: 1,
  minutes: 8,
  params: parameterServerParams,
  roles: [
    {
      name: 'worker',
      title: 'Worker',
      text: 'Pulls the model and pushes gradients.',
      count: { param: 'workers' },
    },
    { name: 'server', title: 'Server', text: 'Has the model and applies gradients.' },
  ],
  watch: ['completions', 'verbs', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'pull-completions',
      text: 'How many completions does the server get for all pulls together?',
      figure: 'pull-completions',
    },
    {
      kind: 'number',
      id: 'staleness',
      text: 'Workers (3 by default) push in turns, and each pulls again right after its own push is in the model. How many versions does the model move on between a worker’s pull and its next push?',
      unit: 'versions',
      figure: 'staleness',
    },
    {
      kind: 'choice',
      id: 'closer',
      text: 'At the learning rate that you chose (0.45 by default), which way is closer to the optimum after the same number of gradients?',
      options: [
        { id: 'synchronous', text: 'In lockstep: one update with the mean of all workers’ gradients' },
        { id: 'asynchronous', text: 'In turns: one update with each gradient' },
      ],
    },
  ],
  variations: [
    {
      name: 'careful',
      title: 'Learning rate 0.2',
      text: 'Stale gradients do little harm, and in turns there are more updates.',
      params: { rate: 0.2 },
    },
    {
      name: 'bold',
      title: 'Learning rate 0.7',
      text: 'In turns, the model moves away from the optimum.',
      params: { rate: 0.7 },
    },
    {
      name: 'six',
      title: 'Six workers',
      text: 'The staleness is 5, too much for the default learning rate: in turns, the model moves away.',
      params: { workers: 6 },
    },
    { name: 'udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: PARAMETER_SERVER_QUESTIONS,
  checks: [
    { id: 'order', text: 'The chunks of every push arrive with the next step and successive numbers.' },
    { id: 'headers', text: 'Every chunk names the layer and the offset that its number says.' },
    { id: 'silent', text: 'A pull gives the server no completion.' },
    {
      id: 'free',
      text: 'A worker writes a push only after it has read that the server took the one before.',
    },
    { id: 'lockstep', text: 'In lockstep no gradient is stale.' },
    {
      id: 'turns',
      text: 'In turns, after the first one, the staleness of a gradient is the number of the other workers.',
    },
    { id: 'model', text: 'The model is what the formula gives for these gradients.' },
  ],
  run: runParameterServer,
});
