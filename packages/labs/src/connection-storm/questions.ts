import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const CONNECTION_STORM_QUESTIONS = [
  numberCheck({
    id: 'mesh',
    numbers: { hosts: [8, 16, 32, 64], rate: [500, 1000, 2000] },
    text: ({ hosts, rate }) =>
      `Each of ${hosts} processes connects to every other one, with one QP per pair on each side. All connections together are made at ${rate} per second. How many milliseconds does it take?`,
    answer: ({ hosts, rate }) => ((hosts * (hosts - 1)) / 2 / rate) * 1000,
    unit: 'ms',
    worked: ({ hosts, rate }) =>
      `${hosts} × ${hosts - 1} / 2 = ${(hosts * (hosts - 1)) / 2} connections, divided by ${rate} per second: ${((hosts * (hosts - 1)) / 2 / rate) * 1000} ms.`,
  }),
  numberCheck({
    id: 'messages',
    numbers: { connections: [100, 250, 1000] },
    text: ({ connections }) =>
      `${connections} connections are made and ended without a loss. How many CM messages cross the wire?`,
    answer: ({ connections }) => 5 * connections,
    unit: 'messages',
    tolerance: 0,
    worked: ({ connections }) =>
      `ConnectRequest, ConnectReply, ReadyToUse, DisconnectRequest and DisconnectReply: 5 × ${connections} = ${5 * connections}.`,
  }),
  choiceCheck({
    id: 'backlog',
    text: 'A thousand clients connect at once. All succeed, but some ConnectRequests were sent again, each answered by MsgRcptAck. What is the likely cause?',
    options: [
      { id: 'busy', text: 'The server’s program takes its requests too slowly' },
      { id: 'none', text: 'No program listens on the port' },
      { id: 'loss', text: 'The network lost the requests' },
    ],
    answer: 'busy',
    worked:
      'MsgRcptAck says that the request arrived and waits for the program. No program gives reason 8, and a lost request gets no MsgRcptAck.',
  }),
];
