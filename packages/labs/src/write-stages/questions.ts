import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const WRITE_STAGES_QUESTIONS = [
  numberCheck({
    id: 'share',
    numbers: { post: [150, 200, 250], fetch: [400, 500, 600], away: [1200, 1500, 1800], poll: [100, 150] },
    text: ({ post, fetch, away, poll }) =>
      `A WRITE takes ${post} ns for the post, ${fetch} ns for fetching and sending, ${away} ns for link and server, ${poll} ns for the poll. What percentage is link and server?`,
    answer: ({ post, fetch, away, poll }) => (100 * away) / (post + fetch + away + poll),
    unit: '%',
    worked: ({ post, fetch, away, poll }) =>
      `${away} / (${post} + ${fetch} + ${away} + ${poll}) = ${away} / ${post + fetch + away + poll} = ${((100 * away) / (post + fetch + away + poll)).toFixed(1)} %.`,
  }),
  choiceCheck({
    id: 'returned',
    text: 'ibv_post_send has returned 0. What do you know?',
    options: [
      { id: 'queued', text: 'The request is in the send queue' },
      { id: 'sent', text: 'Its first packet has left' },
      { id: 'there', text: 'The data is in the server’s memory' },
      { id: 'free', text: 'The buffer may be changed' },
    ],
    answer: 'queued',
    worked: 'Only the completion says that the buffer is free and that the server has acknowledged the data.',
  }),
];
