import { attempt, write } from '../bench.js';
import type { FailureCase } from '../case.js';

/** The key of a region that was deregistered: no region has it now. */
export const unregisteredMemory: FailureCase = {
  id: 'unregistered-memory',
  name: 'Memory that is not registered',
  symptom: 'ibv_post_send succeeds. The completion has a local error, and no packet reaches the peer.',
  cause: 'The client deregisters a region and then sends from it with its old lkey.',
  explanation:
    'ibv_post_send does not look at keys. The device checks the lkey when it executes the request. It finds no region, completes the request with status 4 (LOC_PROT_ERR) and moves the QP to ERR.',
  fix: 'Keep memory registered until the last request that uses it has completed.',
  expected: { status: 4, noPackets: true },
  also: [{ role: 'client', counters: ['send_err'] }],
  async run(bench, broken) {
    const pair = await bench.pair();
    const { endpoint, pd, mr } = pair.client;
    const other = await endpoint.call('regMr', { pd, length: 4096, access: ['LOCAL_WRITE'] });
    await endpoint.call('destroy', { what: 'mr', handle: other.mr });
    const local = { mr: mr.mr, offset: 0, length: 64, lkey: broken ? other.lkey : mr.lkey };
    return attempt(pair.client, { ...write(pair), local: [local] });
  },
};
