/** Ceph over RDMA: a monitor and a storage daemon of one cluster, and clients that put, get and measure. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { installed, nextPort, start, type Outcome, type Running } from './run.js';

/** Time limit of a test, ms, for the start of a cluster and its work on a busy machine. */
const PATIENCE = 300_000;
/** Time after which a client that hangs is ended, ms. */
const CALL_MS = 40_000;

const able =
  ['monmaptool', 'ceph-mon', 'ceph-osd', 'ceph', 'rados'].every(installed) && process.getuid?.() === 0;
if (!able)
  console.warn('without root or packages (apt install ceph-mon ceph-osd ceph-common), Ceph is skipped');

function settings(folder: string, fsid: string, address: string, sharedReceives: boolean): string {
  return `[global]
fsid = ${fsid}
mon host = ${address}/0
ms bind msgr2 = false
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms type = async+rdma
ms async rdma device name = uroce0
ms async rdma local gid = 0000:0000:0000:0000:0000:ffff:7f00:0001
ms async rdma support srq = ${String(sharedReceives)}
ms async rdma receive buffers = 16384
ms async rdma receive queue len = 512
ms async rdma buffer size = 65536
ms async rdma send buffers = 512
auth cluster required = none
auth service required = none
auth client required = none
auth supported = none
mon allow pool size one = true
osd pool default size = 1
osd pool default min size = 1
osd objectstore = memstore
memstore device bytes = 1073741824
osd crush chooseleaf type = 0
osd crush update on start = false
osd class update on start = false
osd numa auto affinity = false
mon data = ${folder}/mon
osd data = ${folder}/osd
run dir = ${folder}
admin socket = ${folder}/$name.$pid.asok
log file = ${folder}/$name.log
pid file = ${folder}/$name.pid
`;
}

class Cluster {
  readonly folder = mkdtempSync(join(tmpdir(), 'verbs-ceph-'));
  readonly #daemons: Running[] = [];

  constructor(readonly link: string) {}

  #start(program: string, args: readonly string[], timeoutMs: number): Running {
    return start(program, args, {
      exec: ['--link', this.link],
      env: { CEPH_CONF: join(this.folder, 'ceph.conf') },
      cwd: this.folder,
      timeoutMs,
    });
  }

  /**
   * Runs a client. A client sends its command once it is let in, maybe before it has the map with the cluster's name
   * (fsid).
   */
  async call(program: string, ...args: string[]): Promise<Outcome> {
    for (;;) {
      const outcome = await this.#start(program, args, CALL_MS).finished;
      if (!/wrong fsid/.test(outcome.output)) return outcome;
    }
  }

  async right(program: string, ...args: string[]): Promise<string> {
    const { code, output } = await this.call(program, ...args);
    expect(code, `${program} ${args.join(' ')}: ${output}`).toBe(0);
    return output;
  }

  daemon(program: string, ...args: string[]): void {
    this.#daemons.push(this.#start(program, args, PATIENCE));
  }

  /** Repeats a call until its output holds the text. */
  async until(text: string, program: string, ...args: string[]): Promise<void> {
    for (;;) {
      for (const { child, printed } of this.#daemons) expect(child.exitCode, printed()).toBeNull();
      if ((await this.call(program, ...args)).output.includes(text)) return;
    }
  }

  async end(): Promise<void> {
    for (const { child } of this.#daemons.reverse()) child.kill();
    await Promise.all(this.#daemons.map(({ finished }) => finished));
    rmSync(this.folder, { recursive: true });
  }
}

describe.skipIf(!able)('Ceph', () => {
  let cluster: Cluster | null = null;
  afterEach(() => cluster?.end());

  it.each([
    ['shm', true],
    ['udp', true],
    ['udp', false],
  ])(
    'keeps what it is given over %s (a shared receive queue: %s)',
    { timeout: PATIENCE },
    async (link, sharedReceives) => {
      cluster = new Cluster(link);
      const { folder } = cluster;
      for (const name of ['mon', 'osd']) mkdirSync(join(folder, name));
      const address = `v1:127.0.0.1:${String(nextPort())}`;
      const fsid = randomUUID();
      writeFileSync(join(folder, 'ceph.conf'), settings(folder, fsid, address, sharedReceives));
      await cluster.right('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', `[${address}]`, 'monmap');
      await cluster.right('ceph-mon', '--mkfs', '-i', 'a', '--monmap', 'monmap');
      cluster.daemon('ceph-mon', '-f', '-i', 'a');
      await cluster.until('mon: 1 daemons, quorum a', 'ceph', '--connect-timeout', '8', '-s');
      const osd = randomUUID();
      await cluster.right('ceph', 'osd', 'new', osd);
      await cluster.right('ceph', 'osd', 'crush', 'add', 'osd.0', '1.0', 'root=default', 'host=here');
      await cluster.right('ceph-osd', '--mkfs', '-i', '0', '--osd-uuid', osd);
      cluster.daemon('ceph-osd', '-f', '-i', '0');
      await cluster.until('1 osds: 1 up', 'ceph', '-s');
      await cluster.right('ceph', 'osd', 'pool', 'create', 'pool', '8');

      const object = randomBytes(3_000_000);
      writeFileSync(join(folder, 'in'), object);
      await cluster.right('rados', '-p', 'pool', 'put', 'object', 'in');
      await cluster.right('rados', '-p', 'pool', 'get', 'object', 'out');
      expect(object.equals(readFileSync(join(folder, 'out')))).toBe(true);
      const bench = ['-p', 'pool', 'bench', '2'];
      const written = await cluster.right(
        'rados',
        ...bench,
        'write',
        '-b',
        '65536',
        '-t',
        '8',
        '--no-cleanup',
      );
      expect(written).toMatch(/Total writes made: +[1-9]/);
      expect(await cluster.right('rados', ...bench, 'seq', '-t', '8')).toMatch(/Total reads made: +[1-9]/);
    },
  );
});
