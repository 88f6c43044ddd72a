/**
 * `vlcapture` on this machine's loopback: it captures all packets, whole and in order, and a mark means “up to now”.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capturePath } from '@verbslab/native';
import { checkIcrc, LinkType, summarizePacket } from '@verbslab/roce';
import { afterEach, describe, expect, it } from 'vitest';
import { InterfaceCapture } from '../src/capture/interface-capture.js';
import { captureTrouble } from '../src/capture/permission.js';
import { RecordReader, type CapturedPacket } from '../src/capture/records.js';
import { Recording } from './endpoint-harness.js';

const trouble = captureTrouble();
if (trouble) process.stderr.write(`Captures are not tested: ${trouble.info.message} ${trouble.info.cure}\n`);

/** Addresses of this file: other tests use loopback, too. */
const ADDRESS = '127.0.47.91';
const DEVICE_ADDRESS = '127.0.47.92';
const ROCE = 4791;

const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function start(options = {}): Promise<InterfaceCapture> {
  const capture = await InterfaceCapture.start('lo', options);
  open.push({ close: () => capture.kill() });
  return capture;
}

async function socket(): Promise<Socket> {
  const made = createSocket('udp4');
  made.bind(0, ADDRESS);
  await once(made, 'listening');
  open.push(made);
  return made;
}

/** Resolves when the kernel has taken the datagram, which has passed loopback then. */
const send = (from: Socket, text: string, port = ROCE): Promise<void> =>
  new Promise((resolve, reject) =>
    from.send(text, port, ADDRESS, (error) => (error ? reject(error) : resolve())),
  );

const between = (packets: CapturedPacket[], address: string): CapturedPacket[] =>
  packets.filter(({ bytes }) => {
    const { src, dst } = summarizePacket(bytes, LinkType.RAW);
    return src === address && dst === address;
  });
const payload = ({ bytes }: CapturedPacket): string => Buffer.from(bytes.subarray(28)).toString();

describe.skipIf(trouble !== null)('a capture of an interface', () => {
  it('has every datagram to port 4791 that passed before it was asked, in order and in time', async () => {
    // Slots of the ring are as large as the longest packet, 64 KiB on `lo`: a few hundred packets would fill it.
    const capture = await start({ snapLength: 512 });
    const from = await socket();
    const begin = process.hrtime.bigint();
    const texts = Array.from({ length: 300 }, (_, index) => `datagram ${index}`);
    for (const text of texts) await send(from, text);
    await send(from, 'another port', ROCE + 1);
    await capture.settle();
    const end = process.hrtime.bigint();
    const packets = between(capture.take(), ADDRESS);
    expect(packets.map(payload)).toEqual(texts);
    const times = packets.map(({ timeNs }) => timeNs);
    expect(times).toEqual([...times].sort((a, b) => Number(a - b)));
    // The two clocks are compared once a batch; they run at most 0.05 % apart.
    const slack = 1_000_000n;
    expect(times[0]! > begin - slack && times.at(-1)! < end + slack).toBe(true);
    expect(capture.counts.dropped).toBe(0);
    expect(capture.counts.received).toBeGreaterThanOrEqual(texts.length);
  });

  it('gives what came before its end, and nothing later', async () => {
    const capture = await start();
    const from = await socket();
    await send(from, 'before');
    await capture.stop();
    await send(from, 'after');
    expect(between(capture.take(), ADDRESS).map(payload)).toEqual(['before']);
    await expect(capture.settle()).rejects.toMatchObject({ code: 'CAPTURE_FAILED' });
  });

  it('keeps as many bytes as asked, and reports the packet’s length', async () => {
    const capture = await start({ snapLength: 40 });
    await send(await socket(), 'x'.repeat(500));
    await capture.settle();
    const [packet] = between(capture.take(), ADDRESS);
    expect([packet?.bytes.length, packet?.originalLength]).toEqual([40, 528]);
  });

  it('has or counts every packet when they come faster than a small ring is read', async () => {
    // Frames of `lo` take 64 KiB each.
    const capture = await start({ ringBytes: 4 << 20 });
    const from = await socket();
    for (let index = 0; index < 40; index++)
      await Promise.all(Array.from({ length: 200 }, () => send(from, 'y'.repeat(9000))));
    await capture.settle();
    const { received, dropped } = capture.counts;
    expect(between(capture.take(), ADDRESS).length + dropped).toBeGreaterThanOrEqual(8000);
    expect(received).toBeGreaterThanOrEqual(8000);
  });

  it('shows the embedded device’s packets with the ICRC that fits their own IP header', async () => {
    const capture = await start({ snapLength: 2048 });
    const recording = new Recording();
    const env = { UROCE_ADDR: DEVICE_ADDRESS };
    const [a, b] = await Promise.all([recording.spawn('a', { env }), recording.spawn('b', { env })]);
    const side = async (end: typeof a) => {
      const { pd } = await end.call('allocPd', {});
      const mr = await end.call('regMr', { pd, length: 4096, access: ['LOCAL_WRITE', 'REMOTE_WRITE'] });
      const { cq } = await end.call('createCq', { depth: 16 });
      return { mr, cq, qp: await end.call('createQp', { pd, sendCq: cq }) };
    };
    const [left, right] = await Promise.all([side(a), side(b)]);
    await a.call('connectQp', { qp: left.qp.qp, remote: right.qp.info });
    await b.call('connectQp', { qp: right.qp.qp, remote: left.qp.info });
    const { addr, rkey } = right.mr;
    const wr = {
      opcode: 'RDMA_WRITE' as const,
      local: [{ mr: left.mr.mr, length: 64 }],
      remote: { addr, rkey },
    };
    await a.call('postSend', { qp: left.qp.qp, wr });
    const { completions } = await a.call('waitCq', { cq: left.cq, count: 1, timeoutMs: 5000 });
    expect(completions[0]?.statusName).toBe('SUCCESS');
    await capture.settle();
    await Promise.all([a.close(1000), b.close(1000)]);
    const seen = between(capture.take(), DEVICE_ADDRESS)
      .map((packet) => ({ packet, summary: summarizePacket(packet.bytes, LinkType.RAW) }))
      .filter(({ summary }) => [left.qp.info.qpn, right.qp.info.qpn].includes(summary.destQp ?? 0));
    // A WRITE Only and its ACK; on a busy machine either may be retransmitted.
    expect([...new Set(seen.map(({ summary }) => summary.opcode))]).toEqual([0x0a, 0x11]);
    for (const { packet } of seen)
      expect(checkIcrc(packet.bytes, 0, 28, packet.bytes.length).status).toBe('ok');
  });

  it('names an interface that is not there', async () => {
    await expect(InterfaceCapture.start('nix0')).rejects.toMatchObject({
      code: 'CAPTURE_FAILED',
      message: expect.stringContaining('nix0') as string,
    });
  });
});

describe('without the capability', () => {
  it.skipIf(process.getuid?.() !== 0)('the command that gives it is named', async () => {
    // The program answers like vlcapture without CAP_NET_RAW; the kernel makes vlcapture answer so.
    const folder = mkdtempSync(join(tmpdir(), 'capture-'));
    const program = join(folder, 'bounded');
    writeFileSync(
      program,
      `#!/bin/sh\nexec setpriv --bounding-set=-net_raw --inh-caps=-net_raw ${capturePath} "$@"\n`,
      { mode: 0o755 },
    );
    open.push({ close: () => rmSync(folder, { recursive: true }) });
    const found = captureTrouble(program);
    expect(found?.code).toBe('CAPTURE_FORBIDDEN');
    expect(found?.info.cure).toContain(`sudo setcap cap_net_raw+ep ${capturePath}`);
    await expect(InterfaceCapture.start('lo', {}, program)).rejects.toMatchObject({
      code: 'CAPTURE_FORBIDDEN',
    });
  });
});

describe('the capture program', () => {
  it('takes no more memory of the kernel than a capture needs', () => {
    const { status, stderr } = spawnSync(capturePath, ['run', 'lo', '--buffer', String((256 << 20) + 1)], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining('at most 268435456 bytes')]);
  });
});

describe('records', () => {
  it('are found however the stream is cut', () => {
    const packet = (text: string, seq: number): Buffer => {
      const head = Buffer.alloc(24);
      head.writeBigUInt64LE(BigInt(1000 + seq), 0);
      head.writeUInt32LE(seq, 8);
      head.writeUInt32LE(text.length + 5, 12);
      head.writeUInt32LE(text.length, 16);
      const padded = Buffer.alloc((text.length + 7) & ~7);
      padded.write(text);
      return Buffer.concat([head, padded]);
    };
    const mark = Buffer.alloc(40);
    mark.writeUInt32LE(16, 16);
    mark[20] = 1;
    mark.writeBigUInt64LE(7n, 24);
    mark.writeBigUInt64LE(2n, 32);
    const stream = Buffer.concat([packet('one', 0), packet('', 1), mark, packet('0123456789', 2)]);
    for (let step = 1; step <= stream.length; step++) {
      const got: unknown[] = [];
      const reader = new RecordReader({
        packet: ({ seq, bytes, originalLength }) =>
          got.push([seq, Buffer.from(bytes).toString(), originalLength]),
        mark: (counts) => got.push(counts),
      });
      for (let at = 0; at < stream.length; at += step) reader.push(stream.subarray(at, at + step));
      expect(got).toEqual([[0, 'one', 8], [1, '', 5], { received: 7, dropped: 2 }, [2, '0123456789', 15]]);
    }
  });
});
