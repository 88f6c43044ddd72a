/**
 * Connections by hand: both ends write a line with QPN, PSN and GID to a TCP socket, and call ibv_modify_qp themselves.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { callFailed, type CONNECT_OPS, type HandMade } from '@verbslab/protocol';
import { LineSocket } from './line-socket.js';
import type { Operations, Parsed } from './operations.js';
import { postSend, queueOperations, waitCq } from './queue-operations.js';
import type { Session } from './session.js';

type HandOps = Extract<keyof typeof CONNECT_OPS, `hand.${string}`>;

const READY = 'ready';
const CURE = 'Check that TCP connections between the two hosts are allowed.';

interface Serving {
  server: Server;
  sockets: Set<Socket>;
  connections: HandMade[];
  failed: number;
}

const SERVING = new WeakMap<Session, Serving>();

type Queues = Pick<Parsed<'hand.serve'>, 'pd' | 'cq' | 'link'>;
type Made = Awaited<ReturnType<typeof queueOperations.createQp>>;

const lineOf = ({ info: { qpn, psn, gid } }: Made): string =>
  `${[qpn, psn].map((number) => number.toString(16).padStart(6, '0')).join(' ')} ${gid}`;

/** Reads the peer's line, checking only what ibv_modify_qp does not check. */
function remoteOf(line: string, { info: { lid, mtu } }: Made): Parsed<'connectQp'>['remote'] {
  const read = /^([0-9a-f]{6}) ([0-9a-f]{6}) (\S+)$/.exec(line);
  if (!read) throw callFailed('SYSTEM', 'Reading the peer’s QPN, PSN and GID', 'EPROTO', CURE);
  return { qpn: parseInt(read[1]!, 16), psn: parseInt(read[2]!, 16), gid: read[3]!, lid, mtu };
}

const newQp = (session: Session, { pd, cq, link }: Queues) =>
  queueOperations.createQp(session, { pd, sendCq: cq, ...(link && { link }) });

async function serveOne(session: Session, socket: Socket, queues: Queues): Promise<HandMade> {
  const { recorder } = session;
  const beganAt = recorder.now();
  const lines = new LineSocket(socket);
  const made = await newQp(session, queues);
  socket.once('close', () => {
    if (session.isOpen) session.destroyQp(made.qp);
  });
  const peer = await lines.read();
  const receivedAt = recorder.now();
  await queueOperations.connectQp(session, { qp: made.qp, remote: remoteOf(peer, made) });
  const readyAt = recorder.now();
  const own = lineOf(made);
  lines.write(own);
  const sentAt = recorder.now();
  if ((await lines.read()) !== READY)
    throw callFailed('SYSTEM', 'Reading “ready” from the client', 'EPROTO', CURE);
  return {
    qpn: made.info.qpn,
    beganAt,
    openedAt: beganAt,
    receivedAt,
    readyAt,
    sentAt,
    doneAt: recorder.now(),
    status: null,
    workedAt: null,
    own,
    peer,
  };
}

async function opened(host: string, port: number, timeoutMs: number): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true });
  socket.setTimeout(timeoutMs, () => socket.destroy(callFailed('SYSTEM', 'connect', 'ETIMEDOUT', CURE)));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', (error: NodeJS.ErrnoException) =>
      reject(callFailed('SYSTEM', 'connect', error.code ?? 'EIO', CURE)),
    );
  });
  return socket;
}

async function connectOne(session: Session, args: Parsed<'hand.connectMany'>): Promise<HandMade> {
  const { recorder } = session;
  const { host, port, timeoutMs, cq, request } = args;
  const beganAt = recorder.now();
  const socket = await opened(host, port, timeoutMs);
  const openedAt = recorder.now();
  let qp: number | null = null;
  try {
    const lines = new LineSocket(socket);
    const made = await newQp(session, args);
    qp = made.qp;
    const own = lineOf(made);
    lines.write(own);
    const sentAt = recorder.now();
    const peer = await lines.read();
    const receivedAt = recorder.now();
    await queueOperations.connectQp(session, { qp, remote: remoteOf(peer, made) });
    const readyAt = recorder.now();
    lines.write(READY);
    const doneAt = recorder.now();
    let [status, workedAt]: [string | null, number | null] = [null, null];
    if (request) {
      postSend(session, { qp, wr: request });
      const { completions } = await waitCq(session, { cq, count: 1, timeoutMs });
      status = completions[0]?.statusName ?? null;
      workedAt = recorder.now();
    }
    const { qpn } = made.info;
    return { qpn, beganAt, openedAt, sentAt, receivedAt, readyAt, doneAt, status, workedAt, own, peer };
  } finally {
    if (qp !== null) session.destroyQp(qp);
    socket.destroy();
  }
}

export const handOperations: Operations<HandOps> = {
  async 'hand.serve'(session, { host, port = 0, ...queues }) {
    const serving: Serving = {
      server: createServer({ noDelay: true }),
      sockets: new Set(),
      connections: [],
      failed: 0,
    };
    const { server, sockets } = serving;
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      serveOne(session, socket, queues).then(
        (made) => serving.connections.push(made),
        () => {
          serving.failed++;
          socket.destroy();
        },
      );
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(callFailed('SYSTEM', 'bind', error.code ?? 'EIO')),
      );
      server.listen(port, host, resolve);
    });
    SERVING.set(session, serving);
    const address = server.address();
    return { port: typeof address === 'object' && address ? address.port : port };
  },

  async 'hand.served'(session) {
    const serving = SERVING.get(session);
    if (!serving) return { connections: [], failed: 0 };
    SERVING.delete(session);
    const closed = new Promise<void>((resolve) => serving.server.close(() => resolve()));
    for (const socket of serving.sockets) socket.destroy();
    await closed;
    return { connections: serving.connections, failed: serving.failed };
  },

  async 'hand.connectMany'(session, args) {
    const connections: HandMade[] = [];
    for (let i = 0; i < args.count; i++) connections.push(await connectOne(session, args));
    return { connections };
  },
};
