/** Steps of the connection manager that several commands take. */
import { toErrorInfo } from '@verbslab/protocol';
import { createEventChannel, type CmEvent, type CmId, type EventChannel, type Qp } from '@verbslab/verbs';
import { setLink, checkLink } from './qp-link.js';
import { setPolicy } from './qp-policy.js';
import type { JsonObject } from './recorder.js';
import type { Session } from './session.js';

/** The messages of connection managers go from QP 1 to QP 1. */
const CM_QPN = 1;

export const encode = (data: Uint8Array): string => Buffer.from(data).toString('base64');
export const decode = (data: string | undefined): { privateData?: Uint8Array } =>
  data === undefined ? {} : { privateData: new Uint8Array(Buffer.from(data, 'base64')) };

function openChannel(session: Session, held: boolean): EventChannel {
  const { provider } = session.context.device;
  const channel = session.recorder.verb('rdma_create_event_channel', {}, () =>
    createEventChannel({ provider, held }),
  );
  void logEvents(session, channel.events());
  return channel;
}

/** The channel of the endpoint for all ids without one of their own, made when it is first needed. */
export function channelOf(session: Session): EventChannel {
  return (session.eventChannel ??= openChannel(session, false));
}

/** Makes a channel whose events wait for its release. */
export function heldChannel(session: Session): EventChannel {
  const channel = openChannel(session, true);
  session.heldChannels.push(channel);
  return channel;
}

/** Ends with the channel. */
async function logEvents(
  { cms, cmEvents, recorder }: Session,
  events: AsyncIterable<CmEvent>,
): Promise<void> {
  for await (const { type, status, id, listener } of events) {
    const cm = cms.handleOf(listener ?? id);
    cmEvents.add({ type, status, at: recorder.now(), ...(cm === undefined ? {} : { cm }) });
  }
}

/** A step that an event ends, reported as one call from its begin to that event. */
export async function step<T>(
  session: Session,
  call: string,
  args: JsonObject,
  body: () => Promise<T>,
): Promise<T> {
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

export function createId(
  session: Session,
  service: 'TCP' | 'UDP',
  channel = channelOf(session),
): { id: CmId; handle: number } {
  const id = session.recorder.verb('rdma_create_id', { ps: `RDMA_PS_${service}` }, () =>
    channel.createId(service),
  );
  return { id, handle: session.cms.add(id) };
}

/** Address and route, both reported. */
export async function resolve(
  session: Session,
  { id, handle }: { id: CmId; handle: number },
  { address, port, timeoutMs }: { address: string; port: number; timeoutMs?: number | undefined },
): Promise<void> {
  const options = timeoutMs === undefined ? {} : { timeoutMs };
  await step(session, 'rdma_resolve_addr', { id: `ID ${handle}`, dst_addr: address, port }, () =>
    id.resolveAddr(address, port, options),
  );
  await step(session, 'rdma_resolve_route', { id: `ID ${handle}` }, () => id.resolveRoute(options));
  session.ownPackets.add(CM_QPN, CM_QPN, address);
}

export interface CmQp {
  pd: number;
  sendCq: number;
  recvCq?: number | undefined;
  srq?: number | undefined;
  link?: 'udp' | 'auto' | undefined;
  maxSendWr?: number | undefined;
  maxRecvWr?: number | undefined;
}

/** The QP of an id. The caller gives it a handle. */
export function createQp(session: Session, cm: number, { pd, sendCq, recvCq, srq, link, ...caps }: CmQp): Qp {
  checkLink(session, link);
  const { recorder, cms, pds, cqs, srqs } = session;
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
  setPolicy(session, qp, undefined);
  return qp;
}

/** `rdma_connect`. @throws CmError if the peer does not accept */
export async function connect(
  session: Session,
  cm: number,
  privateData: string | undefined,
): Promise<CmEvent> {
  const id = session.cms.get(cm);
  const event = await step(session, 'rdma_connect', { id: `ID ${cm}` }, () =>
    id.connect(decode(privateData)),
  );
  const { qp, remoteAddress: peer } = id;
  if (event.connection && qp && peer) session.ownPackets.add(qp.qpn, event.connection.qpn, peer.address);
  return event;
}

/** `rdma_accept`, until the connection is there. @throws CmError if the peer has gone */
export async function accept(session: Session, cm: number, privateData: string | undefined): Promise<void> {
  const id = session.cms.get(cm);
  await step(session, 'rdma_accept', { id: `ID ${cm}` }, () => id.accept(decode(privateData)));
}

export function disconnect({ recorder, cms }: Session, cm: number): void {
  const id = cms.get(cm);
  recorder.verb('rdma_disconnect', { id: `ID ${cm}` }, () => id.disconnect());
}
