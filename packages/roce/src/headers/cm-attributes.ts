/** Attribute IDs of the connection management class (InfiniBand specification vol. 1, chapter 12). */
export const CmAttribute = {
  REQ: 0x10,
  MRA: 0x11,
  REJ: 0x12,
  REP: 0x13,
  RTU: 0x14,
  DREQ: 0x15,
  DREP: 0x16,
  SIDR_REQ: 0x17,
  SIDR_REP: 0x18,
  LAP: 0x19,
  APR: 0x1a,
} as const;

const NAMES: Record<number, string> = {
  0x10: 'ConnectRequest',
  0x11: 'MsgRcptAck',
  0x12: 'ConnectReject',
  0x13: 'ConnectReply',
  0x14: 'ReadyToUse',
  0x15: 'DisconnectRequest',
  0x16: 'DisconnectReply',
  0x17: 'ServiceIDResReq',
  0x18: 'ServiceIDResReqResp',
  0x19: 'LoadAlternatePath',
  0x1a: 'AlternatePathResponse',
};

/** Wireshark's name of a CM message; undefined when the attribute is not one. */
export const cmMessageName = (attribute: number): string | undefined => NAMES[attribute];

/** Reasons of a REJ that occur in practice (table 12.6.7.2; the kernel's enum ib_cm_rej_reason). */
const REJECT_REASONS: Record<number, string> = {
  1: 'No QP available',
  2: 'No end-to-end context available',
  3: 'No resources available',
  4: 'Timeout',
  5: 'Unsupported request',
  6: 'Invalid communication ID',
  7: 'Invalid communication instance',
  8: 'Invalid service ID: no listener',
  9: 'Invalid transport service type',
  10: 'Stale connection: the QP is still connected from before',
  11: 'Reliable datagram channel does not exist',
  12: 'Primary remote port GID rejected',
  13: 'Primary remote port LID rejected',
  14: 'Invalid primary service level',
  15: 'Invalid primary traffic class',
  16: 'Invalid primary hop limit',
  17: 'Invalid primary packet rate',
  18: 'Alternate remote port GID rejected',
  19: 'Alternate remote port LID rejected',
  20: 'Invalid alternate service level',
  21: 'Invalid alternate traffic class',
  22: 'Invalid alternate hop limit',
  23: 'Invalid alternate packet rate',
  24: 'Port and CM redirection',
  25: 'Port redirection',
  26: 'Invalid path MTU',
  27: 'Insufficient responder resources',
  28: 'Rejected by the application',
  29: 'RNR retry count rejected',
  30: 'Duplicate local communication ID',
  31: 'Invalid class version',
  32: 'Invalid flow label',
  33: 'Invalid alternate flow label',
};
export const rejectReasonText = (v: number): string => `${REJECT_REASONS[v] ?? 'Unknown reason'} (${v})`;

const SIDR_STATUS = [
  'Valid QPN',
  'Service ID not supported',
  'Rejected by the service provider',
  'No QP available',
  'Redirect',
  'Version not supported',
];
export const sidrStatusText = (v: number): string => `${SIDR_STATUS[v] ?? 'Unknown'} (${v})`;

/** 4.096 µs x 2^v, as CM timeouts are coded. */
export const timeoutText = (v: number): string => `${formatUs(4.096 * 2 ** v)} (${v})`;

function formatUs(us: number): string {
  if (us >= 1e6) return `${(us / 1e6).toPrecision(3)} s`;
  if (us >= 1e3) return `${(us / 1e3).toPrecision(3)} ms`;
  return `${us.toPrecision(3)} µs`;
}

const MTUS: Record<number, number> = { 1: 256, 2: 512, 3: 1024, 4: 2048, 5: 4096 };
export const mtuText = (v: number): string =>
  MTUS[v] === undefined ? `reserved (${v})` : `${MTUS[v]} bytes (${v})`;
/** Bytes of a coded path MTU (1 to 5). */
export const mtuBytes = (code: number): number | undefined => MTUS[code];
