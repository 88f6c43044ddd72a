import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const FOUR_MODES_QUESTIONS = [
  choiceCheck({
    id: 'least',
    text: 'Clients only fetch data from a server with READ. Which access flag does the server’s region need?',
    options: [
      { id: 'read', text: 'REMOTE_READ' },
      { id: 'both', text: 'REMOTE_READ and REMOTE_WRITE' },
      { id: 'none', text: 'None, because the server’s program does nothing' },
    ],
    answer: 'read',
    worked:
      'REMOTE_READ is enough. With REMOTE_WRITE as well, a client with the rkey could change the data. The server’s device checks the flag, so no program has to run.',
  }),
  choiceCheck({
    id: 'result',
    text: 'In remote execution the server writes the result back. What must the client have done before?',
    options: [
      { id: 'grant', text: 'Registered memory with REMOTE_WRITE and given the server its address and rkey' },
      { id: 'nothing', text: 'Nothing: the result belongs to the client’s request' },
      { id: 'trust', text: 'Trusted the server’s key' },
    ],
    answer: 'grant',
    worked:
      'The result is a WRITE of the server like any other. Without REMOTE_WRITE at the client, the server’s request fails with status 10.',
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
