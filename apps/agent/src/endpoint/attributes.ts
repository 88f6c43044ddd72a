/** QP attributes between the protocol, packages/verbs and the reader. */
import { QP_ATTR_BITS, type EndpointArgs, type QpAttrName } from '@verbslab/protocol';
import type { Context, QpAttributes } from '@verbslab/verbs';
import type { Json, JsonObject } from './recorder.js';

type ModifyAttrs = EndpointArgs<'modifyQp'>['attrs'];

/** Names in `enum ibv_qp_attr_mask`, and the struct member that each announces. */
const MASK: readonly [member: keyof QpAttributes, name: QpAttrName, attr: string][] = [
  ['state', 'STATE', 'qp_state'],
  ['access', 'ACCESS_FLAGS', 'qp_access_flags'],
  ['pkeyIndex', 'PKEY_INDEX', 'pkey_index'],
  ['port', 'PORT', 'port_num'],
  ['qkey', 'QKEY', 'qkey'],
  ['address', 'AV', 'ah_attr'],
  ['pathMtu', 'PATH_MTU', 'path_mtu'],
  ['timeout', 'TIMEOUT', 'timeout'],
  ['retryCount', 'RETRY_CNT', 'retry_cnt'],
  ['rnrRetry', 'RNR_RETRY', 'rnr_retry'],
  ['rqPsn', 'RQ_PSN', 'rq_psn'],
  ['maxRdAtomic', 'MAX_QP_RD_ATOMIC', 'max_rd_atomic'],
  ['minRnrTimer', 'MIN_RNR_TIMER', 'min_rnr_timer'],
  ['sqPsn', 'SQ_PSN', 'sq_psn'],
  ['maxDestRdAtomic', 'MAX_DEST_RD_ATOMIC', 'max_dest_rd_atomic'],
  ['destQpn', 'DEST_QPN', 'dest_qp_num'],
];

/**
 * Converts the attributes of `qp.modify`; `port` and `gidIndex` go into the address vector if a remote GID is given.
 */
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
  for (const [member, name, shown] of MASK) {
    const value = attributes[member];
    if (value === undefined) continue;
    names.push(`IBV_QP_${name}`);
    mask |= 1 << QP_ATTR_BITS[name];
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
