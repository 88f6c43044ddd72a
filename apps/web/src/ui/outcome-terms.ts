/** Glossary of errnos, completion statuses and asynchronous events. */
export const OUTCOME_TERMS = {
  enomem: {
    term: 'ENOMEM',
    meaning:
      'Error number 12: no memory, or no room. From ibv_post_send it mostly means that the send queue is full; from ibv_reg_mr, that no more memory may be locked.',
  },
  einval: { term: 'EINVAL', meaning: 'Error number 22: an argument is invalid.' },
  ebusy: { term: 'EBUSY', meaning: 'Error number 16: the object is still in use.' },
  rlimitMemlock: {
    term: 'RLIMIT_MEMLOCK',
    meaning: 'How much memory a user’s process may lock (ulimit -l). Registered memory counts.',
  },
  success: { term: 'SUCCESS', meaning: 'Status 0 of a completion: the request was carried out.' },
  locQpOpErr: {
    term: 'LOC_QP_OP_ERR',
    meaning: 'Status 2: the own device cannot carry the request out as the QP is set up.',
  },
  locProtErr: {
    term: 'LOC_PROT_ERR',
    meaning: 'Status 4: the local key does not allow the memory that the request names.',
  },
  wrFlushErr: {
    term: 'WR_FLUSH_ERR',
    meaning: 'Status 5: the QP went to ERR before the request was carried out.',
  },
  remInvReqErr: {
    term: 'REM_INV_REQ_ERR',
    meaning:
      'Status 9: the peer’s device cannot take the request as it is, for example a longer packet than its MTU.',
  },
  remAccessErr: {
    term: 'REM_ACCESS_ERR',
    meaning: 'Status 10: the peer’s device refused the rkey, the address range or the right.',
  },
  retryExcErr: {
    term: 'RETRY_EXC_ERR',
    meaning: 'Status 12: no useful answer came, however often the device retransmitted (retry_cnt).',
  },
  rnrRetryExcErr: {
    term: 'RNR_RETRY_EXC_ERR',
    meaning: 'Status 13: the peer had no RECV, however often the device tried (rnr_retry).',
  },
  qpAccessErr: {
    term: 'QP_ACCESS_ERR',
    meaning:
      'Asynchronous event at the target: a peer asked for memory that it may not use, and was refused.',
  },
  qpReqErr: {
    term: 'QP_REQ_ERR',
    meaning: 'Asynchronous event at the target: a peer’s request is invalid.',
  },
  qpFatal: { term: 'QP_FATAL', meaning: 'Asynchronous event: the device has put the QP into ERR.' },
  rejected: {
    term: 'REJECTED',
    meaning: 'Event of the connection manager: the connection was refused. Its reason says why.',
  },
  unreachable: {
    term: 'UNREACHABLE',
    meaning: 'Event of the connection manager: no answer came, or a datagram service refused.',
  },
  lambda: {
    term: 'LAMBDA_UNSIGNED',
    meaning: 'What the server answered in the immediate data: why it refused or stopped a shipped function.',
    forms: [
      'LAMBDA_ALTERED',
      'LAMBDA_UNKNOWN_SIGNER',
      'LAMBDA_NOT_MODULE',
      'LAMBDA_IMPORTS',
      'LAMBDA_MEMORY',
      'LAMBDA_TIME',
      'LAMBDA_TRAP',
      'LAMBDA_RESULT',
    ],
  },
  cqErr: {
    term: 'CQ_ERR',
    meaning:
      'Asynchronous event: a completion found no entry free in its CQ, which is unusable from then on.',
  },
} as const satisfies Record<string, { term: string; meaning: string; forms?: readonly string[] }>;
