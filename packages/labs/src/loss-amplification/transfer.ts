/** A transfer with losses, captured at both ends. */
import type { EndpointArgs, LabContext } from '@verbslab/protocol';
import { bandwidth } from '../load/loop.js';
import type { Pair } from '../load/pair.js';
import { copiesOf, writePsns, type Copies } from '../loss/copies.js';
import { counting, withFaults } from '../loss/faulty.js';
import type { LossAmplificationParams } from './params.js';

export interface Transfer extends Copies {
  /** Retransmitted packets, by the client’s device. */
  counted: number;
  /** Times that the client went back, after a NAK or a timeout. */
  goBacks: number;
  /** Packets of a full window. */
  room: number;
  /** Packets that the injector dropped. */
  dropped: number;
  /** The captures at both ends hold every packet. */
  whole: boolean;
  /** The server’s memory holds what the client wrote. */
  arrived: boolean;
}

export async function transfer(
  { params }: LabContext<LossAmplificationParams>,
  { client, server }: Pair,
  window: number,
  faults: EndpointArgs<'faults'>,
  pattern: number,
): Promise<Transfer> {
  const { size, messages } = params;
  const packets = Math.ceil(size / client.qp.info.mtu);
  const ends = [client.endpoint, server.endpoint] as const;
  for (const [{ endpoint, mr }, seed] of [
    [client, pattern],
    [server, pattern + 1],
  ] as const)
    await endpoint.call('fillMemory', { mr: mr.mr, offset: 0, length: size, seed });
  for (const endpoint of ends) await endpoint.call('tap.flush', {});
  const { result, did } = await withFaults(client.endpoint, faults, () =>
    counting(client.endpoint, () =>
      bandwidth({ client, server, link: null }, { size, txDepth: window, cqMod: 1, iterations: messages }),
    ),
  );
  const [sent, received] = [
    await client.endpoint.call('tap.flush', {}),
    await server.endpoint.call('tap.flush', {}),
  ];
  const copies = copiesOf(writePsns(sent.list, 'sent'), writePsns(received.list, 'received'));
  const hash = async ({ endpoint, mr }: Pair['client']): Promise<string> =>
    (await endpoint.call('hashMemory', { mr: mr.mr, offset: 0, length: size })).sha256;
  return {
    ...copies,
    counted: result.moved.retransmitted_pkts ?? 0,
    goBacks: result.moved.completer_retry_err ?? 0,
    room: window * packets,
    dropped: did.dropped,
    whole:
      sent.dropped + received.dropped === 0 && copies.needed === packets * messages && copies.missing === 0,
    arrived: (await hash(client)) === (await hash(server)),
  };
}
