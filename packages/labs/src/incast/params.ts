import type { LabContext } from '@verbslab/protocol';
import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';
import { repetitions } from '../form/common-params.js';

/** Bytes of the small request. */
export const PROBE_BYTES = 64;
/** Left out at the start of each measurement, ms: the clients do not begin at the same moment. */
export const WARM_UP_MS = 30;

export const incastParams = z.object({
  clients: z.int().min(2).max(8).default(4).meta({
    title: 'Clients',
    description: 'N. All send to one server at once. Fewer of them do so before, for comparison.',
  }),
  op: z
    .enum(['write', 'send'])
    .default('write')
    .meta({
      title: 'Operation',
      description: 'What the clients send with. A WRITE takes no RECV of the server, a SEND takes one.',
      choiceTitles: { write: 'WRITE', send: 'SEND' },
    }),
  size: z.int().min(1024).max(262_144).default(65_536).meta({
    title: 'Message size',
    description: 'Bytes of each message of a client.',
    unit: 'B',
  }),
  window: z.int().min(1).max(64).default(16).meta({
    title: 'Window',
    description: 'Messages that each client has in flight.',
  }),
  recvs: z.int().min(1).max(256).default(64).meta({
    title: 'RECVs per client',
    description:
      'That the server keeps posted, for SENDs. With fewer than the window it can run out of them.',
  }),
  duration: z
    .int()
    .min(20)
    .max(2000)
    .default(100)
    .meta({
      title: 'Time per measurement',
      description: `How long each number of clients is measured in each repetition, after a warm-up of ${WARM_UP_MS} ms.`,
      unit: 'ms',
    }),
  repeat: repetitions,
  link: z
    .enum(['auto', 'udp', 'shm'])
    .default('udp')
    .meta({
      ...linkParam.meta(),
      description:
        'What carries the packets. Through UDP (udp) all of them wait in one queue, the receive buffer of the server’s socket. In shared memory (shm) each connection has a ring of its own. Auto uses shared memory if both ends can. Other devices have only one link.',
    }),
});

export type IncastParams = z.output<typeof incastParams>;
export type Context = LabContext<IncastParams>;
