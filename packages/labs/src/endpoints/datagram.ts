/** Datagrams of a UD queue pair: they name their receiver one by one. */
import type { Wc } from '@verbslab/protocol';
import type { Side } from './side.js';
import { completions } from './verbs.js';

/** Bytes before the payload in the buffer of a datagram. */
export const GRH_BYTES = 40;

/** An address handle of the sender, and the QPN and Q_Key behind it. */
export interface Receiver {
  ah: number;
  qpn: number;
  qkey: number;
}

/** Sends `size` bytes made from `seed`, from the start of the region. Resolves when the datagram has left. */
export async function sendDatagram(
  { endpoint, qp, cq, mr }: Side,
  { ah, qpn, qkey }: Receiver,
  size: number,
  seed: number,
): Promise<Wc[]> {
  await endpoint.call('fillMemory', { mr: mr.mr, offset: 0, length: size, seed });
  await endpoint.call('postSend', {
    qp: qp.qp,
    wr: {
      opcode: 'SEND',
      local: [{ mr: mr.mr, offset: 0, length: size }],
      ah,
      remoteQpn: qpn,
      remoteQkey: qkey,
    },
  });
  return completions(endpoint, cq, 1, 'SEND');
}

/** Posts a RECV for `size` bytes of payload behind the message to send. `room`: bytes for the GRH. */
export async function postDatagramBuffer(
  { endpoint, qp, mr }: Side,
  size: number,
  room = GRH_BYTES,
): Promise<void> {
  await endpoint.call('postRecv', {
    qp: qp.qp,
    wr: { local: [{ mr: mr.mr, offset: size, length: size + room }] },
  });
}
