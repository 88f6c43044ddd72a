import { describe, expect, it } from 'vitest';
import {
  CmError,
  createEventChannel,
  GRH_BYTES,
  type CmEvent,
  type CmId,
  type CmService,
  type Qp,
  type VerbsError,
} from '../src/index.js';
import { inProcess, thrown } from './helpers.js';

const WAIT = { timeoutMs: 5000 };
const ADDRESS = process.env['UROCE_ADDR']!;
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString().replace(/\0+$/, '');

/** A channel with a listener, and a client that has a route to the listener. */
async function meeting(service: CmService = 'TCP') {
  const channel = createEventChannel({ provider: 'embedded' });
  const listener = channel.createId(service);
  listener.bind(ADDRESS);
  listener.listen();
  const client = channel.createId(service);
  const { port } = listener.localAddress!;
  await client.resolveAddr(ADDRESS, port);
  await client.resolveRoute();
  const ctx = client.context;
  const pd = ctx.allocPd();
  const side = (id: CmId) => {
    const cq = ctx.createCq({ depth: 16 });
    return { cq, qp: id.createQp(pd, { sendCq: cq }) };
  };
  const next = async (): Promise<CmEvent> => {
    for await (const request of listener.requests()) return request;
    throw new Error('the listener was closed');
  };
  return {
    channel,
    listener,
    client,
    port,
    ctx,
    pd,
    side,
    next,
    [Symbol.dispose]: () => channel.closeAll(),
  };
}

/** Connects both, the server with `answer`. */
async function connected() {
  const m = await meeting();
  const a = m.side(m.client);
  const established = m.client.connect({ privateData: Buffer.from('who is there?') });
  const request = await m.next();
  const b = m.side(request.id);
  await Promise.all([established, request.id.accept({ privateData: Buffer.from('it is me') })]);
  return Object.assign(m, { a, b, request, server: request.id, reply: await established });
}

describe('connections', () => {
  it('carry private data both ways, and then messages', async () => {
    using c = await connected();
    expect(text(c.request.privateData)).toBe('who is there?');
    expect(c.request).toMatchObject({ type: 'CONNECT_REQUEST', connection: { qpn: c.a.qp.qpn } });
    expect(c.request.listener).toBe(c.listener);
    expect(text(c.reply.privateData)).toBe('it is me');
    expect(c.reply).toMatchObject({ type: 'ESTABLISHED', connection: { qpn: c.b.qp.qpn } });
    expect([c.a.qp.state, c.b.qp.state]).toEqual(['RTS', 'RTS']);
    expect(c.server.context).toBe(c.ctx);
    expect(c.client.remoteAddress).toEqual({ address: ADDRESS, port: c.port });
    expect(c.server.localAddress?.port).toBe(c.port);
    const mr = c.pd.regMr(64);
    c.b.qp.postRecv({ local: mr.sge(32) });
    c.a.qp.postSend({ opcode: 'SEND', local: mr.sge(0, 8) });
    expect(await c.b.cq.wait(1, WAIT)).toMatchObject([{ opcode: 'RECV', byteLength: 8 }]);
    await c.a.cq.wait(1, WAIT);
    c.a.qp.postSend({ opcode: 'RDMA_READ', local: mr.sge(0, 8), remote: mr.remote() });
    expect(await c.a.cq.wait(1, WAIT)).toMatchObject([{ opcode: 'RDMA_READ' }]);
  });

  it('end for both when one disconnects', async () => {
    using c = await connected();
    const answering = c.server.disconnected(WAIT).then(() => {
      c.server.disconnect();
    });
    c.client.disconnect();
    await Promise.all([answering, c.client.disconnected(WAIT)]);
    expect(c.a.qp.state).toBe('ERR');
    // The state is known afterwards, too.
    await c.server.disconnected();
  });

  it('are rejected with the reason of the peer', async () => {
    using m = await meeting();
    const { qp } = m.side(m.client);
    const refused = m.client.connect().catch((error: unknown) => error);
    const { id } = await m.next();
    id.reject(Buffer.from('not today'));
    id.close();
    const error = (await refused) as CmError;
    expect(error).toBeInstanceOf(CmError);
    expect(error).toMatchObject({
      code: 'ECONNREFUSED',
      call: 'rdma_connect',
      message: expect.stringContaining('rejected the connection') as string,
      hint: expect.stringContaining('private data') as string,
    });
    expect(error.event).toMatchObject({ type: 'REJECTED', status: 28 });
    expect(text(error.event.privateData)).toBe('not today');
    expect(qp.state).not.toBe('RTS');
  });

  it('are refused where there is no listener', async () => {
    using m = await meeting();
    m.side(m.client);
    m.listener.close();
    await expect(m.client.connect()).rejects.toMatchObject({
      code: 'ECONNREFUSED',
      hint: expect.stringContaining('listener') as string,
    });
  });

  it('are many on one listener, and all events pass the channel', async () => {
    using m = await meeting();
    const seen: string[] = [];
    const abort = new AbortController();
    const watching = (async () => {
      for await (const event of m.channel.events({ signal: abort.signal })) seen.push(event.type);
    })();
    const serving = (async () => {
      const served: Qp[] = [];
      for await (const { id } of m.listener.requests()) {
        served.push(m.side(id).qp);
        await id.accept();
        if (served.length === 3) return served;
      }
      throw new Error('closed');
    })();
    for (let i = 0; i < 3; i++) {
      const id = m.channel.createId();
      await id.resolveAddr(ADDRESS, m.port);
      await id.resolveRoute();
      m.side(id);
      await id.connect();
    }
    const served = await serving;
    expect(new Set(served.map(({ qpn }) => qpn)).size).toBe(3);
    abort.abort();
    await watching;
    const count = (type: string) => seen.filter((each) => each === type).length;
    expect([count('ADDR_RESOLVED'), count('CONNECT_REQUEST'), count('ESTABLISHED')]).toEqual([3, 3, 6]);
  });
});

describe('datagram services', () => {
  it('tell the way to their QP, with private data', async () => {
    using m = await meeting('UDP');
    const a = m.side(m.client);
    expect(a.qp.type).toBe('UD');
    const found = m.client.connect({ privateData: Buffer.from('where?') });
    const request = await m.next();
    expect(text(request.privateData)).toBe('where?');
    const b = m.side(request.id);
    await request.id.accept({ privateData: Buffer.from('here') });
    const { datagram, privateData } = await found;
    expect(text(privateData)).toBe('here');
    expect(datagram).toMatchObject({ qpn: b.qp.qpn });
    const mr = m.pd.regMr(256);
    b.qp.postRecv({ local: mr.sge(128) });
    const ah = m.pd.createAh(datagram!.address);
    a.qp.postSend({
      opcode: 'SEND',
      local: mr.sge(0, 8),
      ah,
      remoteQpn: datagram!.qpn,
      remoteQkey: datagram!.qkey,
    });
    expect(await b.cq.wait(1, WAIT)).toMatchObject([{ opcode: 'RECV', byteLength: GRH_BYTES + 8 }]);
  });

  it('reject with private data', async () => {
    using m = await meeting('UDP');
    m.side(m.client);
    const refused = m.client.connect().catch((error: unknown) => error);
    (await m.next()).id.reject(Buffer.from('no'));
    const error = (await refused) as CmError;
    expect(error).toBeInstanceOf(CmError);
    expect(text(error.event.privateData)).toBe('no');
  });
});

describe('ids', () => {
  it('refuse what cannot be right, and say what can', async () => {
    using channel = createEventChannel({ provider: 'embedded' });
    using id = channel.createId();
    expect(
      thrown(() => {
        id.bind('example.com');
      }).hint,
    ).toContain('digits');
    expect(thrown(() => id.context)).toMatchObject({ code: 'ENODEV' });
    expect(
      thrown(() => {
        id.bind('203.0.113.9');
      }),
    ).toMatchObject({ code: 'EADDRNOTAVAIL', hint: expect.stringContaining('0.0.0.0') as string });
    await expect(id.resolveRoute()).rejects.toMatchObject({ code: 'EINVAL', call: 'rdma_resolve_route' });
    expect(thrown(() => channel.createId('SCTP' as never)).hint).toContain('TCP');
    id.bind(ADDRESS);
    using other = channel.createId();
    expect(
      thrown(() => {
        other.bind(ADDRESS, id.localAddress!.port);
      }),
    ).toMatchObject({ code: 'EADDRINUSE', call: 'rdma_bind_addr' });
    await expect(id.connect({ privateData: new Uint8Array(57) })).rejects.toThrow(/privateData/);
  });

  it('close children first, and end what waits', async () => {
    const m = await meeting();
    m.side(m.client);
    const code = (body: () => void) => thrown(body).code;
    expect(code(() => m.client.close())).toBe('EBUSY');
    expect(code(() => m.channel.close())).toBe('EBUSY');
    const connecting = m.client.connect().catch((error: unknown) => (error as VerbsError).code);
    const requests = (async () => {
      for await (const { id } of m.listener.requests()) id.close();
      return 'ended';
    })();
    m.client.closeAll();
    expect(await connecting).toBe('ECANCELED');
    m.channel.closeAll();
    expect(await requests).toBe('ended');
    expect([m.channel.closed, m.listener.closed, m.ctx.closed, m.pd.closed]).toEqual(Array(4).fill(true));
    await expect(m.client.resolveRoute()).rejects.toMatchObject({ code: 'EBADF' });
  });

  it('keep the process alive only while a caller waits', async () => {
    const source = `import { createEventChannel } from './src/index.ts';
      const channel = createEventChannel({ provider: 'embedded' });
      const id = channel.createId();
      await id.resolveAddr('${ADDRESS}', 1);
      console.log(id.remoteAddress.port);`;
    expect(await inProcess(source)).toMatchObject({ code: 0, stdout: '1\n' });
  });

  it('may be dropped in any order', async () => {
    const source = `import { createEventChannel } from './src/index.ts';
      import { setImmediate as turn } from 'node:timers/promises';
      for (let i = 0; i < 20; i++) {
        const channel = createEventChannel({ provider: 'embedded' });
        const listener = channel.createId(), client = channel.createId();
        listener.bind('${ADDRESS}');
        listener.listen();
        await client.resolveAddr('${ADDRESS}', listener.localAddress.port);
        await client.resolveRoute();
        const pd = client.context.allocPd(), cq = client.context.createCq({ depth: 4 });
        client.createQp(pd, { sendCq: cq });
        client.connect().catch(() => {});
        if (i % 2) for await (const _ of listener.requests()) break;
        gc(); await turn(); gc();
      }
      console.log('done');
      process.exit(0);`;
    expect(await inProcess(source)).toMatchObject({ code: 0, stdout: 'done\n' });
  });
});

describe('the machine’s librdmacm', () => {
  it('is used, or an error names what is missing and the cure', async () => {
    // Without the library or a kernel device, the error names the missing part.
    const source = `import { createEventChannel } from './src/index.ts';
      try { createEventChannel({ provider: 'system' }).close(); console.log('there'); }
      catch (error) { console.log(error.name, error.code, error.call, error.hint !== ''); }`;
    const { code, stdout } = await inProcess(source);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^(there|VerbsError \w+ (dlopen|dlopen\(librdmacm\)|rdma_get_devices|rdma_create_event_channel) true)\n$/,
    );
  });
});
