import type { LabEnding } from '@verbslab/protocol';

/** What the reader has seen after the last step, and what to try next. */
export const MINIMAL_FLOW_ENDING: LabEnding = {
  seen: [
    'A connection is two QPs that have been given each other’s GID, QPN and first PSN. Both go from RESET to INIT, RTR and RTS before the first packet leaves.',
    'One work request wrote into the server’s memory, and a second one read it back. The server program made no call for either.',
    'Over that connection, the address and the rkey were all that the client needed to reach the memory.',
    'Each signaled work request produced one completion at the client. The server’s completion queue stayed empty.',
  ],
  next: [
    {
      title: 'Change the size to 1 B',
      text: 'The message then fits into one packet, so First, Middle and Last become Only.',
      lab: 'minimal-flow',
      parameters: { size: 1 },
    },
    {
      title: 'Move a lot of data',
      text: 'Keep many work requests in flight at once, and compare RDMA to TCP.',
      lab: 'bulk',
    },
  ],
};
