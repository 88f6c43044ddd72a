import { setTimeout as after } from 'node:timers/promises';
import { AppError, type EndpointResult, type Wc } from '@verbslab/protocol';
import {
  DEFAULT_QKEY,
  VerbsError,
  type Cq,
  type Qp,
  type QpAttributes,
  type QpInfo,
  type Sge,
  type WorkCompletion,
} from '@verbslab/verbs';
import { shownModify, toVerbs } from './attributes.js';
import { need } from './need.js';
import type { Operations, Parsed } from './operations.js';
import { checkLink, setLink } from './qp-link.js';
import { checkPolicy, setPolicy } from './qp-policy.js';
import type { JsonObject } from './recorder.js';
import type { Session } from './session.js';
import { sgesOf, shownSend, shownSges, toSendWr } from './work-requests.js';

/** Default number of READs and atomics in flight; perftest's choice. */
const RD_ATOMIC = 16;

/** The device waits 200 ms at most for the other process to take a ring. */
const LINK_MS = 5;
const LINK_QUESTIONS = 400;

type QueueOps =
  | 'activateQp'
  | 'postSendList'
  | 'resizeCq'
  | 'createCq'
  | 'createQp'
  | 'modifyQp'
  | 'connectQp'
  | 'qpLink'
  | 'sendPacket'
  | 'queryQp'
  | 'postSend'
  | 'postRecv'
  | 'pollCq'
  | 'waitCq'
  | 'reqNotify'
  | 'waitEvent';

/** Makes a transition of a QP, reported as a call and as a change of state. */
function modify({ recorder, ownPackets }: Session, qp: Qp, attributes: QpAttributes): void {
  const from = qp.state;
  const args = shownModify(qp.qpn, attributes);
  recorder.verb('ibv_modify_qp', args, () => qp.modify(attributes));
  const { destQpn, address } = attributes;
  if (destQpn !== undefined && address?.gid !== undefined) ownPackets.add(qp.qpn, destQpn, address.gid);
  if (attributes.qkey !== undefined) ownPackets.addDatagrams(qp.qpn);
  const to = qp.state;
  recorder.emit({ kind: 'qp', qpn: qp.qpn, from, to, attrs: args.attr as JsonObject });
}

export function toWc(wc: WorkCompletion): Wc {
  return {
    wrId: Number(wc.wrId),
    status: wc.statusCode,
    statusName: wc.status,
    opcode: wc.opcode,
    ...(wc.vendorError === 0 ? {} : { vendorErr: wc.vendorError }),
    byteLen: wc.byteLength,
    ...(wc.immediate === undefined ? {} : { imm: wc.immediate }),
    qpn: wc.qpn,
    // The source QP is known for datagrams only.
    ...(wc.grh ? { srcQp: wc.sourceQpn } : {}),
    ...(wc.invalidatedRkey === undefined ? {} : { invalidatedRkey: wc.invalidatedRkey }),
  };
}

/** Polls that found nothing are counted, not reported one by one. */
function poll(session: Session, handle: number, cq: Cq, max: number, emptyPolls: number): Wc[] {
  const begin = process.hrtime.bigint();
  const found = cq.poll(max).map(toWc);
  if (found.length > 0) reportPoll(session, handle, max, begin, found, emptyPolls);
  return found;
}

/** A poll that found completions, and these. `begin`: CLOCK_MONOTONIC, ns. */
export function reportPoll(
  { recorder }: Session,
  handle: number,
  max: number,
  begin: bigint,
  found: readonly Wc[],
  emptyPolls: number,
  end = process.hrtime.bigint(),
): void {
  recorder.emit(
    {
      kind: 'verb',
      call: 'ibv_poll_cq',
      args: {
        cq: `CQ ${handle}`,
        num_entries: max,
        ...(emptyPolls === 0 ? {} : { empty_polls_before: emptyPolls }),
      },
      result: found.length,
      durationNs: Number(end - begin),
    },
    recorder.at(begin),
  );
  for (const wc of found) recorder.emit({ kind: 'completion', wc });
}

/** Events of each CQ whose acknowledgment is in the list of calls. */
const ackedEvents = new WeakMap<Cq, number>();

export async function waitCq(
  session: Session,
  { cq: handle, count, timeoutMs }: Parsed<'waitCq'>,
): Promise<EndpointResult<'waitCq'>> {
  const cq = session.cqs.get(handle);
  const deadline = performance.now() + timeoutMs;
  const completions: Wc[] = [];
  let emptyPolls = 0;
  for (;;) {
    const found = poll(session, handle, cq, count - completions.length, emptyPolls);
    completions.push(...found);
    if (completions.length === count || performance.now() >= deadline) break;
    emptyPolls = found.length > 0 ? 0 : emptyPolls + 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { completions };
}

export function postSend(session: Session, { qp: handle, wr }: Parsed<'postSend'>): Record<string, never> {
  const qp = session.qps.get(handle);
  const native = toSendWr(session, wr);
  const shown = shownSend(wr, native.local as Sge[]);
  session.recorder.verb('ibv_post_send', { qp: `QP ${qp.qpn}`, wr: shown }, () => qp.postSend(native));
  return {};
}

export const queueOperations: Operations<QueueOps> = {
  createCq(session, { depth, events, cm }) {
    const { recorder, cqs } = session;
    const context = session.contextOf(cm);
    if (events && cm === undefined)
      session.channel ??= recorder.verb('ibv_create_comp_channel', { context: context.device.name }, () =>
        context.createCompChannel(),
      );
    const channel = events && cm === undefined ? (session.channel ?? null) : null;
    const cq = recorder.verb(
      'ibv_create_cq',
      {
        context: context.device.name,
        cqe: depth,
        cq_context: null,
        channel: channel ? 'channel' : null,
        comp_vector: 0,
      },
      () => context.createCq({ depth, channel }),
      (made) => ({ cqe: made.depth }),
    );
    return { cq: cqs.add(cq), depth: cq.depth };
  },

  createQp(session, { pd, sendCq, recvCq, srq, link, policy, type = 'RC', ...options }) {
    checkLink(session, link);
    checkPolicy(session, policy);
    const { recorder, pds, cqs, qps, port } = session;
    const caps = {
      max_send_wr: options.maxSendWr ?? 128,
      max_recv_wr: options.maxRecvWr ?? 128,
      max_send_sge: options.maxSendSge ?? 1,
      max_recv_sge: options.maxRecvSge ?? 1,
      max_inline_data: options.maxInlineData ?? 0,
    };
    const qp = recorder.verb(
      options.extended ? 'ibv_create_qp_ex' : 'ibv_create_qp',
      {
        pd: `PD ${pd}`,
        qp_init_attr: {
          qp_type: type,
          send_cq: `CQ ${sendCq}`,
          recv_cq: `CQ ${recvCq ?? sendCq}`,
          ...(srq === undefined ? {} : { srq: `SRQ ${srq}` }),
          cap: caps,
          sq_sig_all: options.signalAll ? 1 : 0,
        },
      },
      () =>
        pds.get(pd).createQp({
          ...present(options),
          ...(srq === undefined ? {} : { srq: session.srqs.get(srq) }),
          type,
          sendCq: cqs.get(sendCq),
          recvCq: cqs.get(recvCq ?? sendCq),
        }),
      (made) => ({ qp_num: made.qpn }),
    );
    setLink(session, qp, link);
    const handle = qps.add(qp);
    recorder.emit({ kind: 'qp', qpn: qp.qpn, from: 'RESET', to: 'RESET', attrs: {} });
    setPolicy(session, qp, policy);
    const info: QpInfo = qp.info({ port });
    return { qp: handle, info: info as EndpointResult<'createQp'>['info'] };
  },

  modifyQp(session, { qp: handle, attrs }) {
    const qp = session.qps.get(handle);
    modify(session, qp, toVerbs(session.context, attrs, session.port));
    return { state: qp.state };
  },

  connectQp(session, { qp: handle, remote, options = {} }) {
    const qp = session.qps.get(handle);
    const { context } = session;
    const port = options.port ?? session.port;
    const own = qp.info({ port, ...(options.gidIndex === undefined ? {} : { gidIndex: options.gidIndex }) });
    const limit = Math.min(RD_ATOMIC, context.attributes.maxQpRdAtom);
    const reliable = qp.type === 'RC';
    modify(session, qp, {
      state: 'INIT',
      pkeyIndex: 0,
      port,
      access: options.access ?? [
        'LOCAL_WRITE',
        'REMOTE_WRITE',
        ...(reliable ? (['REMOTE_READ', 'REMOTE_ATOMIC'] as const) : []),
      ],
    });
    modify(session, qp, {
      state: 'RTR',
      address: { gid: remote.gid, lid: remote.lid, gidIndex: own.gidIndex, hopLimit: 64, port },
      pathMtu: options.mtu ?? Math.min(own.mtu, remote.mtu),
      destQpn: remote.qpn,
      rqPsn: remote.psn,
      ...(reliable && {
        maxDestRdAtomic: options.maxDestRdAtomic ?? limit,
        minRnrTimer: options.minRnrTimer ?? 12,
      }),
    });
    modify(session, qp, {
      state: 'RTS',
      sqPsn: options.psn ?? own.psn,
      ...(reliable && {
        timeout: options.timeout ?? 14,
        retryCount: options.retryCount ?? 7,
        rnrRetry: options.rnrRetry ?? 7,
        maxRdAtomic: options.maxRdAtomic ?? limit,
      }),
    });
    return { state: qp.state };
  },

  activateQp(session, { qp: handle, qkey = DEFAULT_QKEY }) {
    const qp = session.qps.get(handle);
    modify(session, qp, { state: 'INIT', pkeyIndex: 0, port: session.port, qkey });
    modify(session, qp, { state: 'RTR' });
    modify(session, qp, { state: 'RTS', sqPsn: qp.info({ port: session.port }).psn });
    return { state: qp.state };
  },

  async qpLink(session, { qp: handle }) {
    need(session, 'link');
    const qp = session.qps.get(handle);
    for (let asked = 0; asked < LINK_QUESTIONS; asked++) {
      const link = session.context.extensions.qpLink(qp);
      if (link !== null) return { link };
      await after(LINK_MS);
    }
    throw new AppError('INTERNAL', { detail: 'the device does not settle on a link' });
  },

  sendPacket(session, { qp: handle, hex }) {
    need(session, 'sendPacket');
    const qp = session.qps.get(handle);
    const packet = Buffer.from(hex, 'hex');
    session.recorder.verb('uroce_send_packet', { qp: `QP ${qp.qpn}`, length: packet.length }, () =>
      session.context.extensions.sendPacket(qp, packet),
    );
    return {};
  },

  queryQp({ recorder, qps }, { qp: handle }) {
    const qp = qps.get(handle);
    const status = recorder.verb(
      'ibv_query_qp',
      { qp: `QP ${qp.qpn}` },
      () => qp.query(),
      ({ state, destQpn, sqPsn, rqPsn }) => ({
        qp_state: state,
        dest_qp_num: destQpn,
        sq_psn: sqPsn,
        rq_psn: rqPsn,
      }),
    );
    const { state, ...attrs } = status;
    return { state: state, attrs };
  },

  postSend,

  postSendList(session, { qp: handle, wrs, extended = false }) {
    const qp = session.qps.get(handle);
    const native = wrs.map((wr) => toSendWr(session, wr));
    const shown = wrs.map((wr, i) => shownSend(wr, native[i]!.local as Sge[]));
    const call = extended ? 'ibv_wr_complete' : 'ibv_post_send';
    session.recorder.verb(call, { qp: `QP ${qp.qpn}`, wr: shown }, () =>
      extended ? qp.postExtended(native) : qp.postSend(native),
    );
    return {};
  },

  resizeCq({ recorder, cqs }, { cq: handle, depth }) {
    const cq = cqs.get(handle);
    recorder.verb(
      'ibv_resize_cq',
      { cq: `CQ ${handle}`, cqe: depth },
      () => cq.resize(depth),
      () => ({ cqe: cq.depth }),
    );
    return { depth: cq.depth };
  },

  postRecv(session, { qp: handle, wr, count = 1 }) {
    const qp = session.qps.get(handle);
    const local = sgesOf(session, wr.local);
    const shown = { wr_id: wr.wrId ?? 0, sg_list: shownSges(local) };
    const all = <T>(one: T): T | T[] => (count === 1 ? one : Array.from({ length: count }, () => one));
    session.recorder.verb('ibv_post_recv', { qp: `QP ${qp.qpn}`, wr: all(shown) }, () =>
      qp.postRecv(all({ wrId: wr.wrId ?? 0, local })),
    );
    return {};
  },

  pollCq(session, { cq: handle, max = 16 }) {
    const begin = process.hrtime.bigint();
    const completions = session.cqs.get(handle).poll(max).map(toWc);
    reportPoll(session, handle, max, begin, completions, 0);
    return { completions };
  },

  waitCq,

  reqNotify({ recorder, cqs }, { cq: handle }) {
    const cq = cqs.get(handle);
    recorder.verb('ibv_req_notify_cq', { cq: `CQ ${handle}`, solicited_only: 0 }, () => cq.reqNotify());
    return {};
  },

  async waitEvent({ recorder, cqs }, { cq: handle, seen, timeoutMs }) {
    const cq = cqs.get(handle);
    const begin = process.hrtime.bigint();
    const events = await cq.eventAfter(seen, { timeoutMs }).catch((error: unknown) => {
      if (error instanceof VerbsError && error.code === 'ETIMEDOUT') return cq.events;
      throw error;
    });
    recorder.emit(
      {
        kind: 'verb',
        call: 'ibv_get_cq_event',
        args: { channel: 'channel', timeout_ms: timeoutMs },
        result: events > seen ? `CQ ${handle}` : 'no event',
        durationNs: Number(process.hrtime.bigint() - begin),
      },
      recorder.at(begin),
    );
    // The addon makes this call when it takes the event, and does not time it.
    const acked = ackedEvents.get(cq) ?? 0;
    if (events > acked) {
      ackedEvents.set(cq, events);
      recorder.emit({
        kind: 'verb',
        call: 'ibv_ack_cq_events',
        args: { cq: `CQ ${handle}`, nevents: events - acked },
        durationNs: 0,
      });
    }
    return { events };
  },
};

/** Drops undefined members: packages/verbs distinguishes absent from undefined. */
function present<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
