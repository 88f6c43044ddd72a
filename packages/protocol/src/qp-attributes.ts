// No schemas here: pages and labs show masks.

/** `enum ibv_qp_attr_mask`: the bit of each name, without IBV_QP_. */
export const QP_ATTR_BITS = {
  STATE: 0,
  ACCESS_FLAGS: 3,
  PKEY_INDEX: 4,
  PORT: 5,
  QKEY: 6,
  AV: 7,
  PATH_MTU: 8,
  TIMEOUT: 9,
  RETRY_CNT: 10,
  RNR_RETRY: 11,
  RQ_PSN: 12,
  MAX_QP_RD_ATOMIC: 13,
  MIN_RNR_TIMER: 15,
  SQ_PSN: 16,
  MAX_DEST_RD_ATOMIC: 17,
  DEST_QPN: 20,
} as const;
export type QpAttrName = keyof typeof QP_ATTR_BITS;
