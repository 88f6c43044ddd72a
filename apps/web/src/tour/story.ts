/** What is the case before each stage of a WRITE, and what happens in it, by the name of the stage. */
export const STORY: Readonly<Record<string, { before: string; after: string }>> = {
  Posted: {
    before: 'The client wants its bytes in the server’s memory.',
    after: 'The library writes one work request into the send queue and rings the doorbell.',
  },
  'WQE fetched': {
    before: 'The work request is in the send queue.',
    after: 'It reads the request: which bytes, to which address, with which rkey.',
  },
  'Packets out': {
    before: 'The bytes have to get onto the wire.',
    after: 'It reads them straight from memory and sends them as packets.',
  },
  'Bytes landing': {
    before: 'The packets reach the server.',
    after: 'It checks the rkey and writes the bytes into memory. The program makes no call.',
  },
  ACK: {
    before: 'All bytes are in place, and the client does not know it.',
    after: 'One acknowledges all packets, the other writes a completion.',
  },
  'CQE polled': {
    before: 'A completion waits in the client’s completion queue.',
    after: 'It polls the queue and finds that the WRITE succeeded.',
  },
};
