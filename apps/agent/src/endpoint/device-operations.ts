import { AppError } from '@verbslab/protocol';
import { describeDevice, findDevice } from '../devices/describe.js';
import { exact } from './exact.js';
import type { Operations } from './operations.js';

export const deviceOperations: Operations<'open' | 'query'> = {
  open(session, { device: name, clock, port }) {
    const { recorder } = session;
    if (session.isOpen) throw new AppError('BAD_MESSAGE', { detail: 'open: the device is open already' });
    recorder.setClock(BigInt(clock));
    const { device } = recorder.verb(
      'ibv_get_device_list',
      {},
      () => findDevice(name),
      ({ all }) => all.map((each) => each.name),
    );
    const context = recorder.verb('ibv_open_device', { device: name }, () => device.open());
    try {
      recorder.verb(
        'ibv_query_device',
        { context: name },
        () => context.attributes,
        (attr) => ({
          max_qp: attr.maxQp,
          max_qp_wr: attr.maxQpWr,
          max_sge: attr.maxSge,
          max_cq: attr.maxCq,
          max_cqe: attr.maxCqe,
          max_mr: attr.maxMr,
          max_mr_size: exact(attr.maxMrSize),
          max_pd: attr.maxPd,
          max_qp_rd_atom: attr.maxQpRdAtom,
        }),
      );
      const info = describeDevice(context);
      const chosen = port ?? info.ports.find(({ state }) => state === 'ACTIVE')?.port ?? 1;
      session.opened(context, chosen, info);
      return { device: info, pid: process.pid, port: chosen };
    } catch (error) {
      context.closeAll();
      throw error;
    }
  },

  query({ recorder, context, port }) {
    recorder.verb(
      'ibv_query_port',
      { context: context.device.name, port_num: port },
      () => context.queryPort(port),
      ({ state, activeMtu, maxMtu, gidTableLength, linkLayer }) => ({
        state,
        active_mtu: activeMtu,
        max_mtu: maxMtu,
        gid_tbl_len: gidTableLength,
        link_layer: linkLayer,
      }),
    );
    const { index } = context.gid(port);
    const entry = recorder.verb(
      'ibv_query_gid',
      { context: context.device.name, port_num: port, index },
      () => context.gid(port, index),
      ({ gid, type }) => ({ gid, type }),
    );
    const device = describeDevice(context);
    const mtu = device.ports.find((each) => each.port === port)?.activeMtu ?? 1024;
    return { device, port, gidIndex: index, gid: entry.gid, mtu };
  },
};
