/** The server’s program restarts, and all clients try to come back by the same policy. */
import type { CmMade } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import { intend } from '../endpoints/intend.js';
import { inPhase } from '../endpoints/phase.js';
import { boundOf, mostWithin, onlyOne, POLICIES, POLICY_TITLES, waitsOf, type Policy } from './policies.js';
import { asked, type Stage } from './stage.js';

/** `IB_CM_REJ_INVALID_SERVICE_ID`: no program listens. */
const NO_LISTENER = 8;
const WINDOW_MS = 20;
const NS_PER_MS = 1e6;

export interface Outage {
  policy: Policy;
  /** Tries of all clients. */
  tries: number;
  /** Largest number of tries within the window, without each client’s first. */
  together: number;
  /** All clients are back, and each WRITE arrived. */
  back: boolean;
  /** Every try but the last of each client was told that no program listens. */
  refused: boolean;
  /** No pause was shorter than the policy says. */
  paused: boolean;
}

/** The endpoint sleeps; what happens to its ids in the meantime does not wake it for good. */
async function sleepAt({ ctx, server }: Stage, ms: number): Promise<void> {
  const until = ctx.now() + ms * NS_PER_MS;
  for (let left = ms; left > 0; left = (until - ctx.now()) / NS_PER_MS)
    await server.endpoint.call('cm.events', { timeoutMs: left });
}

/** Clocks of two hosts differ by far less per second. */
const CLOCKS_AGREE = 0.999;

/** Pauses between the end of a try and the begin of the next one are at least those. */
const keptPauses = (tries: readonly CmMade[], waits: readonly number[]): boolean =>
  tries.slice(1).every(({ beganAt }, i) => {
    const ended = tries[i]!.answeredAt;
    return ended !== null && beganAt - ended >= CLOCKS_AGREE * waits[i]! * NS_PER_MS;
  });

export async function restart(stage: Stage, policy: Policy, round: number): Promise<Outage> {
  const { ctx, server, clients } = stage;
  const { outage, pause } = ctx.params;
  const { endpoint, listener, scope } = server;
  intend(ctx, { role: 'client', calls: [{ call: 'rdma_connect', errno: 'ECONNREFUSED' }] });
  await scope.destroy('cm', listener.cm);
  const goneAt = ctx.now();
  const waits = clients.map((_, i) => waitsOf(policy, pause, 1 + i + round * clients.length));
  const trying = Promise.all(
    clients.map((client, i) =>
      client.endpoint.call('cm.reconnect', { ...asked(stage, client), waitsMs: waits[i]! }),
    ),
  );
  // An endpoint may vanish before this is waited for, which then says so.
  trying.catch(() => undefined);
  await sleepAt(stage, outage);
  server.listener = await endpoint.call('cm.listen', { port: listener.port });
  scope.keep('cm', server.listener.cm);
  await endpoint.call('cm.serve', { cm: server.listener.cm, ...server.queues });
  const backAt = ctx.now();
  const found = (await trying).map(({ connections }) => connections);
  await endpoint.call('cm.served', { cm: server.listener.cm });

  const times = found.flatMap((tries) => tries.map(({ createdAt, beganAt }) => createdAt ?? beganAt));
  // All clients lose the server at once, so their first tries coincide whatever the policy.
  const later = found.flatMap((tries) =>
    tries.slice(1).map(({ createdAt, beganAt }) => createdAt ?? beganAt),
  );
  const most = mostWithin(later, WINDOW_MS * NS_PER_MS);
  const last = found.map((tries) => tries.at(-1)!);
  const late = last.map(({ answeredAt }) => ((answeredAt ?? backAt) - backAt) / NS_PER_MS);
  times
    .sort((a, b) => a - b)
    .forEach((t, i) =>
      ctx.point('tries', { x: Math.max(0, (t - goneAt) / NS_PER_MS), y: i + 1, series: policy }),
    );
  ctx.row('policies', {
    policy: POLICY_TITLES[policy],
    pauses:
      policy === 'fixed'
        ? `${pause} ms`
        : `${policy === 'jitter' ? '0 to ' : ''}${pause}, ${boundOf(pause, 1)}, … ${boundOf(pause, 99)} ms`,
    tries: times.length,
    most,
    first: Math.max(0, Math.min(...late)),
    last: Math.max(0, ...late),
  });
  ctx.figure(`${policy}-tries`, times.length);
  ctx.figure(`${policy}-back`, Math.max(0, ...late));
  ctx.figure(`${policy}-most`, most);
  return {
    policy,
    tries: times.length,
    together: most,
    back: last.every(({ event, status }) => event === 'ESTABLISHED' && status === 'SUCCESS'),
    refused: found.every((tries) =>
      tries.slice(0, -1).every(({ event, reason }) => event === 'REJECTED' && reason === NO_LISTENER),
    ),
    paused: found.every((tries, i) => keptPauses(tries, waits[i]!)),
  };
}

export async function reconnectByAll(stage: Stage): Promise<Outage[]> {
  const { ctx } = stage;
  const all: Outage[] = [];
  for (const [round, policy] of POLICIES.entries())
    all.push(
      await inPhase(ctx, policy, `Restart, ${POLICY_TITLES[policy].toLowerCase()}`, () =>
        restart(stage, policy, round),
      ),
    );
  const named = (holds: (one: Outage) => boolean): string =>
    all
      .filter(holds)
      .map(({ policy }) => POLICY_TITLES[policy].toLowerCase())
      .join(', ') || 'none';
  const clients = plural(stage.clients.length, 'client');
  ctx.check(
    'reconnected',
    all.every(({ back }) => back),
    `All of ${clients} reconnected and moved a WRITE with: ${named(({ back }) => back)}.`,
  );
  ctx.check(
    'told-why',
    all.every(({ refused }) => refused),
    `Every failed try got REJECTED with reason ${NO_LISTENER} with: ${named(({ refused }) => refused)}.`,
  );
  ctx.check(
    'pauses-kept',
    all.every(({ paused }) => paused),
    `No pause was shorter than planned with: ${named(({ paused }) => paused)}.`,
  );
  ctx.outcome(
    'most-tries',
    onlyOne(all, ({ tries }) => -tries),
  );
  ctx.outcome(
    'together',
    onlyOne(all, ({ together }) => together),
  );
  return all;
}
