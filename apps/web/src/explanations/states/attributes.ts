/** Meaning of each required attribute, by its name without IBV_QP_, as in ibv_modify_qp(3). */
export const ATTRIBUTES: Readonly<Record<string, string>> = {
  STATE: 'the state to go to',
  PKEY_INDEX: 'which partition key the packets have',
  PORT: 'the port of this device',
  ACCESS_FLAGS: 'what the peer may do to memory: WRITE, READ, atomics',
  AV: 'the path to the peer: its GID, and the port and GID index of this device',
  PATH_MTU: 'the largest payload of a packet',
  DEST_QPN: 'the QP of the peer, from which packets are accepted',
  RQ_PSN: 'the PSN of the first packet that will come',
  MAX_DEST_RD_ATOMIC: 'how many READs and atomics of the peer it serves at once',
  MIN_RNR_TIMER: 'how long the peer has to wait after a SEND that found no RECV',
  SQ_PSN: 'the PSN of the first packet to send',
  TIMEOUT: 'how long to wait for an ACK',
  RETRY_CNT: 'how often to retransmit without progress',
  RNR_RETRY: 'how often to try again after an RNR NAK',
  MAX_QP_RD_ATOMIC: 'how many own READs and atomics may be under way',
};
