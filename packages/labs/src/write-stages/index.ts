import { defineLab } from '../form/define.js';
import { writeStagesParams } from './params.js';
import { WRITE_STAGES_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runWriteStages } from './run.js';
import { PARTS } from './stages.js';

export default defineLab({
  id: 'write-stages',
  title: 'One WRITE, stage by stage',
  question: 'Where does the time of one WRITE go, from the work request to the polled completion?',
  summary:
    'The client WRITEs one message after the other. Program, device and capture note when each stage begins, and you see how the stages add up.',
  short: 'WRITE stages',
  why: 'You can only shorten the stage that takes the time.',
  buildsOn: ['minimal-flow'],
  picture: { sample: 'small-write', focus: ['client.program', 'client.device', 'wire', 'client.cq'] },
  track: 'wire',
  order: 6,
  minutes: 6,
  params: writeStagesParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Writes, and stamps each stage.' },
    {
      name: 'server',
      title: 'Server',
      text: 'Its device answers. Its program does nothing.',
    },
  ],
  watch: ['packets', 'verbs', 'completions', 'checks'],
  wants: ['stamps', 'tap'],
  results: RESULTS,
  predictions: [
    {
      kind: 'choice',
      id: 'cqe',
      text: 'When does the device write the CQE of a WRITE?',
      options: [
        { id: 'sent', text: 'When the last packet has left' },
        { id: 'ack', text: 'When the ACK has come' },
      ],
    },
    {
      kind: 'choice',
      id: 'longest',
      text: 'Which part takes most of the time on this device?',
      options: (['program', 'library', 'device', 'away'] as const).map((id) => ({ id, text: PARTS[id] })),
    },
  ],
  variations: [
    { name: 'small', title: '64 B', params: { size: 64 } },
    {
      name: 'inline',
      title: '64 B, inline',
      text: 'The call copies the payload.',
      params: { size: 64, inline: 64 },
    },
    {
      name: 'large',
      title: '64 KiB',
      params: { size: 65_536 },
    },
    {
      name: 'events',
      title: 'By events',
      text: 'The program has to wake up before it polls.',
      params: { wait: 'event' },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
    { name: 'many', title: '1,000 WRITEs', text: 'Enough for p99.', params: { writes: 1000 } },
  ],
  selfChecks: WRITE_STAGES_QUESTIONS,
  checks: [
    { id: 'data', text: 'The server’s memory holds what the client wrote.' },
    { id: 'order', text: 'In each WRITE, the stages follow each other.' },
    { id: 'adds-up', text: 'The stages of each WRITE add up to its whole time.' },
    { id: 'cqe-after-ack', text: 'No CQE is written before the ACK comes.' },
  ],
  run: runWriteStages,
});
