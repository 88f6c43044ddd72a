/** A RECV is posted: a plain WRITE does not use it, then a WRITE with immediate takes it. */
import { WC_OPCODES, type LabContext } from '@verbslab/protocol';
import { completions } from '../endpoints/verbs.js';
import { hashOf, remoteOf, type Side } from '../endpoints/side.js';
import { hex32, wireBytes, withoutNtohl } from './order.js';
import type { WriteImmParams } from './params.js';

type Context = LabContext<WriteImmParams>;

const RECV_ID = 77;
/** Seeds of the bytes of both WRITEs: each must be seen to arrive. */
const PLAIN_SEED = 5;
const IMM_SEED = 6;
/** `enum ibv_wc_opcode`. */
const RECV_RDMA_WITH_IMM = 129;

/** The server’s memory: where WRITEs go, and behind it the buffer of the RECV. */
export async function tryPosted(ctx: Context, client: Side, server: Side): Promise<void> {
  const { size, immediate } = ctx.params;
  const local = [{ mr: client.mr.mr, offset: 0, length: size }];
  const remote = remoteOf(server);
  const fill = (seed: number): Promise<unknown> =>
    client.endpoint.call('fillMemory', { mr: client.mr.mr, offset: 0, length: size, seed });
  await fill(PLAIN_SEED);
  await server.endpoint.call('postRecv', {
    qp: server.qp.qp,
    wr: { wrId: RECV_ID, local: [{ mr: server.mr.mr, offset: size, length: size }] },
  });
  const untouched = await hashOf(server, size, size);

  await client.endpoint.call('postSend', { qp: client.qp.qp, wr: { opcode: 'RDMA_WRITE', local, remote } });
  await completions(client.endpoint, client.cq, 1, 'RDMA WRITE');
  const { completions: plain } = await server.endpoint.call('pollCq', { cq: server.cq });
  ctx.row('messages', {
    opcode: 'RDMA_WRITE',
    recv: 'posted',
    status: 'SUCCESS',
    noticed: plain.length,
    immediate: null,
  });
  ctx.check(
    'plain-silent',
    plain.length === 0,
    plain.length === 0
      ? 'After a plain WRITE the server’s CQ was empty, and the RECV still waited.'
      : 'A plain WRITE produced a completion at the server.',
  );

  await fill(IMM_SEED);
  const before = await hashOf(server, 0, size);
  await client.endpoint.call('postSend', {
    qp: client.qp.qp,
    wr: { opcode: 'RDMA_WRITE_WITH_IMM', local, remote, imm: immediate },
  });
  await completions(client.endpoint, client.cq, 1, 'RDMA WRITE with immediate');
  const [wc] = await completions(server.endpoint, server.cq, 1, 'RECV');
  const name = WC_OPCODES[RECV_RDMA_WITH_IMM];
  ctx.row('messages', {
    opcode: 'RDMA_WRITE_WITH_IMM',
    recv: 'posted',
    status: 'SUCCESS',
    noticed: 1,
    immediate: wc?.imm === undefined ? null : hex32(wc.imm),
  });
  ctx.check(
    'recv-completes',
    wc?.wrId === RECV_ID && wc.opcode === name && wc.byteLen === size,
    `The server’s completion: wr_id ${wc?.wrId}, opcode ${wc?.opcode}, byte_len ${wc?.byteLen}.`,
  );
  const got = wc?.imm ?? null;
  ctx.figure('immediate', got);
  ctx.check(
    'immediate',
    got === immediate,
    `Posted ${hex32(immediate)}, received ${got === null ? 'nothing' : hex32(got)} after ntohl.`,
  );
  ctx.row('order', { form: 'As the client’s program means it', value: hex32(immediate) });
  ctx.row('order', { form: 'Bytes on the wire, big-endian (htonl)', value: wireBytes(immediate) });
  ctx.row('order', {
    form: 'Read by a little-endian CPU without ntohl',
    value: hex32(withoutNtohl(immediate)),
  });
  const [written, sent, buffer] = [
    await hashOf(server, 0, size),
    await hashOf(client, 0, size),
    await hashOf(server, size, size),
  ];
  const arrived = written === sent && written !== before;
  ctx.outcome('data-lands', buffer === untouched && arrived ? 'address' : 'buffer');
  ctx.check(
    'recv-buffer-untouched',
    arrived && buffer === untouched,
    buffer === untouched
      ? `The data is ${arrived ? '' : 'not '}at the address of the WRITE. The buffer of the RECV did not change.`
      : 'The buffer of the RECV changed.',
  );
}
