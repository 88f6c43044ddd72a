import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const POST_LISTS_SELF_CHECKS = [
  numberCheck({
    id: 'cost',
    numbers: { doorbell: [100, 200, 400], request: [10, 20, 50], length: [4, 8, 16, 32] },
    text: ({ doorbell, request, length }) =>
      `A post costs ${doorbell} ns for the call and its doorbell, and ${request} ns for each request. What does a request cost in lists of ${length}?`,
    answer: ({ doorbell, request, length }) => request + doorbell / length,
    unit: 'ns',
    worked: ({ doorbell, request, length }) =>
      `${request} ns + ${doorbell} ns / ${length} = ${request + doorbell / length} ns.`,
  }),
  choiceCheck({
    id: 'bad-wr',
    text: 'ibv_post_send returns ENOMEM for a list of 24 and sets bad_wr to the 17th. What must the program post again?',
    options: [
      { id: 'rest', text: 'The 17th and all after it' },
      { id: 'all', text: 'The whole list' },
      { id: 'one', text: 'Only the 17th' },
    ],
    answer: 'rest',
    worked: 'The 16 before bad_wr are in flight. The device never looked at those after it.',
  }),
];
