/** What the reader is told at each step, in the order of the procedure. */
export const MINIMAL_FLOW_STEPS = [
  {
    id: 'device',
    title: 'Open the device',
    text:
      'Each side opens its device and asks its port two things: is it active, and which GID does it answer to. On RoCE a GID is an IP address ' +
      'in a table, so the index that you pick decides the address in every packet. The active MTU is what one packet can carry.',
  },
  {
    id: 'memory',
    title: 'Register memory',
    text:
      'A protection domain groups what may work together. Registering pins the pages and gives you two keys: the lkey for your own work requests, ' +
      'the rkey for the peer. The server grants REMOTE_WRITE and REMOTE_READ; the client grants nothing, since nobody reaches into its memory.',
  },
  {
    id: 'queues',
    title: 'Create the queues',
    text:
      'A queue pair is a send queue and a receive queue; what finishes is told in a completion queue. A new QP is in RESET: it has a number, and ' +
      'can do nothing yet.',
  },
  {
    id: 'exchange',
    title: 'Tell each other how to be reached',
    text:
      'The wire has no lookup for QPs, so both sides swap a few numbers some other way: a TCP socket, or the private data of the connection manager. ' +
      'QPN, first PSN and GID make the connection. Address and rkey, twelve big-endian bytes from the server, are what makes one-sided access possible.',
  },
  {
    id: 'init',
    title: 'RESET to INIT',
    text:
      'INIT binds the QP to a port and says what the peer may do through it. From here on you may post receives. The mask says which attributes of ' +
      'the struct count: one missing or one too many, and the call fails with EINVAL.',
  },
  {
    id: 'rtr',
    title: 'INIT to RTR',
    text:
      'Ready to receive: now the QP knows its peer, by GID and QPN, the path MTU, and the PSN that the first packet must have. Both sides have to be here ' +
      'before either sends, or the first packet finds nobody.',
  },
  {
    id: 'rts',
    title: 'RTR to RTS',
    text:
      'Ready to send: your own first PSN, and how patient you are. Timeout 14 waits 67 ms for an acknowledgement; seven retries later the request fails. ' +
      'Until now not one packet has left: all of this was set-up, and it is slow on purpose.',
  },
  {
    id: 'write',
    title: 'WRITE into the server’s memory',
    text:
      'You post one work request with the server’s address and rkey. The message is cut at the path MTU: First, Middle and Last, or Only. The first packet alone ' +
      'carries the RETH, which says where to write. The completion comes when the acknowledgement is there, not when the packets have left.',
  },
  {
    id: 'look',
    title: 'Look at the server',
    text:
      'The bytes are in the server’s memory, and its completion queue is empty: no call was made there, nobody was woken. That is what one-sided means, and ' +
      'it is why a server needs some other sign that new data is there.',
  },
  {
    id: 'read',
    title: 'READ it back',
    text:
      'A READ sends one small request; the data comes back in the response packets, one PSN each. The responses acknowledge the request, so there is no ACK besides. ' +
      'Again the server does nothing, and again it has no completion.',
  },
  {
    id: 'verify',
    title: 'Compare',
    text:
      'What came back must be what you sent, byte for byte. Each signalled work request made exactly one completion at the client; the QPs are still in RTS and ' +
      'could go on.',
  },
  {
    id: 'teardown',
    title: 'Take it apart',
    text:
      'Destroy in the reverse order: QP before the CQ it points to, regions before their protection domain. Out of order the call fails with EBUSY, which protects you ' +
      'from a device that still writes into memory you gave back.',
  },
] as const;

export type MinimalFlowStep = (typeof MINIMAL_FLOW_STEPS)[number]['id'];
