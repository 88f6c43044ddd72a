import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  headline: { table: 'moves', columns: ['counter', 'what', 'measured'] },
  figures: [
    { name: 'moved', label: 'Counters that moved' },
    { name: 'timeouts', label: 'local_ack_timeout_err, no answer' },
    { name: 'ahead', label: 'out_of_sequence, one packet lost' },
    { name: 'gaps', label: 'out_of_seq_request, one packet lost' },
    { name: 'deferred', label: 'ack_deferred, 32 WRITEs at once' },
    { name: 'rnr-sent', label: 'send_rnr_err at the server' },
    { name: 'rnr-received', label: 'rcvd_rnr_err at the client' },
    { name: 'cnps', label: 'np_cnp_sent, one WRITE marked' },
    { name: 'datagram-cnps', label: 'np_cnp_sent, one datagram marked' },
  ],
  tables: [
    {
      name: 'moves',
      label: 'Counters, and what moved them',
      text: 'Read before and after each experiment.',
      columns: [
        { name: 'counter', label: 'Counter' },
        { name: 'origin', label: 'Named as in' },
        { name: 'at', label: 'At the' },
        { name: 'meaning', label: 'What it counts' },
        { name: 'what', label: 'Experiment' },
        { name: 'predicted', label: 'Predicted' },
        { name: 'measured', label: 'Measured' },
      ],
    },
    {
      name: 'experiments',
      label: 'What the client’s program saw',
      columns: [
        { name: 'what', label: 'Experiment' },
        { name: 'expected', label: 'Status expected' },
        { name: 'status', label: 'Status' },
      ],
    },
  ],
};
