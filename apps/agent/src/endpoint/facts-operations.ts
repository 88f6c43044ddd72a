import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { NetworkInterface } from '@verbslab/protocol';
import { interfaceOfGid } from '../capture/place.js';
import { exact } from './exact.js';
import type { Operations } from './operations.js';

function mtuOf(name: string): number | null {
  try {
    return Number(readFileSync(`/sys/class/net/${name}/mtu`, 'utf8'));
  } catch {
    return null;
  }
}

const interfaces = (): NetworkInterface[] =>
  Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) => {
    const [first] = addresses;
    if (!first) return [];
    return [
      {
        name,
        mtu: mtuOf(name),
        mac: first.mac,
        internal: first.internal,
        addresses: addresses.map(({ address, cidr }) => cidr ?? address),
      },
    ];
  });

export const factsOperations: Operations<'attributes' | 'interfaces'> = {
  attributes({ recorder, context, port }) {
    const name = context.device.name;
    const device = recorder.verb(
      'ibv_query_device',
      { context: name },
      () => context.attributes,
      ({ maxQp, maxCq }) => ({ max_qp: maxQp, max_cq: maxCq }),
    );
    const at = recorder.verb(
      'ibv_query_port',
      { context: name, port_num: port },
      () => context.queryPort(port),
      ({ state, activeMtu }) => ({ state, active_mtu: activeMtu }),
    );
    return {
      device: {
        fw_ver: device.firmware,
        node_guid: `0x${device.nodeGuid.toString(16).padStart(16, '0')}`,
        vendor_id: device.vendorId,
        vendor_part_id: device.vendorPartId,
        hw_ver: device.hwVersion,
        max_mr_size: exact(device.maxMrSize),
        page_size_cap: `0x${device.pageSizeCap.toString(16)}`,
        max_qp: device.maxQp,
        max_qp_wr: device.maxQpWr,
        max_sge: device.maxSge,
        max_cq: device.maxCq,
        max_cqe: device.maxCqe,
        max_mr: device.maxMr,
        max_pd: device.maxPd,
        max_qp_rd_atom: device.maxQpRdAtom,
        max_qp_init_rd_atom: device.maxQpInitRdAtom,
        atomic_cap: device.atomic,
        max_srq: device.maxSrq,
        max_srq_wr: device.maxSrqWr,
        max_srq_sge: device.maxSrqSge,
        max_ah: device.maxAh,
        max_mw: device.maxMw,
        max_mcast_grp: device.maxMcastGroups,
        phys_port_cnt: device.ports,
      },
      port: {
        state: at.state,
        max_mtu: at.maxMtu,
        active_mtu: at.activeMtu,
        gid_tbl_len: at.gidTableLength,
        max_msg_sz: at.maxMessageSize,
        lid: at.lid,
        link_layer: at.linkLayer,
        active_width: at.activeWidth,
        active_speed: at.activeSpeedGbps,
      },
    };
  },

  interfaces({ context, port }) {
    return {
      interfaces: interfaces(),
      gids: context
        .gids(port)
        .map(({ index }) => ({ index, interface: interfaceOfGid(context.device.name, port, index) })),
    };
  },
};
