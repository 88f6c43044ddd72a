/** Rules about a request that waits: for a receive, for its answer, or to be sent. */
import { plural } from '@verbslab/labs';
import type { CallPlace, StillQp } from '@verbslab/protocol';
import { cqOf, type StillFacts, type StillProcess } from './facts.js';
import { aboutCq, placed, type Rule, type StillRequest } from './standing.js';
import { peerText, qpText, requestText, timeoutText, timeText } from './words.js';

type Sends = StillQp & { send: StillQp['send'] & { oldest: NonNullable<StillQp['send']['oldest']> } };

/** QPs with a request that has not completed. In ERR all do. */
const hasOldest = (qp: StillQp): qp is Sends => qp.send.oldest !== undefined && qp.state !== 'ERR';

const requestOf = ({ send: { oldest } }: Sends): StillRequest => ({
  opcode: oldest.opcode,
  wrId: oldest.wrId,
  length: oldest.length,
  psn: oldest.psn,
  posted: oldest.posted ?? null,
});

/** A request that joined an empty queue has waited since its post. */
const sinceOf = ({ send: { since, oldest } }: Sends): number => Math.max(since, oldest.posted ?? 0);

/** What the record rules out for a request that waits. */
function ruledOut(of: StillProcess, qp: Sends, facts: StillFacts): string[] {
  const { send, state } = qp;
  const ruled: string[] = [];
  if (send.rnr === 0) ruled.push(`No RNR NAK came after ${timeText(send.since)}.`);
  if (send.used < send.size)
    ruled.push(`The send queue is not full: ${send.used} of ${plural(send.size, 'entry', 'entries')} used.`);
  aboutCq(of, qp.sendCq, ruled);
  if (state === 'RTS') ruled.push(`${qpText(qp.qpn)} is in RTS.`);
  if (!facts.injects(of.endpoint)) ruled.push('No fault is injected into the packets of this process.');
  return ruled;
}

const base = (of: StillProcess, qp: Sends, facts: StillFacts) => ({
  endpoint: of.endpoint,
  request: requestOf(qp),
  qpn: qp.qpn,
  since: sinceOf(qp),
  ruledOut: ruledOut(of, qp, facts),
});

/** The call that polls for the request's completion, if the program still makes it. */
function pollOf(of: StillProcess, qp: Sends): [what: string, place: CallPlace | null] {
  const cq = cqOf(of, qp.sendCq);
  return [`CQ ${qp.sendCq} is polled by`, cq?.polling ? cq.where : null];
}

const waits = (qp: Sends): string => `${requestText(qp.send.oldest)} on ${qpText(qp.qpn)} waits for`;
const fullText = ({ send }: StillQp): string[] =>
  send.used >= send.size
    ? [`The send queue is full: ${send.used} of ${plural(send.size, 'entry', 'entries')} used.`]
    : [];

/** The peer has no receive for the message: it answers with RNR NAKs. */
export const noReceive: Rule = (of, facts) =>
  of.qps.filter(hasOldest).flatMap((qp) => {
    if (!qp.send.rnrNow) return [];
    const peer = facts.peerOf(qp, of);
    const recv = peer?.qp.recv;
    const queue = recv?.srq === undefined ? '' : `in SRQ ${recv.srq} `;
    const counts =
      recv === undefined || recv.queued > 0
        ? ''
        : recv.posted === undefined
          ? ` (none left ${queue})`.replace(' )', ')')
          : ` (${recv.posted.toLocaleString('en-US')} posted, none left)`;
    const unread = peer?.of.cqs.filter(({ completions }) => completions > 0) ?? [];
    return [
      {
        ...base(of, qp, facts),
        kind: 'rnr',
        sentence: `${waits(qp)} a receive on ${peerText(qp)}${counts}`,
        saw: [
          `${peerText(qp)} has answered with ${plural(qp.send.rnr, 'RNR NAK')} after ${timeText(qp.send.since)}: it had no receive posted for the message.`,
          qp.rnrRetry === 7
            ? 'rnr_retry is 7: the device tries again without a limit, so no error will come.'
            : `rnr_retry is ${qp.rnrRetry}: then the request fails with RNR_RETRY_EXC_ERR.`,
          ...(recv?.posted === 0 ? [`No receive was ever posted to ${peerText(qp)}.`] : []),
          ...unread.map(
            (cq) =>
              `CQ ${cq.number} of ${peer!.of.endpoint} holds ${plural(cq.completions, 'completion')} that it has not polled.`,
          ),
          ...fullText(qp),
        ],
        cure: `Post a receive on ${recv?.srq === undefined ? peerText(qp) : `SRQ ${recv.srq}`} for each message, before it is sent.`,
        places: placed(
          ['the latest receive was posted by', recv?.where ?? null],
          ['the request was posted by', qp.send.oldest.where],
          pollOf(of, qp),
        ),
      },
    ];
  });

const isResponse = ({ opcode }: { opcode: string }): boolean =>
  opcode === 'RDMA_READ' || opcode.startsWith('ATOMIC');

/** The request was sent, and the peer has not answered. */
export const noAnswer: Rule = (of, facts) =>
  of.qps.filter(hasOldest).flatMap((qp) => {
    const { send, timeout } = qp;
    if (!send.oldest.sent || send.rnrNow || qp.type !== 'RC') return [];
    const gone = facts.gone(of, qp);
    const why = gone ?? qp.why;
    const forever = timeout === 0;
    return [
      {
        ...base(of, qp, facts),
        kind: 'ack',
        sentence: `${waits(qp)} ${isResponse(send.oldest) ? 'the response' : 'an acknowledgment'} from ${peerText(qp)}${why === undefined ? '' : `: ${why}`}`,
        saw: [
          `${peerText(qp)} has acknowledged nothing after ${timeText(send.since)}.`,
          forever
            ? 'timeout is 0: the device waits without a limit and sends nothing again, so no error will come.'
            : `${timeoutText(timeout)}, ${plural(send.retries, 'retry', 'retries')} of ${qp.retryCnt} used: then the request fails with RETRY_EXC_ERR.`,
          ...fullText(qp),
        ],
        cure: [
          gone === null
            ? (qp.cure ??
              'Check that the peer still runs, that its QP number is right, and that packets reach it.')
            : 'Find out why the peer ended.',
          ...(forever
            ? [
                'Set timeout of ibv_modify_qp to 1 or more (14: 67 ms), so that a silent peer ends the request with an error.',
              ]
            : []),
        ].join(' '),
        places: placed(['the request was posted by', send.oldest.where], pollOf(of, qp)),
      },
    ];
  });

/** The device has not sent the request. */
export const unsent: Rule = (of, facts) =>
  of.qps.filter(hasOldest).flatMap((qp) => {
    if ((qp.send.oldest.sent && qp.type === 'RC') || qp.send.rnrNow) return [];
    const [what, cure] =
      qp.state === 'SQD'
        ? [
            `the end of SQD: ${qpText(qp.qpn)} begins no request in that state`,
            'Bring the QP back to RTS with ibv_modify_qp.',
          ]
        : qp.send.stalled
          ? [
              `room on the path to ${peerText(qp)}`,
              'Check that the process of the peer runs: a stopped one takes no packets.',
            ]
          : ['the device to send it', 'Look at the other requests and at the state of this QP.'];
    return [
      {
        ...base(of, qp, facts),
        kind: 'unsent',
        sentence: `${waits(qp)} ${what}`,
        saw: [
          qp.send.oldest.sent ? 'A part of the request was sent.' : 'No packet of the request was sent.',
          ...fullText(qp),
        ],
        cure,
        places: placed(['the request was posted by', qp.send.oldest.where], pollOf(of, qp)),
      },
    ];
  });
