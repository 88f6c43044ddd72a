import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const FOUR_MODES_QUESTIONS = [
  choiceCheck({
    id: 'least',
    text: 'Clients only fetch data from a server with READ. Which access flag does the server’s region need?',
    options: [
      { id: 'read', text: 'REMOTE_READ' },
      { id: 'both', text: 'REMOTE_READ and REMOTE_WRITE' },
      { id: 'none', text: 'None' },
    ],
    answer: 'read',
    worked: 'With REMOTE_WRITE as well, a client with the rkey could change the data.',
  }),
  numberCheck({
    id: 'recvs',
    numbers: { sends: [10, 20, 30], writes: [5, 15, 25], reads: [40, 60, 80], runs: [2, 4, 8] },
    text: ({ sends, writes, reads, runs }) =>
      `A client does ${sends} sends, ${writes} writes with immediate, ${reads} reads and ${runs} remote executions. How many RECVs does the server use?`,
    answer: ({ sends, writes, runs }) => sends + writes + runs,
    unit: 'RECVs',
    tolerance: 0,
    worked: ({ sends, writes, runs }) =>
      `Each SEND and each immediate takes one RECV, a READ takes none: ${sends} + ${writes} + ${runs} = ${sends + writes + runs}.`,
  }),
];
