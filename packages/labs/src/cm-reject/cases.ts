/** Ways to be turned down, each caused for real. */
import type { Intended } from '@verbslab/protocol';
import { base64OfHex, hexOfText } from '../cm/private-data.js';
import { connectAnd, nextRequest, type Answer, type Stage } from './stage.js';

/** Twelve bytes at most. */
export const WHY = 'Server busy.';

export interface Case {
  id: 'program' | 'closed' | 'no-listener' | 'gave-up' | 'no-service' | 'no-datagrams';
  title: string;
  /** Message that the client’s device receives, by Wireshark’s name; null: none, since the device itself rejects. */
  message: 'ConnectReject' | 'ServiceIDResReqResp' | null;
  event: string;
  /** Status of the event: the reason on the wire. */
  status: number;
  intends: Intended[];
  run: (stage: Stage) => Promise<Answer>;
}

const refused = (errno: string): Intended[] => [
  { role: 'client', most: 1, calls: [{ call: 'rdma_connect', errno }] },
];
/** `enum ib_cm_rej_reason`. */
export const REASON = { timeout: 4, service: 8, consumer: 28 } as const;
/** `enum ib_cm_sidr_status`. */
const SIDR = { unsupported: 1, rejected: 2 } as const;

/** Not a sleep to synchronize: the program takes its time, and the case shows that. */
const pause = async ({ client }: Stage, ms: number): Promise<void> => {
  if (ms > 0) await client.endpoint.call('waitCq', { cq: client.queues.cq, count: 1, timeoutMs: ms });
};

export const CASES: readonly Case[] = [
  {
    id: 'program',
    title: 'The program calls rdma_reject with private data',
    message: 'ConnectReject',
    event: 'REJECTED',
    status: REASON.consumer,
    intends: refused('ECONNREFUSED'),
    run: (stage) => {
      const { endpoint, listener } = stage.server;
      return connectAnd(stage, { service: 'TCP', port: listener.port }, async () => {
        const cm = await nextRequest(stage);
        if (cm === null) return;
        await pause(stage, stage.ctx.params.answerMs);
        await endpoint.call('cm.reject', { cm, privateData: base64OfHex(hexOfText(WHY)) });
        await endpoint.call('destroy', { what: 'cm', handle: cm });
      });
    },
  },
  {
    id: 'closed',
    title: 'The program destroys the request’s id without an answer',
    message: 'ConnectReject',
    event: 'REJECTED',
    status: REASON.consumer,
    intends: refused('ECONNREFUSED'),
    run: (stage) => {
      const { endpoint, listener } = stage.server;
      return connectAnd(stage, { service: 'TCP', port: listener.port }, async () => {
        const cm = await nextRequest(stage);
        if (cm !== null) await endpoint.call('destroy', { what: 'cm', handle: cm });
      });
    },
  },
  {
    id: 'no-listener',
    title: 'No program listens on the port',
    message: 'ConnectReject',
    event: 'REJECTED',
    status: REASON.service,
    intends: refused('ECONNREFUSED'),
    run: async (stage) => {
      const { endpoint } = stage.server;
      const { cm, port } = await endpoint.call('cm.listen', {});
      await endpoint.call('destroy', { what: 'cm', handle: cm });
      return connectAnd(stage, { service: 'TCP', port }, () => Promise.resolve());
    },
  },
  {
    id: 'gave-up',
    title: 'The client gives up before the program answers',
    message: null,
    event: 'none',
    status: 0,
    intends: refused('ECANCELED'),
    run: async (stage) => {
      const { endpoint, listener } = stage.server;
      const requests: (number | null)[] = [];
      const answer = await connectAnd(
        stage,
        { service: 'TCP', port: listener.port, giveUp: true },
        async () => {
          requests.push(await nextRequest(stage));
        },
      );
      for (const cm of requests) if (cm !== null) await endpoint.call('destroy', { what: 'cm', handle: cm });
      return answer;
    },
  },
  {
    id: 'no-service',
    title: 'No program listens in the datagram port space',
    message: 'ServiceIDResReqResp',
    event: 'UNREACHABLE',
    status: SIDR.unsupported,
    intends: refused('EHOSTUNREACH'),
    // The other port space has the same number taken.
    run: (stage) =>
      connectAnd(stage, { service: 'UDP', port: stage.server.listener.port }, () => Promise.resolve()),
  },
  {
    id: 'no-datagrams',
    title: 'A datagram service calls rdma_reject',
    message: 'ServiceIDResReqResp',
    event: 'UNREACHABLE',
    status: SIDR.rejected,
    intends: refused('EHOSTUNREACH'),
    run: (stage) => {
      const { server, datagrams } = stage;
      return connectAnd(stage, { service: 'UDP', port: datagrams.port }, async () => {
        const cm = await nextRequest(stage, datagrams.cm);
        if (cm === null) return;
        await server.endpoint.call('cm.reject', { cm });
        await server.endpoint.call('destroy', { what: 'cm', handle: cm });
      });
    },
  },
];
