import type { ResultSpecs } from '@verbslab/protocol';
import { medianColumns } from '../form/common-results.js';
import { VERBS } from './jobs.js';

const job = { name: 'job', label: 'Job' };
const verb = { name: 'verb', label: 'Verb' };

export const RESULTS: ResultSpecs = {
  headline: { table: 'matrix', columns: ['job', 'fastest'] },
  figures: [
    { name: 'can', label: 'Combinations that did the job' },
    { name: 'impossible', label: 'Combinations that cannot do the job' },
    { name: 'write-told', label: 'Completions at the target of a WRITE' },
    { name: 'tag', label: 'Tag at the target of a WRITE_WITH_IMM' },
    { name: 'no-right', label: 'Verbs refused without their access right' },
    { name: 'guessed', label: 'Status of a WRITE with a guessed rkey' },
    { name: 'lost', label: 'Increments lost with READ and WRITE' },
    { name: 'request-packets', label: 'Packets of a request and its reply by SEND' },
    { name: 'request-trips', label: 'Round trips of a request and its reply by SEND' },
    { name: 'pull-trips', label: 'Round trips of a large transfer that its receiver fetches by READ' },
    {
      name: 'read-cpu',
      label: 'Application’s CPU time at the server per READ of the value',
      unit: 'µs',
      text: 'Without NIC work. The program makes no call; Node.js does the rest.',
    },
    { name: 'send-cpu', label: 'Application’s CPU time at the server per answer by SEND', unit: 'µs' },
  ],
  tables: [
    {
      name: 'matrix',
      label: 'Jobs and verbs',
      text: 'Time per job, or why the verb cannot. No fastest verb where ranges overlap.',
      columns: [
        job,
        ...VERBS.map(({ id, title }) => ({ name: id, label: title })),
        { name: 'fastest', label: 'Fastest' },
      ],
    },
    {
      name: 'wire',
      label: 'Time and packets of each job',
      text: 'Medians at the initiator; the stream’s per message. Packets of one run, with ACKs.',
      columns: [
        job,
        verb,
        ...medianColumns(),
        { name: 'packets', label: 'Packets' },
        { name: 'bytes', label: 'Bytes on the wire', unit: 'B' },
        { name: 'roundTrips', label: 'Round trips' },
      ],
    },
    {
      name: 'work',
      label: 'Who does what',
      text: 'CPU time of the other side’s process per job, without the cost of measuring it.',
      columns: [
        job,
        verb,
        { name: 'initiator', label: 'The initiator posts' },
        { name: 'passive', label: 'The other side posts' },
        { name: 'told', label: 'Completions at the other side' },
        { name: 'app', label: 'Its application’s CPU time', unit: 'µs' },
        { name: 'nic', label: 'Its NIC work', unit: 'µs' },
        { name: 'clientRights', label: 'The client grants' },
        { name: 'serverRights', label: 'The server grants' },
      ],
    },
    {
      name: 'cannot',
      label: 'What a verb cannot do',
      columns: [
        job,
        verb,
        { name: 'why', label: 'Why' },
        { name: 'shown', label: 'What happened in this run' },
      ],
    },
    {
      name: 'guide',
      label: 'What each verb is for',
      columns: [
        verb,
        { name: 'use', label: 'Use it for' },
        { name: 'data', label: 'Data goes' },
        { name: 'names', label: 'Who names the address' },
        { name: 'told', label: 'Completions at the target' },
        { name: 'tag', label: 'Tag' },
      ],
    },
  ],
};
