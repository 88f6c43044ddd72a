/** Rules about queues and events that the program leaves as they are. */
import { plural } from '@verbslab/labs';
import type { StillCq } from '@verbslab/protocol';
import { cqOf, type StillProcess } from './facts.js';
import { aboutCq, placed, type Rule } from './standing.js';
import { peerText, qpText, timeText } from './words.js';

/** A call that destroys an object waits for the acknowledgment of its events. */
export const unacknowledged: Rule = ({ acks, endpoint }) =>
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
export const fullQueue: Rule = (of, facts) =>
  of.qps.flatMap((qp) => {
    const { send } = qp;
    const refused = facts.refusedPosts(of.endpoint);
    // An unknown CQ may hold completions.
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
export const unpolled: Rule = (of, facts, now) =>
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
export const inError: Rule = (of, facts, now) =>
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
          `It was seen in ERR at ${timeText(qp.stateSince)}. Requests that are posted to it now complete with WR_FLUSH_ERR.`,
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
export const receives: Rule = (of, facts, now) =>
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
