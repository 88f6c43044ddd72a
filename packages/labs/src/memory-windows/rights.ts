/** Regions with one remote right each, and every verb against each of them. */
import type { Access, LabContext } from '@verbslab/protocol';
import { postRecv, type Bench } from '../failures/bench.js';
import { statusText } from '../failures/evidence.js';
import { intend, intendRefusedAccess } from '../endpoints/intend.js';
import { remoteOf } from '../endpoints/side.js';
import { REM_ACCESS_ERR, REM_OP_ERR } from '../endpoints/wc-statuses.js';
import { tryRequest, VERBS, type Seen } from './try.js';

const REGIONS: readonly Access[][] = [
  ['LOCAL_WRITE'],
  ['LOCAL_WRITE', 'REMOTE_WRITE'],
  ['REMOTE_READ'],
  ['LOCAL_WRITE', 'REMOTE_ATOMIC'],
];
const NEEDS: Readonly<Record<string, Access>> = {
  SEND: 'LOCAL_WRITE',
  WRITE: 'REMOTE_WRITE',
  READ: 'REMOTE_READ',
  FETCH_ADD: 'REMOTE_ATOMIC',
};

/** Every attempt has a connection of its own, since a refusal ends one. Resolves to what was seen of remote accesses. */
export async function tryRights(ctx: LabContext<unknown>, bench: Bench, tapped: boolean): Promise<Seen[]> {
  const remote: Seen[] = [];
  const faults: string[] = [];
  const sendFaults: string[] = [];
  let passed = 0;
  for (const rights of REGIONS) {
    const cells: Record<string, string> = {};
    for (const verb of VERBS) {
      const pair = await bench.pair({}, { rights });
      const isSend = verb.name === 'SEND';
      const wanted = rights.includes(NEEDS[verb.name]!) ? 0 : isSend ? REM_OP_ERR : REM_ACCESS_ERR;
      if (wanted === REM_ACCESS_ERR) intendRefusedAccess(ctx);
      // A SEND that finds no right to write takes the QP down.
      else if (wanted !== 0)
        intend(
          ctx,
          { role: 'client', most: 1, statuses: [wanted] },
          { role: 'server', most: 1, events: ['QP_FATAL'] },
        );
      if (isSend) await postRecv(pair);
      const seen = await tryRequest(bench, pair, verb, remoteOf(pair.server), tapped);
      await bench.clear();
      const text = statusText(seen.status);
      if (seen.status !== wanted)
        (isSend ? sendFaults : faults).push(`${verb.name} into ${rights.join(' + ')}: ${text}.`);
      if (!isSend) remote.push(seen);
      if (!isSend && seen.status === 0) passed++;
      cells[verb.column] = text;
    }
    ctx.row('rights', { region: rights.join(' + '), ...cells });
  }
  ctx.figure('passed', passed);
  ctx.check(
    'own-right',
    faults.length === 0,
    faults.join(' ') || `Of ${remote.length} remote accesses, the ${passed} with the right they need passed.`,
  );
  ctx.check(
    'send-right',
    sendFaults.length === 0,
    sendFaults.join(' ') || 'SEND passed into each region with LOCAL_WRITE and into no other.',
  );
  return remote;
}
