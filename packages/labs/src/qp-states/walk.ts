/** Takes two QPs from RESET to RTS. The client makes every mistake on the way, and looks at its state after each. */
import type { EndpointResult, LabContext, Mtu, QpState } from '@verbslab/protocol';
import { attempt } from '../endpoints/attempt.js';
import { intend } from '../endpoints/intend.js';
import type { Side } from '../endpoints/side.js';
import type { QpStatesParams } from './params.js';
import { maskOf, planOf, RIGHT_MASKS, type QpAttrs } from './transitions.js';

type Context = LabContext<QpStatesParams>;
type Net = EndpointResult<'query'>;

export interface Walk {
  /** Mistakes; `refused` are those that were refused with the state unchanged. */
  mistakes: number;
  refused: number;
  wrong: string[];
  masks: Record<'INIT' | 'RTR' | 'RTS', string>;
  states: QpState[];
}

const RD_ATOMIC = 1;

function rightWay(side: Side, net: Net, peer: Side, peerNet: Net): Record<'INIT' | 'RTR' | 'RTS', QpAttrs> {
  return {
    INIT: {
      state: 'INIT',
      pkeyIndex: 0,
      port: net.port,
      access: ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ'],
    },
    RTR: {
      state: 'RTR',
      remoteGid: peerNet.gid,
      gidIndex: net.gidIndex,
      port: net.port,
      pathMtu: Math.min(net.mtu, peerNet.mtu) as Mtu,
      destQpn: peer.qp.info.qpn,
      rqPsn: peer.qp.info.psn,
      maxDestRdAtomic: RD_ATOMIC,
      minRnrTimer: 12,
    },
    RTS: {
      state: 'RTS',
      sqPsn: side.qp.info.psn,
      timeout: 14,
      retryCount: 7,
      rnrRetry: 7,
      maxRdAtomic: RD_ATOMIC,
    },
  };
}

const stateOf = async ({ endpoint, qp }: Side): Promise<QpState> =>
  (await endpoint.call('queryQp', { qp: qp.qp })).state;

/** Calls ibv_modify_qp, which must fail, and shows the call as a row. True when it was granted. */
export function mistake(ctx: Context, side: Side, what: string, attrs: QpAttrs): Promise<boolean> {
  intend(ctx, { role: 'client', most: 1, calls: [{ call: 'ibv_modify_qp', errno: 'EINVAL' }] });
  return modify(ctx, side, what, attrs);
}

/** Calls ibv_modify_qp, and shows the call as a row. True when it was granted. */
export async function modify(ctx: Context, side: Side, what: string, attrs: QpAttrs): Promise<boolean> {
  const from = await stateOf(side);
  const made = await attempt(side.endpoint, 'modifyQp', { qp: side.qp.qp, attrs });
  const to = await stateOf(side);
  ctx.row('calls', { from, what, mask: maskOf(attrs), answer: made.ok ? 'Granted.' : made.refusal, to });
  return made.ok;
}

export async function walk(ctx: Context, client: Side, server: Side): Promise<Walk> {
  const nets = {
    client: await client.endpoint.call('query', {}),
    server: await server.endpoint.call('query', {}),
  };
  const gids = nets.client.device.ports.find(({ port }) => port === nets.client.port)?.gids ?? [];
  const emptyGid = Math.max(...gids.map(({ index }) => index)) + 1;
  const right = rightWay(client, nets.client, server, nets.server);
  for (const attrs of Object.values(rightWay(server, nets.server, client, nets.client)))
    await server.endpoint.call('modifyQp', { qp: server.qp.qp, attrs });

  const found: Walk = {
    mistakes: 0,
    refused: 0,
    wrong: [],
    masks: { INIT: maskOf(right.INIT), RTR: maskOf(right.RTR), RTS: maskOf(right.RTS) },
    states: [await stateOf(client)],
  };
  for (const { from, mistakes, right: attrs } of planOf(right, emptyGid)) {
    for (const { what, attrs: mistaken } of mistakes) {
      found.mistakes++;
      const granted = await mistake(ctx, client, what, mistaken);
      if (!granted && (await stateOf(client)) === from) found.refused++;
      else found.wrong.push(`${what}, from ${from}`);
      // A device that takes a mistake has moved on: the walk cannot be gone through from here.
      if (granted) return found;
    }
    await modify(ctx, client, `${attrs.state}, complete`, attrs);
    found.states.push(await stateOf(client));
  }
  return found;
}

export function checkWalk(ctx: Context, { mistakes, refused, wrong, masks, states }: Walk): void {
  ctx.figure('refused', refused);
  ctx.check(
    'mistakes-refused',
    wrong.length === 0,
    wrong.length === 0
      ? `All ${mistakes} mistakes were refused, and the QP stayed in its state.`
      : `Not refused: ${wrong.join('; ')}.`,
  );
  ctx.check('right-way', states.join() === 'RESET,INIT,RTR,RTS', `The QP went through ${states.join(', ')}.`);
  const off = (['INIT', 'RTR', 'RTS'] as const).filter((state) => masks[state] !== RIGHT_MASKS[state]);
  ctx.check(
    'masks',
    off.length === 0,
    off.length === 0
      ? `INIT took ${masks.INIT}, RTR ${masks.RTR}, RTS ${masks.RTS}.`
      : `Masks that differ from the manual: ${off.join(', ')}.`,
  );
}
