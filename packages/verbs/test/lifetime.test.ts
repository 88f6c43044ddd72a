import { describe, expect, it } from 'vitest';
import { inProcess } from './helpers.js';

/**
 * Number of remaining threads of the addon. The kernel lists a joined thread for a while, longer on a loaded machine,
 * and the thread may vanish while its name is read. So the code waits up to 10 s for all of them to vanish.
 */
const THREADS = `
  const threads = async (counted = () => true) => {
    const { readdirSync, readFileSync } = await import('node:fs');
    const name = (tid) => {
      try {
        return readFileSync('/proc/self/task/' + tid + '/comm', 'utf8').trim();
      } catch {
        return '';
      }
    };
    const list = () => readdirSync('/proc/self/task').map(name).filter((n) => n.startsWith('vl-') && counted(n));
    const end = Date.now() + 10_000;
    while (list().length > 0 && Date.now() < end) await new Promise((turn) => setImmediate(turn));
    return list().length;
  };
`;

/** A setup with objects of all kinds, a watching channel and a running loop. */
const SETUP = `
  import { openDevice, startLoop, startTcpLoop } from './src/index.ts';
  const make = () => {
    const ctx = openDevice('uroce0');
    const pd = ctx.allocPd();
    const cq = ctx.createCq({ depth: 256 });
    const a = pd.createQp({ sendCq: cq }), b = pd.createQp({ sendCq: cq });
    a.connect(b.info()); b.connect(a.info());
    const mr = pd.regMr(65536), own = pd.regMr(new Uint8Array(4096));
    const write = () => a.postSend({ opcode: 'RDMA_WRITE', local: own.sge(), remote: mr.remote() });
    return { ctx, pd, cq, a, b, mr, own, write };
  };
  const loop = (o) => startLoop({ role: 'initiator', measure: 'bandwidth', op: 'write', size: 4096, durationMs: 60000,
    qps: [o.a], mr: o.own, remote: o.mr.remote(), txDepth: 64, reportMs: 10 });
${THREADS}
  const loopThreads = () => threads((name) => name !== 'vl-events');
`;

describe('garbage collection', () => {
  it('destroys what was dropped, in any order', async () => {
    const source = `${SETUP}
      import { setImmediate as turn } from 'node:timers/promises';
      const keep = openDevice('uroce0');
      const collected = new FinalizationRegistry(() => { gone++; });
      let gone = 0, made = 0;
      for (let round = 0; round < 20; round++) {
        const o = make();
        // Each round, another object is the last one that is still held.
        const names = ['ctx', 'pd', 'cq', 'a', 'b', 'mr', 'own'];
        let last = o[names[round % names.length]];
        for (const name of names) { collected.register(o[name]); made++; }
        o.write();
        await o.cq.wait();
        for (const name of Object.keys(o)) delete o[name];
        gc(); await turn(); gc();
        last = undefined;
      }
      for (let i = 0; i < 200 && gone < made - 20; i++) { gc(); await turn(); }
      console.log(gone >= made - 20 || gone + '/' + made, keep.extensions.pinned().regions <= 2);`;
    expect(await inProcess(source)).toMatchObject({ code: 0, stdout: 'true true\n' });
  });

  it('keeps memory that a caller can still see', async () => {
    const source = `${SETUP}
      import { setImmediate as turn } from 'node:timers/promises';
      let bytes = make().mr.bytes;
      for (let i = 0; i < 20; i++) { gc(); await turn(); }
      bytes.fill(9);
      console.log(bytes.length, bytes[65535]);`;
    expect(await inProcess(source)).toMatchObject({ code: 0, stdout: '65536 9\n' });
  });

  it('leaves what a caller waits for alone', async () => {
    // The first packet is lost, so the completion comes a timeout later. That leaves time to collect unreferenced
    // objects.
    const source = `${SETUP}
      import { setImmediate as turn } from 'node:timers/promises';
      const waiter = async () => {
        const o = make();
        o.ctx.extensions.setFaults({ rules: [{ action: 'drop', qpn: o.b.qpn, times: 1 }] });
        o.write();
        const [{ status }] = await o.cq.wait();
        o.ctx.closeAll();
        return status;
      };
      let status = null;
      waiter().then((got) => { status = got; });
      for (const end = Date.now() + 10_000; status === null && Date.now() < end; await turn()) gc();
      console.log(status);`;
    expect(await inProcess(source)).toMatchObject({ code: 0, stdout: 'SUCCESS\n' });
  });

  it('leaves a running loop alone', async () => {
    const source = `${SETUP}
      import { setImmediate as turn } from 'node:timers/promises';
      const result = (() => { const o = make(); globalThis.peer = [o.b, o.mr]; const l = startLoop({ role: 'initiator', measure: 'bandwidth', op: 'write',
        size: 4096, iterations: 20000, qps: [o.a], mr: o.own, remote: o.mr.remote(), txDepth: 64 }); return l.result; })();
      for (let i = 0; i < 20; i++) { gc(); await turn(); }
      console.log((await result).messages, await loopThreads());`;
    expect(await inProcess(source)).toMatchObject({ code: 0, stdout: '20000 0\n' });
  });
});

describe('the end of a process', () => {
  it.each([
    ['process.exit() in the middle of everything', `process.exit(3)`, 3],
    ['an uncaught error', `throw new Error('oops')`, 1],
    ['a busy loop at process.exit()', `l.stop(0); process.exit(4)`, 4],
  ])('%s', async (_, end, code) => {
    const source = `${SETUP}
      const o = make(), p = make(), l = loop(o);
      p.write();
      p.cq.wait(2).catch(() => {});
      const tcp = startTcpLoop({ role: 'target', measure: 'bandwidth', size: 1000, port: 0, wait: 'event' });
      await Promise.all([l.ready, tcp.ready]);
      ${end};`;
    expect((await inProcess(source)).code).toBe(code);
  });

  it('comes by itself when there is no more work', async () => {
    const source = `${SETUP}
      const o = make();
      o.write();
      await o.cq.wait();
      const l = loop(o);
      await l.ready;
      await l.stop();
      console.log(await loopThreads());`;
    expect(await inProcess(source)).toMatchObject({ code: 0, stdout: '0\n' });
  });
});

describe('workers', () => {
  /** Code of a worker: the same setup, with TypeScript through tsx. */
  const worker = (body: string) => `
    import { Worker } from 'node:worker_threads';
    const source = ${JSON.stringify(`import { parentPort } from 'node:worker_threads'; ${SETUP} ${body}`)};
    const start = () => new Worker(new URL('data:text/javascript,' + encodeURIComponent(
      source.replaceAll('./src/index.ts', new URL('./dist/index.js', 'file://' + process.cwd() + '/').href))));
  `;

  it('use the device side by side', async () => {
    const source = `${worker(`
      const o = make();
      for (let i = 0; i < 50; i++) { o.write(); await o.cq.wait(); }
      parentPort.postMessage('done');
      o.ctx.closeAll();`)}
      const done = await Promise.all([1, 2, 3].map(() => new Promise((yes, no) => {
        const w = start(); let said; w.on('message', (m) => { said = m; }); w.on('error', no); w.on('exit', (c) => yes(said + c));
      })));
      console.log(done.join());`;
    expect(await inProcess(source)).toMatchObject({ code: 0, stdout: 'done0,done0,done0\n' });
  });

  it('can be terminated in the middle of everything', async () => {
    const source = `${worker(`
      const o = make(), p = make(), l = loop(o);
      p.write();
      p.cq.wait(2);
      l.ready.then(() => parentPort.postMessage('running'));`)}
      for (let i = 0; i < 12; i++) {
        const w = start();
        await new Promise((yes, no) => { w.once('message', yes); w.once('error', no); });
        // At another moment each time: between reports, in the middle of one.
        await new Promise((turn) => setTimeout(turn, 3 * i));
        await w.terminate();
      }
      ${THREADS}
      console.log(await threads());`;
    expect(await inProcess(source)).toMatchObject({ code: 0, stdout: '0\n' });
  });
});
