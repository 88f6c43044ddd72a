/** Connections by rdma_cm, one after another at the client, and served by themselves at the server. */
import { setTimeout as after } from 'node:timers/promises';
import type { CmMade, CONNECT_OPS, EndpointResult } from '@verbslab/protocol';
import { CmError, type CmEvent, type CmId } from '@verbslab/verbs';
import { accept, connect, createId, createQp, disconnect, encode, resolve } from './cm-steps.js';
import type { Operations, Parsed } from './operations.js';
import { postSend, waitCq } from './queue-operations.js';
import type { Session } from './session.js';

type CmManyOps = Extract<keyof typeof CONNECT_OPS, `cm.${string}`>;

/** Largest number of QPNs in a reply to `cm.served`. */
const QPNS = 4096;

interface Serving {
  abort: AbortController;
  /** Settles when no more requests are accepted. */
  over: Promise<void>;
  connections: Set<Promise<void>>;
  found: EndpointResult<'cm.served'>;
}

/** Servers by their listening id. */
const SERVING = new WeakMap<CmId, Serving>();

/** Serves a client from its request to the end of its connection. */
async function serveOne(
  session: Session,
  event: CmEvent,
  args: Parsed<'cm.serve'>,
  serving: Serving,
): Promise<void> {
  const { found, abort } = serving;
  const { id } = event;
  const cm = session.cms.add(id);
  found.requests++;
  found.privateData = encode(event.privateData);
  let qp: number | null = null;
  try {
    const made = createQp(session, cm, { pd: args.pd, sendCq: args.cq, link: args.link });
    qp = session.qps.add(made);
    await accept(session, cm, args.privateData);
    found.established++;
    found.qpns = [...found.qpns.slice(1 - QPNS), made.qpn];
    await untilDisconnected(id, abort.signal);
    if (!id.closed) disconnect(session, cm);
    found.ended++;
  } catch {
    // The report names the call that failed. Closing the id rejects a request that was not answered.
    found.failed++;
  } finally {
    if (qp !== null) session.destroyQp(qp);
    if (!id.closed) session.destroyId(cm);
  }
}

/** Waits for the disconnect or the signal; after the signal our disconnect comes first. */
async function untilDisconnected(id: CmId, signal: AbortSignal): Promise<void> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    if (signal.aborted) resolve();
    signal.addEventListener('abort', stop, { once: true });
  });
  await Promise.race([id.disconnected().catch(() => undefined), aborted]);
  signal.removeEventListener('abort', stop);
}

async function take(session: Session, args: Parsed<'cm.serve'>, serving: Serving): Promise<void> {
  for await (const event of session.cms.get(args.cm).requests({ signal: serving.abort.signal })) {
    const one = serveOne(session, event, args, serving);
    serving.connections.add(one);
    void one.finally(() => serving.connections.delete(one));
  }
}

const NOT_YET = {
  qpn: null,
  resolvedAt: null,
  createdAt: null,
  answeredAt: null,
  status: null,
  workedAt: null,
  endedAt: null,
};

type One = Omit<Parsed<'cm.connectMany'>, 'count'>;

async function connectOne(session: Session, args: One): Promise<CmMade> {
  const { recorder } = session;
  const { address, port, timeoutMs, pd, cq, link, request, privateData } = args;
  const made: CmMade = { ...NOT_YET, beganAt: recorder.now(), event: 'ESTABLISHED', reason: 0 };
  const { id, handle } = createId(session, 'TCP');
  let qp: number | null = null;
  try {
    await resolve(session, { id, handle }, { address, port, timeoutMs });
    made.resolvedAt = recorder.now();
    const created = createQp(session, handle, { pd, sendCq: cq, link });
    qp = session.qps.add(created);
    made.qpn = created.qpn;
    made.createdAt = recorder.now();
    await connect(session, handle, privateData);
    made.answeredAt = recorder.now();
    if (request) {
      postSend(session, { qp, wr: request });
      const { completions } = await waitCq(session, { cq, count: 1, timeoutMs });
      made.status = completions[0]?.statusName ?? null;
      made.workedAt = recorder.now();
    }
    disconnect(session, handle);
    await id.disconnected({ timeoutMs });
    made.endedAt = recorder.now();
  } catch (error) {
    if (!(error instanceof CmError)) throw error;
    made.answeredAt ??= recorder.now();
    made.event = error.event.type;
    made.reason = error.event.status;
  } finally {
    if (qp !== null) session.destroyQp(qp);
    if (!id.closed) session.destroyId(handle);
  }
  return made;
}

export const cmManyOperations: Operations<CmManyOps> = {
  'cm.serve'(session, args) {
    const listener = session.cms.get(args.cm);
    const serving: Serving = {
      abort: new AbortController(),
      over: Promise.resolve(),
      connections: new Set(),
      found: { requests: 0, established: 0, ended: 0, failed: 0, privateData: '', qpns: [] },
    };
    serving.over = take(session, args, serving);
    SERVING.set(listener, serving);
    return {};
  },

  async 'cm.served'({ cms }, { cm }) {
    const listener = cms.get(cm);
    const serving = SERVING.get(listener);
    if (!serving) return { requests: 0, established: 0, ended: 0, failed: 0, privateData: '', qpns: [] };
    serving.abort.abort();
    await serving.over;
    await Promise.all(serving.connections);
    SERVING.delete(listener);
    return serving.found;
  },

  async 'cm.connectMany'(session, args) {
    const connections: CmMade[] = [];
    for (let i = 0; i < args.count; i++) connections.push(await connectOne(session, args));
    return { connections };
  },

  async 'cm.reconnect'(session, { waitsMs, ...args }) {
    const connections = [await connectOne(session, args)];
    for (const wait of waitsMs) {
      if (connections.at(-1)?.event === 'ESTABLISHED') break;
      // A timer counts from the start of the event loop's turn, so it may end early by the time that had passed in the
      // turn.
      const end = performance.now() + wait;
      for (let left = wait; left > 0; left = end - performance.now()) await after(left);
      connections.push(await connectOne(session, args));
    }
    return { connections };
  },
};
