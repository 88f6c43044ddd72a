import { formatBytes } from '../../base/format.js';
import { refusal, type Bench } from '../bench.js';
import type { FailureCase } from '../case.js';

const limitOf = async (bench: Bench): Promise<number | null> =>
  bench.client.has('pinned') ? (await bench.client.call('pinned', {})).memlockLimit : null;

const MORE = 1024 * 1024;

/** Limit of locked memory beyond which the lab would register too much, bytes. */
const MOST = 512 * 1024 * 1024;

export const memoryLimit: FailureCase = {
  id: 'memory-limit',
  name: 'More memory than may be locked',
  symptom: 'ibv_reg_mr of a large buffer returns NULL. A small buffer registers.',
  cause: 'The client registers 1 MiB more than its locked-memory limit (RLIMIT_MEMLOCK).',
  explanation:
    'Registering pins pages, and the kernel counts them against RLIMIT_MEMLOCK: ENOMEM, although memory is free. The embedded device locks them, and refuses only with UROCE_STRICT_MEMLOCK=1.',
  fix: 'Raise the limit (ulimit -l, or LimitMEMLOCK= of the service), or register less.',
  expected: { status: null, refused: { call: 'ibv_reg_mr', errno: 'ENOMEM' } },
  // The lab registers too much once before, to see whether the limit binds.
  also: [{ role: 'client', most: 1, calls: [{ call: 'ibv_reg_mr', errno: 'ENOMEM' }] }],
  async lacks(bench) {
    const limit = await limitOf(bench);
    if (limit === null)
      return 'No locked-memory limit applies to the client: it is unlimited, or the device does not report it.';
    if (limit > MOST)
      return `The locked-memory limit is ${formatBytes(limit)}, more than this lab registers.`;
    const { pd } = await bench.client.call('allocPd', {});
    bench.made(bench.client, 'pd', pd);
    const before = (await bench.client.call('pinned', {})).unpinnedBytes;
    let after = before;
    const errno = await refusal(
      bench.region(bench.client, pd, ['LOCAL_WRITE'], limit + MORE).then(async () => {
        after = (await bench.client.call('pinned', {})).unpinnedBytes;
      }),
    );
    if (errno !== null) return null;
    return after > before
      ? `The device registered ${formatBytes(limit + MORE)} with a limit of ${formatBytes(limit)} and left ${formatBytes(after - before)} unpinned. A NIC refuses it. Set UROCE_STRICT_MEMLOCK=1 to see that here.`
      : `The limit of ${formatBytes(limit)} does not bind this process: it has the right to lock more (CAP_IPC_LOCK).`;
  },
  async run(bench, broken) {
    const limit = (await limitOf(bench)) ?? 0;
    const { pd } = await bench.client.call('allocPd', {});
    bench.made(bench.client, 'pd', pd);
    const length = broken ? limit + MORE : 4096;
    const errno = await refusal(bench.region(bench.client, pd, ['LOCAL_WRITE'], length));
    return {
      status: null,
      errno,
      elapsedNs: null,
      worked: errno === null,
      seen: `The client asked for ${formatBytes(length)} with a limit of ${formatBytes(limit)}.`,
    };
  },
};
