/** Datagrams, shared receive queues, windows, multicast, changed regions and asynchronous events. */
import { GRH_BYTES, readGrh } from '@verbslab/verbs';
import type { VERBS_OPS } from '@verbslab/protocol';
import { hex, piece } from './memory-operations.js';
import type { Operations } from './operations.js';
import { sgesOf, shownSges, windowOf } from './work-requests.js';

type VerbsOps = Exclude<
  keyof typeof VERBS_OPS,
  'activateQp' | 'postSendList' | 'resizeCq' | 'reqNotify' | 'waitEvent'
>;

export const verbsOperations: Operations<VerbsOps> = {
  createAh({ recorder, pds, ahs, port, context }, { pd, gid, gidIndex, ...rest }) {
    const index = gidIndex ?? context.gid(port).index;
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    const ah = recorder.verb(
      'ibv_create_ah',
      { pd: `PD ${pd}`, attr: { is_global: 1, dgid: gid, sgid_index: index, port_num: port, ...given } },
      () => pds.get(pd).createAh({ gid, gidIndex: index, port, ...given }),
    );
    return { ah: ahs.add(ah) };
  },

  readGrh({ mrs }, { mr, offset }) {
    return readGrh(piece(mrs.get(mr), offset, GRH_BYTES));
  },

  attachMulticast({ recorder, qps, groups, context, port }, { qp: handle, gid }) {
    const qp = qps.get(handle);
    recorder.verb('ibv_attach_mcast', { qp: `QP ${qp.qpn}`, gid }, () => qp.attachMulticast(gid));
    // The embedded device joins by itself.
    if (context.device.providerClass !== 'user-space') groups.join(qp.qpn, gid, context.gid(port).gid);
    return {};
  },

  detachMulticast({ recorder, qps, groups }, { qp: handle, gid }) {
    const qp = qps.get(handle);
    recorder.verb('ibv_detach_mcast', { qp: `QP ${qp.qpn}`, gid }, () => qp.detachMulticast(gid));
    groups.leave(qp.qpn, gid);
    return {};
  },

  createSrq({ recorder, pds, srqs }, { pd, maxWr, maxSge = 1 }) {
    const srq = recorder.verb(
      'ibv_create_srq',
      { pd: `PD ${pd}`, attr: { max_wr: maxWr, max_sge: maxSge } },
      () => pds.get(pd).createSrq({ maxWr, maxSge }),
    );
    return { srq: srqs.add(srq), maxWr: srq.query().maxWr };
  },

  postSrqRecv(session, { srq: handle, wr }) {
    const srq = session.srqs.get(handle);
    const local = sgesOf(session, wr.local);
    const shown = { wr_id: wr.wrId ?? 0, sg_list: shownSges(local) };
    session.recorder.verb('ibv_post_srq_recv', { srq: `SRQ ${handle}`, wr: shown }, () =>
      srq.postRecv({ wrId: wr.wrId ?? 0, local }),
    );
    return {};
  },

  modifySrq({ recorder, srqs }, { srq: handle, maxWr, limit }) {
    const change = {
      ...(maxWr === undefined ? {} : { maxWr }),
      ...(limit === undefined ? {} : { limit }),
    };
    const attr = {
      ...(maxWr === undefined ? {} : { max_wr: maxWr }),
      ...(limit === undefined ? {} : { srq_limit: limit }),
    };
    recorder.verb('ibv_modify_srq', { srq: `SRQ ${handle}`, attr }, () => srqs.get(handle).modify(change));
    return {};
  },

  querySrq({ recorder, srqs }, { srq: handle }) {
    return recorder.verb(
      'ibv_query_srq',
      { srq: `SRQ ${handle}` },
      () => srqs.get(handle).query(),
      ({ maxWr, maxSge, limit }) => ({ max_wr: maxWr, max_sge: maxSge, srq_limit: limit }),
    );
  },

  allocMw({ recorder, pds, mws }, { pd, type }) {
    const mw = recorder.verb(
      'ibv_alloc_mw',
      { pd: `PD ${pd}`, type },
      () => pds.get(pd).allocMw(type),
      ({ rkey }) => ({ rkey: hex(rkey) }),
    );
    return { mw: mws.add(mw), rkey: mw.rkey };
  },

  bindMw(session, { qp: handle, wrId = 0, ...bind }) {
    const [qp, mw, range] = [session.qps.get(handle), session.mws.get(bind.mw), windowOf(session, bind)];
    session.recorder.verb(
      'ibv_bind_mw',
      {
        qp: `QP ${qp.qpn}`,
        mw: `MW ${bind.mw}`,
        mr: `MR ${bind.mr}`,
        addr: hex(range.mr.iova + BigInt(range.offset ?? 0)),
        length: range.length ?? range.mr.length - (range.offset ?? 0),
      },
      () => qp.bindMw(mw, range, { wrId }),
      () => ({ rkey: hex(mw.rkey) }),
    );
    return { rkey: mw.rkey };
  },

  queryMw({ mws }, { mw }) {
    return { rkey: mws.get(mw).rkey };
  },

  reregMr({ recorder, pds, mrs }, { mr: handle, pd, length, access }) {
    const mr = mrs.get(handle);
    recorder.verb(
      'ibv_rereg_mr',
      {
        mr: `MR ${handle}`,
        ...(pd === undefined ? {} : { pd: `PD ${pd}` }),
        ...(length === undefined ? {} : { addr: 'a new buffer', length }),
        ...(access === undefined ? {} : { access }),
      },
      () =>
        mr.rereg({
          ...(pd === undefined ? {} : { pd: pds.get(pd) }),
          ...(length === undefined ? {} : { memory: length }),
          ...(access === undefined ? {} : { access }),
        }),
      () => ({ lkey: hex(mr.lkey), rkey: hex(mr.rkey) }),
    );
    return { mr: handle, addr: hex(mr.iova), length: mr.length, lkey: mr.lkey, rkey: mr.rkey };
  },

  async waitAsync({ asyncEvents }, { timeoutMs }) {
    return { events: await asyncEvents.take(timeoutMs) };
  },
};
