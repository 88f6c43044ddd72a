import { attempt, REGION, write, type Pair } from '../bench.js';
import type { FailureCase } from '../case.js';

const SEED = 3;

const bytesOf = async ({ endpoint, mr }: Pair['client']): Promise<string> =>
  (await endpoint.call('hashMemory', { mr: mr.mr, offset: 0, length: REGION })).sha256;

export const remapped: FailureCase = {
  id: 'remapped',
  name: 'Memory that is unmapped while it is registered',
  symptom:
    'The WRITE has status 0. On a NIC, the server does not find the bytes in its buffer. On a software device that works on the process’s addresses, it does.',
  cause:
    'The server unmaps its buffer and maps new memory at the same address. It keeps the region and its rkey.',
  explanation:
    'A region stands for pages, not for addresses. A NIC holds the old pages until ibv_dereg_mr and writes into them, where the process can no longer look. No call fails and no event comes. free() of a large buffer calls munmap, and realloc() mremap, so caches of regions run into this.',
  fix: 'Deregister before the memory goes. Register the new memory and give the peer its address and rkey.',
  expected: { status: 0, worked: null },
  async run(bench, broken) {
    const pair = await bench.pair();
    const { client, server } = pair;
    await client.endpoint.call('fillMemory', { mr: client.mr.mr, offset: 0, length: REGION, seed: SEED });
    if (broken) await server.endpoint.call('replacePages', { mr: server.mr.mr });
    else {
      await server.endpoint.call('destroy', { what: 'mr', handle: server.mr.mr });
      server.mr = await bench.region(server.endpoint, server.pd);
    }
    const tried = await attempt(client, write(pair, REGION));
    const arrived = (await bytesOf(client)) === (await bytesOf(server));
    return {
      ...tried,
      worked: tried.status === 0 && arrived,
      seen: arrived
        ? broken
          ? 'The bytes are in the new pages: this device works on addresses. A NIC writes into the old ones.'
          : 'The bytes are in the new memory.'
        : 'The server’s buffer holds zeros: the bytes went into pages that it no longer sees.',
    };
  },
};
