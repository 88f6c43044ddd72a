import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const CONNECTION_STORM_QUESTIONS = [
  numberCheck({
    id: 'mesh',
    numbers: { hosts: [8, 16, 32, 64], rate: [500, 1000, 2000] },
    text: ({ hosts, rate }) =>
      `Each of ${hosts} processes connects to every other one, all together at ${rate} connections per second. How many ms does it take?`,
    answer: ({ hosts, rate }) => ((hosts * (hosts - 1)) / 2 / rate) * 1000,
    unit: 'ms',
    worked: ({ hosts, rate }) =>
      `${hosts} × ${hosts - 1} / 2 = ${(hosts * (hosts - 1)) / 2} connections, divided by ${rate} per second: ${((hosts * (hosts - 1)) / 2 / rate) * 1000} ms.`,
  }),
  choiceCheck({
    id: 'backlog',
    text: 'All clients connect, but some ConnectRequests were sent again, each answered by MsgRcptAck. What is the likely cause?',
    options: [
      { id: 'busy', text: 'The server’s program is slow' },
      { id: 'none', text: 'No program listens on the port' },
      { id: 'loss', text: 'The network lost the requests' },
    ],
    answer: 'busy',
    worked: 'MsgRcptAck says that the request arrived and waits for the program.',
  }),
];
