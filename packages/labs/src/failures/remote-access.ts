/** Evidence of every refused remote access. */
import { RC_NAK } from './syndromes.js';
import type { Expected } from './case.js';

export const REMOTE_ACCESS: Expected = {
  status: 10,
  nak: RC_NAK.remoteAccess,
  serverEvent: 'QP_ACCESS_ERR',
  counters: [{ side: 'server', name: 'naks_sent', atLeast: 1 }],
};

export const REMOTE_ACCESS_SYMPTOM =
  'ibv_post_send succeeds. The completion has a remote error. The peer’s QP fails, too.';
