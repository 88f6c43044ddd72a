/** The connection manager: listeners, requests and connections. */
import { setTimeout as after } from 'node:timers/promises';
import type { CM_OPS, EndpointResult } from '@verbslab/protocol';
import { CmError, type CmEvent, type CmId } from '@verbslab/verbs';
import {
  accept,
  connect,
  createId,
  createQp,
  decode,
  disconnect,
  encode,
  heldChannel,
  resolve,
} from './cm-steps.js';
import type { Operations } from './operations.js';

type CmOps = keyof typeof CM_OPS;

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
  'cm.listen'(session, { service = 'TCP', address, port = 0, backlog = 0, held = false }) {
    const { recorder, context } = session;
    const { id, handle } = createId(session, service, held ? heldChannel(session) : undefined);
    const own = address ?? context.gid(session.port).address;
    recorder.verb('rdma_bind_addr', { id: `ID ${handle}`, addr: own, port }, () => id.bind(own, port));
    recorder.verb('rdma_listen', { id: `ID ${handle}`, backlog }, () => id.listen(backlog));
    return { cm: handle, address: own, port: id.localAddress?.port ?? port };
  },

  'cm.release'({ cms }, { cm }) {
    cms.get(cm).channel.release();
    return {};
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

  async 'cm.resolve'(session, { service = 'TCP', ...where }) {
    const made = createId(session, service);
    await resolve(session, made, where);
    return { cm: made.handle };
  },

  'cm.createQp'(session, { cm, ...options }) {
    const qp = createQp(session, cm, options);
    return { qp: session.qps.add(qp), qpn: qp.qpn };
  },

  async 'cm.connect'(session, { cm, privateData }) {
    try {
      return reached(await connect(session, cm, privateData));
    } catch (error) {
      if (!(error instanceof CmError) || error.event.type !== 'REJECTED') throw error;
      const { event } = error;
      return { established: false, reason: event.status, privateData: encode(event.privateData) };
    }
  },

  async 'cm.accept'(session, { cm, privateData }) {
    await accept(session, cm, privateData);
    return {};
  },

  'cm.reject'({ recorder, cms }, { cm, privateData }) {
    const id = cms.get(cm);
    recorder.verb('rdma_reject', { id: `ID ${cm}` }, () => id.reject(decode(privateData).privateData));
    return {};
  },

  'cm.disconnect'(session, { cm }) {
    disconnect(session, cm);
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
