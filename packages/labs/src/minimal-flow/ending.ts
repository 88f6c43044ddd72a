import type { LabEnding } from '@verbslab/protocol';

/** Summary after the last step, and what to try next. */
export const MINIMAL_FLOW_ENDING: LabEnding = {
  seen: [
    'A connection is two QPs that have been given each other’s GID, QPN and first PSN. Here both went from RESET through INIT and RTR to RTS before the first packet was sent.',
    'One work request wrote into the server’s memory, and a second one read it back. The server’s program made no call for either.',
    'The server had granted access, so the client needed only the address and the rkey to reach the memory over that connection.',
    'Each signaled work request produced one completion at the client. The server’s completion queue stayed empty.',
    'The times depend on this device and on this lab’s program, which runs in Node.js. A hardware NIC is faster; this run does not measure it.',
  ],
  next: [
    {
      title: 'Change the size to 1 B',
      text: 'The message then fits into one packet, so First, Middle and Last become a single WRITE Only.',
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
