import { attempt, further, REGION, type Pair } from '../bench.js';
import type { FailureCase } from '../case.js';

const HALF = REGION / 2;
const [OLD, NEW] = [1, 2] as const;

/** The first half of the buffer, or the second. */
const readHalf = ({ client, server }: Pair, half: 0 | 1) =>
  attempt(client, {
    opcode: 'RDMA_READ',
    local: [{ mr: client.mr.mr, offset: half * HALF, length: HALF }],
    remote: { addr: further(server.mr.addr, half * HALF), rkey: server.mr.rkey },
  });

const fill = ({ server: { endpoint, mr } }: Pair, seed: number) =>
  endpoint.call('fillMemory', { mr: mr.mr, offset: 0, length: REGION, seed });

export const overwritten: FailureCase = {
  id: 'overwritten',
  name: 'A buffer overwritten while the peer reads it',
  symptom: 'Every completion has status 0. The data is wrong: half of one version and half of the next.',
  cause: 'The client READs the server’s buffer in two halves. The server writes its next version in between.',
  explanation:
    'A READ takes what is in memory when each packet is made. The target’s program is not asked and gets no completion, so it cannot know that a READ is under way. Each READ succeeded; together they are torn. The same happens inside one long READ.',
  fix: 'Let the reader say when it is done, for example with a SEND, and write the next version only then; or check a version number before and after.',
  expected: { status: 0, worked: false },
  async run(bench, broken) {
    const pair = await bench.pair();
    const { client, server } = pair;
    await fill(pair, OLD);
    const whole = await hash(server);
    const first = await readHalf(pair, 0);
    if (broken) await fill(pair, NEW);
    const second = await readHalf(pair, 1);
    // Fixed: the reader has both halves and says so, and the server may write.
    if (!broken) await fill(pair, NEW);
    const got = await hash(client);
    const [half, before, after] = [await hash(client, HALF), whole, await hash(server, HALF)];
    return {
      ...second,
      worked: first.status === 0 && second.status === 0 && got === before,
      seen:
        got === before
          ? 'Both halves are of the same version.'
          : half === after
            ? 'The second half is of the next version; the whole matches no version that the server wrote.'
            : 'The halves match no version.',
    };
  },
};

const hash = async ({ endpoint, mr }: Pair['client'], offset = 0): Promise<string> =>
  (await endpoint.call('hashMemory', { mr: mr.mr, offset, length: REGION - offset })).sha256;
