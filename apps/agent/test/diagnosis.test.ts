/** Diagnoses of captures of the embedded device: each injected fault is found, and nothing else. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diagnoseFile, LinkType, RC, readCapture, writePcapng, type Diagnosis } from '@verbslab/roce';
import { openDevice, type FaultRule, type Qp } from '@verbslab/verbs';
import { afterAll, describe, expect, it } from 'vitest';

// An address of our own: tests that run at the same time may hold the default one as another user.
process.env['UROCE_ADDR'] ??= '127.0.0.23';
const folder = mkdtempSync(join(tmpdir(), 'verbslab-diagnosis-'));

afterAll(() => rmSync(folder, { recursive: true }));

const MTU = 1024;
const PACKETS = 8;

function pair(ack: number) {
  const ctx = openDevice('uroce0');
  const pd = ctx.allocPd();
  const side = () => {
    const cq = ctx.createCq({ depth: 256 });
    return { cq, qp: pd.createQp({ sendCq: cq }), mr: pd.regMr(PACKETS * MTU) };
  };
  const [a, b] = [side(), side()];
  const connect = (own: Qp, peer: Qp) =>
    own.connect(peer.info(), { mtu: MTU, timeout: ack, retryCount: 7, rnrRetry: 7, minRnrTimer: 12 });
  connect(a.qp, b.qp);
  connect(b.qp, a.qp);
  return { ctx, a, b };
}

type Pair = ReturnType<typeof pair>;

const write = async ({ a, b }: Pair, times = 1): Promise<void> => {
  for (let i = 0; i < times; i++) {
    a.qp.postSend({ opcode: 'RDMA_WRITE', local: a.mr.sge(), remote: b.mr.remote() });
    await a.cq.wait();
  }
};

/** ACK timeouts as IBTA codes: 67 ms where a test waits for one, 17 s where a loaded machine must not cause one. */
const SHORT = 14;
const LONG = 22;

/** The capture of what `body` does, and the packets as one end saw them. */
async function captured(body: (two: Pair) => Promise<void>, timeout = LONG): Promise<Uint8Array> {
  const two = pair(timeout);
  const file = join(folder, `${Math.random()}.pcapng`);
  try {
    two.ctx.extensions.pcapOpen(file);
    await write(two, 4);
    await body(two);
    await write(two, 4);
    two.ctx.extensions.pcapClose();
  } finally {
    two.ctx.extensions.setFaults();
    two.ctx.closeAll();
  }
  return new Uint8Array(readFileSync(file));
}

/** A capture on the wire at the target: what arrives there, and what it sends. */
function atTarget(bytes: Uint8Array): Diagnosis {
  const { records } = readCapture(bytes);
  const request = (opcode: number): boolean => opcode < RC.readResponseFirst;
  const seen = records.filter(({ data, direction }) => direction === (request(data[28]!) ? 'in' : 'out'));
  return diagnoseFile(
    writePcapng(
      [{ linkType: LinkType.RAW }],
      seen.map(({ timeNs, data }) => ({ timeNs, data })),
    ),
  );
}

/**
 * A capture in which nothing waits. After half a millisecond, one end cannot tell any more why a packet came late or
 * again, and on a busy machine packets wait as long.
 */
async function capturedAtOnce(body: (two: Pair) => Promise<void>): Promise<Uint8Array> {
  for (;;) {
    const bytes = await captured(body);
    const { records } = readCapture(bytes);
    const waited = records.some(
      ({ direction, timeNs }, i) => i > 0 && direction === 'in' && timeNs - records[i - 1]!.timeNs > 400_000n,
    );
    if (!waited) return bytes;
  }
}

const unusual = ({ findings }: Diagnosis): string[] =>
  findings.filter(({ severity }) => severity !== 'note').map(({ id }) => id);

const withRule =
  (rule: (two: Pair) => FaultRule, times = 1) =>
  async (two: Pair): Promise<void> => {
    two.ctx.extensions.setFaults({ rules: [rule(two)] });
    await write(two, times);
    const { dropped, duplicated, reordered, corrupted, marked } = two.ctx.extensions.faults();
    expect(dropped + duplicated + reordered + corrupted + marked).toBe(1);
  };
/** The middle of a message, towards the target. */
const middle =
  (action: FaultRule['action']) =>
  (two: Pair): FaultRule => ({
    action,
    qpn: two.b.qp.qpn,
    opcode: RC.writeMiddle,
    iter: 3,
  });

describe('captures of the device', () => {
  it('without faults have nothing unusual, at both ends and at one', async () => {
    const bytes = await captured(() => Promise.resolve());
    const both = diagnoseFile(bytes);
    expect(unusual(both)).toEqual([]);
    expect(both.connections).toHaveLength(1);
    expect(both.connections[0]).toMatchObject({ matched: 'psn', mtu: MTU, transport: 'RC' });
    expect(both.connections[0]!.from[0]!.goodBytes).toBe(8 * PACKETS * MTU);
    expect(unusual(atTarget(bytes))).toEqual([]);
  });

  it('with a packet dropped in the middle: a NAK, and the packet is missing', async () => {
    // The injector drops a packet before the capture of its sender, so neither end has it.
    const bytes = await capturedAtOnce(withRule(middle('drop')));
    for (const diagnosis of [diagnoseFile(bytes), atTarget(bytes)]) {
      expect(unusual(diagnosis)).toEqual(['nak-sequence', 'retransmission-nak', 'gap-lost']);
      expect(diagnosis.findings.find(({ id }) => id === 'gap-lost')!.total).toBe(1);
    }
  });

  it('with the last packet dropped: a timeout', async () => {
    const bytes = await captured(
      withRule((two) => ({ action: 'drop', qpn: two.b.qp.qpn, opcode: RC.writeLast, times: 1 })),
      SHORT,
    );
    expect(unusual(diagnoseFile(bytes))).toEqual(['retransmission-timeout']);
    expect(unusual(atTarget(bytes))).toEqual(['retransmission-timeout']);
  });

  it('with an ACK dropped before the capture: a timeout, and no claim that the request was lost', async () => {
    const bytes = await captured(
      withRule((two) => ({ action: 'drop', qpn: two.a.qp.qpn, opcode: RC.acknowledge, times: 1 })),
      SHORT,
    );
    const diagnosis = atTarget(bytes);
    expect(unusual(diagnosis)).toEqual(['retransmission-timeout']);
    expect(diagnosis.findings[0]!.why).toContain('or an ACK or NAK for it was lost before that place');
  });

  it('with a duplicate', async () => {
    const bytes = await capturedAtOnce(withRule(middle('duplicate')));
    expect(unusual(atTarget(bytes))).toEqual(['duplicated']);
  });

  it('with a corrupt packet: wrong ICRC, and then a NAK', async () => {
    const bytes = await capturedAtOnce(withRule(middle('corrupt')));
    expect(unusual(atTarget(bytes))).toEqual(['icrc', 'nak-sequence', 'retransmission-nak', 'gap-icrc']);
  });

  it('with a congestion mark, and the CNP that answers it', async () => {
    const bytes = await captured(withRule(middle('mark')));
    expect(unusual(atTarget(bytes))).toEqual(['ecn', 'cnp']);
    const file = join(folder, 'marked.pcapng');
    writeFileSync(file, bytes);
    const fields = ['frame.len', 'infiniband.bth.opcode', 'ip.dsfield.ecn'];
    const tshark = (filter: string): string[] =>
      execFileSync('tshark', ['-r', file, '-Y', filter, '-T', 'fields', ...fields.flatMap((f) => ['-e', f])])
        .toString()
        .trim()
        .split('\n');
    // Each packet is sent and received by this process.
    const mark = /^\d+\t7\t3$/;
    expect(tshark('ip.dsfield.ecn == 3')).toEqual([expect.stringMatching(mark), expect.stringMatching(mark)]);
    const cnp = /^60\t129\t0$/;
    expect(tshark('infiniband.bth.opcode == 0x81')).toEqual([
      expect.stringMatching(cnp),
      expect.stringMatching(cnp),
    ]);
  });

  it('with two packets swapped: reordering, and the NAK that it causes', async () => {
    const bytes = await capturedAtOnce(withRule(middle('reorder')));
    const target = atTarget(bytes);
    expect(unusual(target)).toContain('reordered');
    expect(unusual(target)).not.toContain('gap-lost');
  });

  it('with a receiver that is not ready: RNR NAKs', async () => {
    const bytes = await captured(async (two) => {
      two.a.qp.postSend({ opcode: 'SEND', local: two.a.mr.sge(0, 64) });
      const rnr = () => two.ctx.extensions.counters()['rcvd_rnr_err'] ?? 0;
      const before = rnr();
      while (rnr() < before + 3) await new Promise((resolve) => setImmediate(resolve));
      two.b.qp.postRecv({ local: two.b.mr.sge() });
      await two.a.cq.wait();
    });
    const diagnosis = diagnoseFile(bytes);
    expect(unusual(diagnosis)).toEqual(['rnr']);
    expect(diagnosis.findings[0]!.text).toMatch(/had no receive posted for 1 request of .* in \d+ storm/);
  });

  it('with a wrong rkey: a remote access error', async () => {
    const two = pair(LONG);
    const file = join(folder, 'refused.pcapng');
    two.ctx.extensions.pcapOpen(file);
    await write(two, 4);
    const remote = two.b.mr.remote();
    two.a.qp.postSend({
      opcode: 'RDMA_WRITE',
      local: two.a.mr.sge(),
      remote: { ...remote, rkey: (remote.rkey ^ 0x5a5a) >>> 0 },
    });
    await expect(two.a.cq.wait()).rejects.toThrow('REM_ACCESS_ERR');
    two.ctx.extensions.pcapClose();
    two.ctx.closeAll();
    expect(unusual(diagnoseFile(new Uint8Array(readFileSync(file))))).toEqual(['nak-remote-access']);
  });
});
