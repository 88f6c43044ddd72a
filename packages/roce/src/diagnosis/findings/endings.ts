import { rejectReasonText } from '../../headers/cm-attributes.js';
import type { Flow } from '../flow.js';
import { Sample } from '../../base/sample.js';
import { finding, perWay } from './class.js';
import type { FindingClass } from './class.js';
import { end, plural, time } from './words.js';

/** Time in which an ACK may still arrive: half a round trip on a long path, and longer than a device coalesces. */
const SOON_NS = 10_000_000;

export const unanswered: FindingClass = {
  id: 'unanswered',
  checks: 'requests without an answer',
  find: (evidence) =>
    perWay('unanswered', evidence, ({ flow, from, to }) => {
      const { unanswered: psns, lastRequest } = flow.requester;
      if (psns === 0 || (flow.transport !== 'RC' && flow.transport !== 'XRC')) return null;
      const ignored = flow.requester.ignored !== null;
      const left = evidence.totals.endT - lastRequest.t;
      const soon = left < SOON_NS;
      const packets = new Sample();
      packets.add(lastRequest.number);
      return {
        severity: soon ? 'note' : 'warning',
        packets,
        text: ignored
          ? `${to} asked with a NAK for what ${from} sent, and that does not come again in the capture, which goes on for ${time(left)} after the last request.`
          : `The last ${psns === 1 ? 'PSN' : `${plural(psns, 'PSN')}`} of ${from} ${psns === 1 ? 'has' : 'have'} no answer in the capture, which goes on for ${time(left)} after the request.`,
        why: soon
          ? 'The capture ends soon after the request, so the answer may have come later.'
          : ignored
            ? `The NAK was lost after the place of capture, ${from} stopped or gave up, or what it sent again was not captured.`
            : `Earlier requests were answered, this one was not: ${to} stopped, the answer was lost, or the requester gave up (retry count exceeded).`,
        cure: soon
          ? 'Capture longer to see the end.'
          : 'Look at the completions of the requester: IBV_WC_RETRY_EXC_ERR names this case. Then see whether the peer still ran and could be reached.',
      };
    }),
};

export const noDisconnect: FindingClass = {
  id: 'no-disconnect',
  checks: 'connections without a disconnect',
  find: ({ exchanges, addresses }) => {
    const packets = new Sample();
    let example = '';
    for (const agreed of exchanges.agreed) {
      if (exchanges.hasEnd(agreed)) continue;
      packets.add(agreed.number);
      const name = ({ address, qp }: { address: number; qp: number }) =>
        end({ ip: addresses.texts[address]!, qpn: qp });
      example ||= `${name(agreed.a)} and ${name(agreed.b)}`;
    }
    if (packets.total === 0) return [];
    return [
      finding('no-disconnect', {
        severity: 'note',
        packets,
        text:
          packets.total === 1
            ? `The connection of ${example} was made in the capture, but no DisconnectRequest ended it.`
            : `${plural(packets.total, 'connection')} were made in the capture, but no DisconnectRequest ended them; the first is that of ${example}.`,
        why: 'The capture holds their ConnectReply and no DisconnectRequest that names one of their QPs. A program that ends without rdma_disconnect looks like that, and so does a capture that ends early.',
        cure: 'Call rdma_disconnect before the program ends, so that the peer learns of it at once.',
      }),
    ];
  },
};

export const refused: FindingClass = {
  id: 'cm-refused',
  checks: 'refused connections',
  find: ({ exchanges }) =>
    [...exchanges.refused].map(([reason, packets]) =>
      finding('cm-refused', {
        severity: 'error',
        packets,
        text: `${plural(packets.total, 'ConnectReject')}: ${rejectReasonText(reason)}.`,
        why: 'The peer, or its connection manager, refused the connection with this reason.',
        cure:
          reason === 8
            ? 'Start the listener first, and check the port number.'
            : reason === 28
              ? 'The application of the peer refused: see its log.'
              : 'Look up the reason in the parameters of the ConnectRequest; select it to see them.',
      }),
    ),
};

export const cmUnanswered: FindingClass = {
  id: 'cm-unanswered',
  checks: 'connection requests without a reply',
  find: ({ exchanges: { unanswered: packets } }) =>
    packets.total === 0
      ? []
      : [
          finding('cm-unanswered', {
            severity: 'warning',
            packets,
            text: `${plural(packets.total, 'ConnectRequest has', 'ConnectRequests have')} neither a reply nor a reject in the capture.`,
            why: 'No ConnectReply or ConnectReject names their communication ID. Either the peer did not answer, or its answer was not captured.',
            cure: 'Check that the peer can be reached; in RoCE v2, that no firewall drops UDP port 4791.',
          }),
        ],
};

export const cmRepeated: FindingClass = {
  id: 'cm-repeated',
  checks: 'connection requests sent again',
  find: ({ exchanges: { repeated: packets } }) =>
    packets.total === 0
      ? []
      : [
          finding('cm-repeated', {
            severity: 'warning',
            packets,
            text: `${plural(packets.total, 'ConnectRequest was', 'ConnectRequests were')} sent again.`,
            why: 'The same communication ID came before. The first request or its answer was lost, or the peer took longer than the requester waited.',
            cure: 'Look for drops of datagrams to QP 1, or for a listener that is slow to accept.',
          }),
        ],
};

/** A single ACK with MSN 0 may be that of message 2^24, where the MSN wraps. Only the next ACK would say MSN 1. */
const isCertain = ({ requester: { notExecuted: packets, firstMessage }, matched }: Flow): boolean =>
  packets.total > 1 || firstMessage || matched === 'cm';

export const messageZero: FindingClass = {
  id: 'msn-zero',
  checks: 'a first ACK with MSN 0',
  find: (evidence) =>
    perWay('msn-zero', evidence, ({ flow, from, to }) => {
      const { notExecuted: packets } = flow.requester;
      if (packets.total === 0 || isCertain(flow)) return null;
      return {
        severity: 'note',
        packets,
        text: `The first ACK of ${to} to ${from} has MSN 0: it completed no message so far, or exactly 16,777,216 or a multiple.`,
        why: 'The MSN of an ACK counts the messages that the responder has completed, modulo 2^24. If the connection began in the capture, the message was acknowledged, but not carried out: the rq_psn of the responder is beyond the sq_psn of the sender.',
        cure: 'If the connection is new, compare the rq_psn of each QP with the sq_psn of its peer.',
      };
    }),
};

export const notExecuted: FindingClass = {
  id: 'ack-not-executed',
  checks: 'messages that were acknowledged, but not carried out',
  find: (evidence) =>
    perWay('ack-not-executed', evidence, ({ flow, from, to }) => {
      const { notExecuted: packets, notExecutedMessages: n } = flow.requester;
      if (packets.total === 0 || !isCertain(flow)) return null;
      return {
        severity: 'warning',
        packets,
        text: `${to} acknowledged ${plural(n, 'message')} of ${from}, and says that no message was completed (MSN 0).`,
        why: 'The MSN of an ACK counts the messages that the responder has completed. It acknowledges a packet without carrying it out if it takes it for a repetition: its rq_psn is beyond the sq_psn of the sender. The program of the responder then never gets the message, though the sender sees success.',
        cure: 'Set the rq_psn of each QP to the sq_psn of its peer in the call that moves the QP to RTR.',
      };
    }),
};

/** Longest time in which a peer answers a DisconnectRequest. */
const SLOW_NS = 1_000_000_000;

export const lateDisconnect: FindingClass = {
  id: 'disconnect-late',
  checks: 'disconnects that were answered late',
  find: ({ exchanges: { lateReplies: packets, longestReplyNs } }) =>
    packets.total === 0 || longestReplyNs < SLOW_NS
      ? []
      : [
          finding('disconnect-late', {
            severity: 'note',
            packets,
            text: `${plural(packets.total, 'DisconnectReply', 'DisconnectReplies')} came late, up to ${time(longestReplyNs)} after the DisconnectRequest.`,
            why: 'The peer answers when its program takes the event or closes its end. Until then the other end keeps its resources.',
            cure: 'See what the program of the peer waited for.',
          }),
        ],
};
