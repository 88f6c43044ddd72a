/** QP attributes between the protocol, packages/verbs and the reader. */
import type { EndpointArgs } from '@verbslab/protocol';
import type { Context, QpAttributes } from '@verbslab/verbs';
import type { Json, JsonObject } from './recorder.js';

type ModifyAttrs = EndpointArgs<'modifyQp'>['attrs'];

/** Bits of `enum ibv_qp_attr_mask`, and the struct member that each announces. */
const MASK: readonly [member: keyof QpAttributes, name: string, bit: number, attr: string][] = [
  ['state', 'STATE', 0, 'qp_state'],
  ['access', 'ACCESS_FLAGS', 3, 'qp_access_flags'],
  ['pkeyIndex', 'PKEY_INDEX', 4, 'pkey_index'],
  ['port', 'PORT', 5, 'port_num'],
  ['qkey', 'QKEY', 6, 'qkey'],
  ['address', 'AV', 7, 'ah_attr'],
  ['pathMtu', 'PATH_MTU', 8, 'path_mtu'],
  ['timeout', 'TIMEOUT', 9, 'timeout'],
  ['retryCount', 'RETRY_CNT', 10, 'retry_cnt'],
  ['rnrRetry', 'RNR_RETRY', 11, 'rnr_retry'],
  ['rqPsn', 'RQ_PSN', 12, 'rq_psn'],
  ['maxRdAtomic', 'MAX_QP_RD_ATOMIC', 13, 'max_rd_atomic'],
  ['minRnrTimer', 'MIN_RNR_TIMER', 15, 'min_rnr_timer'],
  ['sqPsn', 'SQ_PSN', 16, 'sq_psn'],
  ['maxDestRdAtomic', 'MAX_DEST_RD_ATOMIC', 17, 'max_dest_rd_atomic'],
  ['destQpn', 'DEST_QPN', 20, 'dest_qp_num'],
];

/** What `qp.modify` takes; `port` and `gidIndex` go into the address vector when a remote GID is given. */
export function toVerbs(context: Context, attrs: ModifyAttrs, port: number): QpAttributes {
  const { remoteGid, gidIndex, port: chosen, access, state, ...rest } = attrs;
  const attributes: QpAttributes = { ...(rest as Omit<QpAttributes, 'state'>), state };
  if (access !== undefined) attributes.access = access;
  if (remoteGid !== undefined)
    attributes.address = {
      gid: remoteGid,
      gidIndex: gidIndex ?? context.gid(chosen ?? port).index,
      hopLimit: 64,
      port: chosen ?? port,
    };
  else if (chosen !== undefined) attributes.port = chosen;
  return attributes;
}

/** The arguments of `ibv_modify_qp` as a reader of the manual expects them. */
export function shownModify(qpn: number, attributes: QpAttributes): JsonObject {
  const attr: JsonObject = {};
  const names: string[] = [];
  let mask = 0;
  for (const [member, name, bit, shown] of MASK) {
    const value = attributes[member];
    if (value === undefined) continue;
    names.push(`IBV_QP_${name}`);
    mask |= 1 << bit;
    attr[shown] = member === 'address' ? shownAddress(attributes.address) : (value as Json);
  }
  return { qp: `QP ${qpn}`, attr, attr_mask: `${names.join(' | ')} (0x${mask.toString(16)})` };
}

function shownAddress(address: QpAttributes['address']): JsonObject {
  return {
    is_global: 1,
    dgid: address?.gid ?? '',
    sgid_index: address?.gidIndex ?? 0,
    hop_limit: address?.hopLimit ?? 0,
    port_num: address?.port ?? 1,
  };
}
