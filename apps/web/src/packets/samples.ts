/** A capture that comes with the product. scripts/samples.mjs records them. */
export interface SampleCapture {
  /** Name of its file in public/samples. */
  id: string;
  title: string;
  /** What is to be seen in it. */
  text: string;
}

export const SAMPLES: readonly SampleCapture[] = [
  {
    id: 'write-lost',
    title: 'A WRITE that loses a packet',
    text: 'The responder sends a NAK, and the requester goes back to the lost PSN.',
  },
  {
    id: 'rnr-wait',
    title: 'A SEND without a RECV',
    text: 'RNR NAKs make the requester wait until the receive is posted.',
  },
  {
    id: 'wrong-rkey',
    title: 'A WRITE with a wrong rkey',
    text: 'The responder answers with a remote access error, and both QPs stop.',
  },
  {
    id: 'rdma-cm',
    title: 'A connection by rdma_cm',
    text: 'Request, reply and ready to use on QP 1, then one SEND, then the disconnect.',
  },
];
