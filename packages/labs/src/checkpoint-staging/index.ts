import { defineLab } from '../form/define.js';
import { checkpointStagingParams } from './params.js';
import { CHECKPOINT_STAGING_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runCheckpointStaging } from './run.js';

const KIB = 1024;

export default defineLab({
  id: 'checkpoint-staging',
  title: 'Staging a checkpoint',
  question: 'How does a checkpoint in remote memory stay whole if the trainer can die at any moment?',
  summary:
    'A trainer WRITEs checkpoints to a staging host and may die after any step. You see which order of WRITEs is safe.',
  short: 'Checkpoints',
  why: 'The order of WRITEs decides whether a crash costs you the checkpoint.',
  buildsOn: ['feature-store'],
  picture: { sample: 'many-writes', focus: ['client.program', 'server.memory', 'wire'] },
  track: 'ai-data',
  order: 6,
  minutes: 8,
  params: checkpointStagingParams,
  roles: [
    { name: 'trainer', title: 'Trainer', text: 'Writes checkpoints, and is killed.' },
    { name: 'restorer', title: 'Restorer', text: 'READs it back and verifies it.' },
    { name: 'staging', title: 'Staging host', text: 'Has the memory. Its program does nothing.' },
  ],
  watch: ['completions', 'verbs', 'problems', 'counters', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'torn',
      text: 'The record is written first, then the shards (4 by default), then the manifest. After how many steps does the record name a torn checkpoint?',
      figure: 'torn-record-first',
    },
    {
      kind: 'choice',
      id: 'in-place',
      text: 'With one slot, the trainer dies while it overwrites shards. What can be restored?',
      options: [
        { id: 'old', text: 'The old checkpoint' },
        { id: 'new', text: 'The new checkpoint' },
        { id: 'nothing', text: 'Nothing' },
      ],
    },
  ],
  variations: [
    { name: 'eight-shards', title: 'Eight shards', params: { shards: 8 } },
    {
      name: 'small-shards',
      title: 'Shards of 4 KiB',
      params: { shardBytes: 4 * KIB },
    },
    { name: 'udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: CHECKPOINT_STAGING_QUESTIONS,
  intends: [
    {
      role: 'trainer',
      counters: ['local_ack_timeout_err', 'completer_retry_err', 'retransmitted_pkts', 'packet_seq_err'],
    },
    { role: 'staging', counters: ['out_of_sequence'] },
  ],
  checks: [
    { id: 'ack', text: 'A completed shard is in the staging host’s memory.' },
    {
      id: 'data-first',
      text: 'With two slots, a record written last never names a torn checkpoint.',
    },
    { id: 'record-first', text: 'A record written first names torn checkpoints.' },
    { id: 'in-place', text: 'With one slot, even the right order loses the old checkpoint.' },
    { id: 'verify', text: 'The verifying READ finds exactly the torn checkpoints.' },
    {
      id: 'together',
      text: 'Posted together on one QP, the record never overtakes the data.',
    },
    { id: 'death', text: 'A killed trainer leaves an unfinished checkpoint, and the last one.' },
    {
      id: 'untold',
      text: 'Neither completion nor QP state tells the staging host of it.',
    },
  ],
  wants: ['faults'],
  run: runCheckpointStaging,
});
