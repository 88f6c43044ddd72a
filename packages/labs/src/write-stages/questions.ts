import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const WRITE_STAGES_QUESTIONS = [
  numberCheck({
    id: 'share',
    numbers: { post: [150, 200, 250], fetch: [400, 500, 600], away: [1200, 1500, 1800], poll: [100, 150] },
    text: ({ post, fetch, away, poll }) =>
      `A WRITE on a NIC has four stages, one after the other: the post takes ${post} ns, fetching and sending ${fetch} ns, link and server with the ACK ${away} ns, and the poll ${poll} ns. What percentage of the whole is the link and the server?`,
    answer: ({ post, fetch, away, poll }) => (100 * away) / (post + fetch + away + poll),
    unit: '%',
    worked: ({ post, fetch, away, poll }) =>
      `${away} / (${post} + ${fetch} + ${away} + ${poll}) = ${away} / ${post + fetch + away + poll} = ${((100 * away) / (post + fetch + away + poll)).toFixed(1)} %.`,
  }),
  numberCheck({
    id: 'rate',
    numbers: { whole: [2, 2.5, 4, 5], inFlight: [1, 8, 16] },
    text: ({ whole, inFlight }) =>
      `Each WRITE takes ${whole} µs from post to poll, and the program keeps ${inFlight} in flight. How many complete per second, in thousands, if nothing else limits them?`,
    answer: ({ whole, inFlight }) => (inFlight / whole) * 1000,
    unit: 'k/s',
    worked: ({ whole, inFlight }) =>
      `${inFlight} / ${whole} µs = ${((inFlight / whole) * 1000).toFixed(0)} thousand per second. ${inFlight === 1 ? 'With one in flight, the time of a WRITE limits the rate.' : 'The stages of different WRITEs overlap, so the rate is higher than with one in flight.'}`,
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
    worked:
      'The call hands the request over and does not wait for the device. Only the completion says that the buffer is free and that the server has acknowledged the data.',
  }),
];
