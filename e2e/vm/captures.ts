/** A capture of a machine's link during tests, checked by tshark. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dissect } from '../lib/capture.js';
import type { Link } from './link.js';
import { get, shell, start, until, type End, type Running } from './guest.js';

/** Packets kept of one group: bulk runs would fill the machine’s memory. */
const PACKETS = 60_000;

let groups = 0;

/**
 * Runs `tests` under a capture on eth0 of the machine; the last test dissects it. If the machine is restarted
 * meanwhile, the packets so far are lost, and the capture starts over.
 */
export function captured(name: string, at: () => End, link: Link, tests: () => void): void {
  describe(name, () => {
    let folder: string;
    const path = `/tmp/${(groups += 1)}.pcap`;
    let tcpdump: Running;
    let ignore: () => void;
    let startedOver = false;

    const begin = async (): Promise<void> => {
      const words = `tcpdump -i eth0 -Z root -U -B 16384 -c ${PACKETS} -w ${path} udp port 4791`.split(' ');
      tcpdump = start(at(), words, 600_000);
      await until(at(), `test -s ${path}`, tcpdump);
    };

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vm-capture-'));
      ignore = link.onRestart(async (vm) => {
        if (vm.name !== at().vm.name) return;
        startedOver = true;
        await begin();
      });
      await begin();
    });
    afterAll(async () => {
      ignore();
      tcpdump.kill();
      await shell(at(), `rm -f ${path}`);
      rmSync(folder, { recursive: true, force: true });
    });

    tests();

    it('tshark takes every packet for RoCEv2 and none for malformed', { timeout: 120_000 }, async () => {
      await shell(at(), 'pkill -INT -x tcpdump; while pgrep -x tcpdump >/dev/null; do sleep 0.05; done');
      await tcpdump.finished;
      const file = join(folder, 'capture.pcap');
      writeFileSync(file, await get(at().vm, path));
      const { packets, roce, malformed } = dissect(file);
      const version = execFileSync('tshark', ['--version'], { encoding: 'utf8' }).split('\n', 1)[0];
      expect({ roce, malformed }, version).toEqual({ roce: packets, malformed: [] });
      expect(packets).toBeGreaterThan(startedOver ? 0 : 50);
    });
  });
}
