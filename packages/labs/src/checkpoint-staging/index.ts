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
    'A trainer WRITEs shards, a manifest with checksums, and a record to a staging host. A restorer READs everything back and verifies it: after every step, as if the trainer had died there, and after the trainer was killed in the middle of a checkpoint. You see which order is safe, what overlap saves, and what a staging copy costs.',
  track: 'ai-data',
  order: 6,
  minutes: 8,
  params: checkpointStagingParams,
  roles: [
    { name: 'trainer', title: 'Trainer', text: 'Writes checkpoints, and is killed at the end.' },
    { name: 'restorer', title: 'Restorer', text: 'READs the last checkpoint back and verifies it.' },
    { name: 'staging', title: 'Staging host', text: 'Has the memory. Its program does nothing.' },
  ],
  watch: ['completions', 'verbs', 'problems', 'counters', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'torn',
      text: 'The record is written first, then the shards (4 by default), then the manifest. The trainer may die after each step. After how many of them does the record name a torn checkpoint?',
      figure: 'torn-record-first',
    },
    {
      kind: 'choice',
      id: 'in-place',
      text: 'There is one slot only, and the trainer dies while it overwrites the shards. What can be restored?',
      options: [
        { id: 'old', text: 'The old checkpoint' },
        { id: 'new', text: 'The new checkpoint' },
        { id: 'nothing', text: 'Nothing' },
      ],
    },
  ],
  variations: [
    { name: 'eight-shards', title: 'Eight shards', text: 'More steps to die after.', params: { shards: 8 } },
    {
      name: 'small-shards',
      title: 'Shards of 4 KiB',
      text: 'The completion of each WRITE counts more than its bytes.',
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
    { id: 'ack', text: 'A shard whose WRITE has completed is in the staging host’s memory.' },
    {
      id: 'data-first',
      text: 'With two slots, a record that is written last never names a torn checkpoint.',
    },
    { id: 'record-first', text: 'If the record is written first, it names torn checkpoints.' },
    { id: 'in-place', text: 'With one slot, even the right order loses the old checkpoint.' },
    { id: 'verify', text: 'The verifying READ finds every torn checkpoint, and no other.' },
    {
      id: 'together',
      text: 'Data and record may be posted together on one QP: the record never overtakes the data.',
    },
    { id: 'death', text: 'A trainer that is killed leaves an unfinished checkpoint, and the last one.' },
    {
      id: 'untold',
      text: 'No completion and no state of its QP tells the staging host that the trainer has died.',
    },
  ],
  wants: ['faults'],
  run: runCheckpointStaging,
});
