/** The connection manager: listeners, requests and connections. */
import { setTimeout as after } from 'node:timers/promises';
import { toErrorInfo, type CM_OPS, type EndpointResult } from '@verbslab/protocol';
import { CmError, createEventChannel, type CmEvent, type CmId } from '@verbslab/verbs';
import type { Operations } from './operations.js';
import { checkLink, setLink } from './qp-link.js';
import type { JsonObject } from './recorder.js';
import type { Session } from './session.js';

type CmOps = keyof typeof CM_OPS;

/** The messages of connection managers go from QP 1 to QP 1. */
const CM_QPN = 1;

const encode = (data: Uint8Array): string => Buffer.from(data).toString('base64');
const decode = (data: string | undefined): { privateData?: Uint8Array } =>
  data === undefined ? {} : { privateData: new Uint8Array(Buffer.from(data, 'base64')) };

function channelOf(session: Session): NonNullable<Session['eventChannel']> {
  if (session.eventChannel) return session.eventChannel;
  const { provider } = session.context.device;
  const channel = session.recorder.verb('rdma_create_event_channel', {}, () =>
    createEventChannel({ provider }),
  );
  session.eventChannel = channel;
  void logEvents(session, channel.events());
  return channel;
}

/** Ends with the channel. */
async function logEvents({ cms, cmEvents }: Session, events: AsyncIterable<CmEvent>): Promise<void> {
  for await (const { type, status, id, listener } of events) {
    const cm = cms.handleOf(listener ?? id);
    cmEvents.add({ type, status, ...(cm === undefined ? {} : { cm }) });
  }
}

/** A step that an event ends, reported as one call from its begin to that event. */
async function step<T>(session: Session, call: string, args: JsonObject, body: () => Promise<T>): Promise<T> {
  const { recorder } = session;
  const begin = process.hrtime.bigint();
  const report = (outcome: object): void => {
    const durationNs = Number(process.hrtime.bigint() - begin);
    recorder.emit({ kind: 'verb', call, args, durationNs, ...outcome }, recorder.at(begin));
  };
  try {
    const result = await body();
    report({});
    return result;
  } catch (error) {
    report({ error: toErrorInfo(error) });
    throw error;
  }
}

async function nextRequest(id: CmId, timeoutMs: number): Promise<CmEvent | null> {
  const abort = new AbortController();
  const over = after(timeoutMs, undefined, { signal: abort.signal }).then(
    () => abort.abort(),
    () => undefined,
  );
  try {
    for await (const event of id.requests({ signal: abort.signal })) return event;
  } finally {
    abort.abort();
    await over;
  }
  return null;
}

function reached(event: CmEvent): EndpointResult<'cm.connect'> {
  const { datagram, privateData } = event;
  return {
    established: true,
    privateData: encode(privateData),
    ...(datagram && {
      datagram: {
        gid: datagram.address.gid ?? '::',
        gidIndex: datagram.address.gidIndex ?? 0,
        qpn: datagram.qpn,
        qkey: datagram.qkey,
      },
    }),
  };
}

export const cmOperations: Operations<CmOps> = {
  'cm.listen'(session, { service = 'TCP', address, port = 0 }) {
    const { recorder, context, cms } = session;
    const channel = channelOf(session);
    const id = recorder.verb('rdma_create_id', { ps: `RDMA_PS_${service}` }, () => channel.createId(service));
    const handle = cms.add(id);
    const own = address ?? context.gid(session.port).address;
    recorder.verb('rdma_bind_addr', { id: `ID ${handle}`, addr: own, port }, () => id.bind(own, port));
    recorder.verb('rdma_listen', { id: `ID ${handle}`, backlog: 0 }, () => id.listen());
    return { cm: handle, address: own, port: id.localAddress?.port ?? port };
  },

  async 'cm.request'(session, { cm, timeoutMs }) {
    const event = await nextRequest(session.cms.get(cm), timeoutMs);
    if (event === null) return { request: null };
    const { id, privateData, connection } = event;
    return {
      request: {
        cm: session.cms.add(id),
        privateData: encode(privateData),
        ...(connection && { qpn: connection.qpn }),
      },
    };
  },

  async 'cm.resolve'(session, { service = 'TCP', address, port, timeoutMs }) {
    const { recorder, cms } = session;
    const channel = channelOf(session);
    const id = recorder.verb('rdma_create_id', { ps: `RDMA_PS_${service}` }, () => channel.createId(service));
    const handle = cms.add(id);
    const options = timeoutMs === undefined ? {} : { timeoutMs };
    await step(session, 'rdma_resolve_addr', { id: `ID ${handle}`, dst_addr: address, port }, () =>
      id.resolveAddr(address, port, options),
    );
    await step(session, 'rdma_resolve_route', { id: `ID ${handle}` }, () => id.resolveRoute(options));
    session.ownPackets.add(CM_QPN, CM_QPN, address);
    return { cm: handle };
  },

  'cm.createQp'(session, { cm, pd, sendCq, recvCq, srq, link, ...caps }) {
    checkLink(session, link);
    const { recorder, cms, pds, cqs, srqs, qps } = session;
    const id = cms.get(cm);
    const sizes = Object.fromEntries(Object.entries(caps).filter(([, value]) => value !== undefined));
    const qp = recorder.verb(
      'rdma_create_qp',
      { id: `ID ${cm}`, pd: `PD ${pd}`, qp_init_attr: { send_cq: `CQ ${sendCq}`, ...sizes } },
      () =>
        id.createQp(pds.get(pd), {
          ...sizes,
          sendCq: cqs.get(sendCq),
          recvCq: cqs.get(recvCq ?? sendCq),
          ...(srq === undefined ? {} : { srq: srqs.get(srq) }),
        }),
      (made) => ({ qp_num: made.qpn }),
    );
    setLink(session, qp, link);
    return { qp: qps.add(qp), qpn: qp.qpn };
  },

  async 'cm.connect'(session, { cm, privateData }) {
    const id = session.cms.get(cm);
    try {
      const event = await step(session, 'rdma_connect', { id: `ID ${cm}` }, () =>
        id.connect(decode(privateData)),
      );
      const { qp, remoteAddress: peer } = id;
      if (event.connection && qp && peer) session.ownPackets.add(qp.qpn, event.connection.qpn, peer.address);
      return reached(event);
    } catch (error) {
      if (!(error instanceof CmError) || error.event.type !== 'REJECTED') throw error;
      const { event } = error;
      return { established: false, reason: event.status, privateData: encode(event.privateData) };
    }
  },

  async 'cm.accept'(session, { cm, privateData }) {
    const id = session.cms.get(cm);
    await step(session, 'rdma_accept', { id: `ID ${cm}` }, () => id.accept(decode(privateData)));
    return {};
  },

  'cm.reject'({ recorder, cms }, { cm, privateData }) {
    const id = cms.get(cm);
    recorder.verb('rdma_reject', { id: `ID ${cm}` }, () => id.reject(decode(privateData).privateData));
    return {};
  },

  'cm.disconnect'({ recorder, cms }, { cm }) {
    const id = cms.get(cm);
    recorder.verb('rdma_disconnect', { id: `ID ${cm}` }, () => id.disconnect());
    return {};
  },

  async 'cm.disconnected'({ cms }, { cm, timeoutMs }) {
    await cms.get(cm).disconnected({ timeoutMs });
    return {};
  },

  async 'cm.events'({ cmEvents }, { timeoutMs }) {
    return { events: await cmEvents.take(timeoutMs) };
  },
};
