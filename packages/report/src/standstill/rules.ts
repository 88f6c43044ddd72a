/**
 * The rules of a standstill. Each is a pure function of what was recorded: it says what waits, and a cause only if that
 * was recorded. The first rule that applies to a process answers.
 */
import type { CallPlace, StillCq, StillQp } from '@verbslab/protocol';
import { cqOf, type StillFacts, type StillProcess } from './facts.js';
import { peerText, plural, qpText, requestText, timeoutText, timeText } from './words.js';

export interface StillRequest {
  opcode: string;
  wrId: string;
  length: number;
  psn: number;
  posted: number | null;
}

/** A place in the program, with what happened there: `posted at`. */
export interface StillPlace {
  what: string;
  place: CallPlace;
}

export type StillKind =
  | 'rnr'
  | 'ack'
  | 'unsent'
  | 'events'
  | 'full'
  | 'unpolled'
  | 'error'
  | 'peer-gone'
  | 'receive';

export interface Standing {
  kind: StillKind;
  /** Without its time and without a full stop, from its second word on: `SEND (wr_id 250) on QP … waits for …`. */
  sentence: string;
  endpoint: string;
  request: StillRequest | null;
  qpn: number | null;
  /** Time from which nothing moved, ns of the run. */
  since: number;
  /** What was recorded, a sentence each. The first ones say why it waits. */
  saw: string[];
  cure: string;
  places: StillPlace[];
  ruledOut: string[];
}

/** `now`: the time of the question, ns of the run. */
type Rule = (of: StillProcess, facts: StillFacts, now: number) => Standing[];
type Sends = StillQp & { send: StillQp['send'] & { oldest: NonNullable<StillQp['send']['oldest']> } };

/** QPs with a request that has not completed. In ERR all do. */
const hasOldest = (qp: StillQp): qp is Sends => qp.send.oldest !== undefined && qp.state !== 'ERR';

const placed = (...places: [what: string, place: CallPlace | null][]): StillPlace[] =>
  places.flatMap(([what, place]) => (place === null ? [] : [{ what, place }]));

const requestOf = ({ send: { oldest } }: Sends): StillRequest => ({
  opcode: oldest.opcode,
  wrId: oldest.wrId,
  length: oldest.length,
  psn: oldest.psn,
  posted: oldest.posted ?? null,
});

/** A request that joined an empty queue has waited since its post. */
const sinceOf = ({ send: { since, oldest } }: Sends): number => Math.max(since, oldest.posted ?? 0);

function aboutCq(of: StillProcess, number: number, ruled: string[]): void {
  const cq = cqOf(of, number);
  if (cq === undefined) return;
  if (cq.completions === 0) ruled.push(`CQ ${number} holds no completion that was not polled.`);
  if (cq.polling) ruled.push(`The program polls CQ ${number}.`);
  else if (cq.waiters > 0)
    ruled.push(
      `${plural(cq.waiters, 'thread')} of the program ${cq.waiters === 1 ? 'waits' : 'wait'} in ibv_get_cq_event for CQ ${number}.`,
    );
}

/** What the record rules out for a request that waits. */
function ruledOut(of: StillProcess, qp: Sends, facts: StillFacts): string[] {
  const { send, state } = qp;
  const ruled: string[] = [];
  if (send.rnr === 0) ruled.push(`No RNR NAK came since ${timeText(send.since)}.`);
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

const waits = (qp: Sends): string => `${requestText(qp.send.oldest)} on ${qpText(qp.qpn)} waits for`;
const fullText = ({ send }: StillQp): string[] =>
  send.used >= send.size
    ? [`The send queue is full: ${send.used} of ${plural(send.size, 'entry', 'entries')} used.`]
    : [];

/** The peer has no receive for the message: it answers with RNR NAKs. */
const noReceive: Rule = (of, facts) =>
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
          `${peerText(qp)} has answered with ${plural(qp.send.rnr, 'RNR NAK')} since ${timeText(qp.send.since)}: it had no receive posted for the message.`,
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
        ),
      },
    ];
  });

const isResponse = ({ opcode }: { opcode: string }): boolean =>
  opcode === 'RDMA_READ' || opcode.startsWith('ATOMIC');

/** The request was sent, and the peer has not answered. */
const noAnswer: Rule = (of, facts) =>
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
          `${peerText(qp)} has acknowledged nothing since ${timeText(send.since)}.`,
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
        places: placed(['the request was posted by', send.oldest.where]),
      },
    ];
  });

/** The device has not sent the request. */
const unsent: Rule = (of, facts) =>
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
        places: placed(['the request was posted by', qp.send.oldest.where]),
      },
    ];
  });

/** A call that destroys an object waits for the acknowledgment of its events. */
const unacknowledged: Rule = ({ acks, endpoint }) =>
  acks === undefined
    ? []
    : [
        {
          kind: 'events',
          sentence: `${acks.call} waits until the program acknowledges ${plural(acks.events, 'event')} with ${acks.acknowledge}`,
          endpoint,
          request: null,
          qpn: null,
          since: acks.since,
          saw: [
            `When the call began, ${plural(acks.events, 'event')} that the program had taken ${acks.events === 1 ? 'was' : 'were'} not acknowledged.`,
          ],
          cure: `Call ${acks.acknowledge} for every event that you get.`,
          places: placed(['it was called by', acks.where]),
          ruledOut: [],
        },
      ];

/** Time without any movement in a process after which its queues are said to stand still. */
const QUIET_NS = 1e9;
const quiet = ({ moved }: StillProcess, now: number): boolean => now - (moved ?? 0) >= QUIET_NS;

/** All entries of a send queue are taken by requests that have completed without a completion. */
const fullQueue: Rule = (of, facts) =>
  of.qps.flatMap((qp) => {
    const { send } = qp;
    const refused = facts.refusedPosts(of.endpoint);
    // Of an unknown CQ it is not known that nothing waits in it.
    const unread = cqOf(of, qp.sendCq)?.completions ?? 1;
    if (send.used < send.size || send.size === 0 || send.queued > 0 || unread > 0 || refused === 0) return [];
    return [
      {
        kind: 'full',
        sentence: `${qpText(qp.qpn)} takes no more requests: ${send.used} of ${plural(send.size, 'entry', 'entries')} of its send queue are used by requests that have completed unsignaled`,
        endpoint: of.endpoint,
        request: null,
        qpn: qp.qpn,
        since: send.since,
        saw: [
          'ibv_post_send was refused with ENOMEM.',
          'An entry is free again when the completion of its request, or of a later one, was polled. None of these has one.',
        ],
        cure: 'Set IBV_SEND_SIGNALED on at least one request in every max_send_wr, and poll its completion before you post more.',
        places: [],
        ruledOut: [
          'No request waits for the peer: all have completed.',
          `CQ ${qp.sendCq} holds no completion.`,
        ],
      },
    ];
  });

function whyUnpolled(cq: StillCq): { saw: string[]; cure: string } {
  const poll = 'Poll the CQ until it is empty.';
  if (cq.channel && cq.armed === 'solicited')
    return {
      saw: [
        'ibv_req_notify_cq asked for solicited completions only, and these are others or came before it: they raise no event.',
      ],
      cure: 'Set IBV_SEND_SOLICITED on the sends that shall wake the receiver, or call ibv_req_notify_cq with 0. Poll the CQ after it.',
    };
  if (cq.channel && cq.armed === 'all')
    return {
      saw: ['ibv_req_notify_cq came after these completions, so they raise no event.'],
      cure: 'After ibv_req_notify_cq, poll the CQ until it is empty before you wait in ibv_get_cq_event.',
    };
  if (cq.channel && cq.events > 0)
    return {
      saw: [
        `${plural(cq.events, 'event')} of the CQ ${cq.events === 1 ? 'waits' : 'wait'} in the completion channel.`,
      ],
      cure: 'Take the event with ibv_get_cq_event, acknowledge it, and poll the CQ.',
    };
  return {
    saw: [
      ...(cq.channel ? ['The CQ is not armed, and no event of it waits in the completion channel.'] : []),
      cq.polled === undefined
        ? 'The program has never polled this CQ.'
        : `The program polled it last at ${timeText(cq.polled)}.`,
    ],
    cure: cq.channel ? `Arm the CQ with ibv_req_notify_cq, then poll it until it is empty.` : poll,
  };
}

/** Completions that the program does not poll, while nothing else moves. */
const unpolled: Rule = (of, facts, now) =>
  of.cqs.flatMap((cq) => {
    if (cq.since === undefined || cq.polling || !quiet(of, now)) return [];
    const { first } = cq;
    const of1 =
      first === undefined
        ? ''
        : `, the first of wr_id ${first.wrId} on ${qpText(first.qpn)} (${first.status})`;
    const { saw, cure } = whyUnpolled(cq);
    const stuck = of.qps.filter(({ send }) => send.size > 0 && send.used >= send.size);
    return [
      {
        kind: 'unpolled',
        sentence: `CQ ${cq.number} holds ${plural(cq.completions, 'completion')} that the program has not polled${of1}`,
        endpoint: of.endpoint,
        request: null,
        qpn: first?.qpn ?? null,
        since: cq.since,
        saw: [
          ...saw,
          ...(cq.completions >= cq.size ? [`The CQ is full (${cq.size}): the next completion is lost.`] : []),
          ...stuck.map(
            (qp) =>
              `The send queue of ${qpText(qp.qpn)} is full (${qp.send.size}): its entries are free again when their completions are polled.`,
          ),
          ...(cq.waiters > 0
            ? [
                `${plural(cq.waiters, 'thread')} ${cq.waiters === 1 ? 'waits' : 'wait'} in ibv_get_cq_event for its channel.`,
              ]
            : []),
          ...(facts.refusedPosts(of.endpoint) > 0 && stuck.length > 0
            ? ['ibv_post_send was refused with ENOMEM.']
            : []),
        ],
        cure,
        places: placed(['the CQ was polled last by', cq.where]),
        ruledOut: [
          ...(of.qps.every(({ send }) => send.queued === 0)
            ? ['No request that is shown here waits for its peer.']
            : []),
        ],
      },
    ];
  });

/** A QP in ERR, while nothing moves. */
const inError: Rule = (of, facts, now) =>
  of.qps.flatMap((qp) => {
    if (qp.state !== 'ERR' || !quiet(of, now)) return [];
    const failure = facts.failure(of.endpoint, qp.qpn, qp.stateSince);
    const cq = cqOf(of, qp.sendCq);
    return [
      {
        kind: 'error',
        sentence: `${qpText(qp.qpn)} is in ERR: it neither sends nor receives${failure === null ? '' : `; wr_id ${failure.wrId} failed with ${failure.status}`}`,
        endpoint: of.endpoint,
        request: null,
        qpn: qp.qpn,
        since: qp.stateSince,
        saw: [
          `It went to ERR at about ${timeText(qp.stateSince)}. Requests that are posted to it now complete with WR_FLUSH_ERR.`,
          ...(failure === null
            ? ['No failed completion of it was polled.']
            : [`The program polled the failed completion at ${timeText(failure.t)}.`]),
          ...(cq?.polling ? [`The program polls CQ ${cq.number}.`] : []),
        ],
        cure: 'Check the status of every completion. To use the QP again, bring it to RESET and connect both ends again.',
        places: [],
        ruledOut: [],
      },
    ];
  });

/** Receives wait for a message while nothing moves: normal for a server, unless its peer is gone. */
const receives: Rule = (of, facts, now) =>
  of.qps.flatMap((qp) => {
    const { recv } = qp;
    if (recv.queued === 0 || qp.state === 'ERR' || qp.send.queued > 0 || !quiet(of, now)) return [];
    const gone = facts.gone(of, qp);
    const queue = recv.srq === undefined ? qpText(qp.qpn) : `SRQ ${recv.srq} (${qpText(qp.qpn)})`;
    const ruled: string[] = ['No request of this QP waits.'];
    aboutCq(of, qp.recvCq, ruled);
    return [
      {
        kind: gone === null ? 'receive' : 'peer-gone',
        sentence: `${plural(recv.queued, 'receive')} on ${queue} ${recv.queued === 1 ? 'waits' : 'wait'} for a message${qp.peerQpn === undefined ? '' : ` from ${peerText(qp)}`}${gone === null ? '' : `, but ${gone}`}`,
        endpoint: of.endpoint,
        request: null,
        qpn: qp.qpn,
        since: recv.since,
        saw: ['A receive has no timeout: the device does not notice that no message comes.'],
        cure:
          gone === null
            ? 'Look at the peer: it has sent nothing.'
            : 'Have the program notice the end of its peer: a closed connection of the connection manager, or its own timeout.',
        places: placed(['the latest receive was posted by', recv.where]),
        ruledOut: ruled,
      },
    ];
  });

/** Rules, from the most to the least specific. */
export const RULES: readonly Rule[] = [
  noReceive,
  noAnswer,
  unsent,
  unacknowledged,
  fullQueue,
  unpolled,
  inError,
  receives,
];
