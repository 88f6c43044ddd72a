/** `verbslab decode`: the list, filters, single packets, the diagnosis, and files that it refuses. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { decodeFile, readCapture, writePcap, type Diagnosis } from '@verbslab/roce';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bin } from './helpers/exec.js';
import { expectSentence, home, testdata, verbslab } from './helpers/installed.js';

const LOSS = testdata('rxe-write-8pc-loss.pcap');
const CM = testdata('rxe-verbs-and-cm.pcap');

describe('verbslab decode', () => {
  it.each([
    ['rxe-verbs-and-cm.pcap', 526],
    ['rxe-write-8pc-loss.pcap', 968],
  ])('%s: every packet, no wrong ICRC', async (name, packets) => {
    const list = await verbslab(['decode', testdata(name)]);
    expect(list.code).toBe(0);
    expect(list.out).toMatch(new RegExp(`${packets} packets, \\d+ RoCEv2, 0 with a wrong ICRC, 0 malformed`));
    const json = await verbslab(['decode', testdata(name), '--json']);
    const decoded = JSON.parse(json.out) as {
      packets: { number: number; icrc?: { status: string }; layers: { name: string }[] }[];
    };
    expect(decoded.packets).toHaveLength(packets);
    const roce = decoded.packets.filter(({ icrc }) => icrc);
    expect(roce.length).toBeGreaterThan(100);
    expect(roce.every(({ icrc }) => icrc!.status.startsWith('ok'))).toBe(true);
    expect(roce[0]!.layers.map((layer) => layer.name)).toContain('infiniband.bth');
  });

  it('leaves nothing behind on stdout, however often it is called', async () => {
    const listeners = () => process.stdout.eventNames().map((event) => process.stdout.listenerCount(event));
    await verbslab(['decode', CM]);
    const before = listeners();
    expect((await verbslab(['decode', CM])).err).toBe('');
    expect(listeners()).toEqual(before);
  });

  it.each([[[]], [['-n', '5']], [['--json']]])('says that a full disk took no output (%j)', (options) => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const { status, stderr } = spawnSync(process.execPath, [bin, 'decode', LOSS, ...options], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expectSentence(stderr);
    expect(stderr).toContain('there is no space left');
  });

  it('shows one packet field by field', async () => {
    const { out, code } = await verbslab(['decode', LOSS, '-n', '5']);
    expect(code).toBe(0);
    expect(out).toMatch(/Packet sequence number +8910376 .*infiniband\.bth\.psn/);
    const beyond = await verbslab(['decode', LOSS, '-n', '5000']);
    expect(beyond.code).toBe(2);
    expectSentence(beyond.err);
  });

  it('lists the packets that pass a filter, with their numbers in the file', async () => {
    const filter = 'infiniband.mad.attributeid in {0x10, 0x13}';
    const list = await verbslab(['decode', CM, '--filter', filter]);
    expect(list.code).toBe(0);
    expect(list.out).toContain('8 of 526 packets match the filter, 8 RoCEv2');
    const json = await verbslab(['decode', CM, '--json', '-Y', filter]);
    const { packets } = JSON.parse(json.out) as { packets: { number: number }[] };
    expect(packets.map(({ number }) => number)).toEqual(
      [...list.out.matchAll(/^ *(\d+) +\d+\.\d+ .*RoCEv2/gm)].map((m) => Number(m[1])),
    );
    expect(packets).toHaveLength(8);
    const none = await verbslab(['decode', CM, '--json', '-Y', 'frame.len > 100000']);
    expect((JSON.parse(none.out) as { packets: unknown[] }).packets).toEqual([]);
  });

  it('diagnoses a capture: findings by severity with packets, and the connections', async () => {
    const loss = await verbslab(['decode', LOSS, '--diagnose']);
    expect(loss.code).toBe(0);
    expect(loss.out).toContain('0 errors, 5 warnings, 4 notes');
    expect(loss.out).toMatch(/^warning {2}10\.9\.0\.1 QP 0x00001f answered .* 8 NAKs: PSN sequence error\./m);
    expect(loss.out).toContain('packets 16, 109, 145, 394, 524, 645, 702, 858\n');
    expect(loss.out.indexOf('warning')).toBeLessThan(loss.out.indexOf('note  '));
    expect(loss.out).toMatch(/^10\.9\.0\.2 0x00001f +10\.9\.0\.1 0x00001f +RC +PSNs +1024 +953 +240640 /m);

    const clean = await verbslab(['decode', CM, '--diagnose']);
    expect(clean.out).toContain('Nothing unusual found.\nChecked: ICRC errors, ');
    const json = await verbslab(['decode', CM, '--diagnose', '--json']);
    const { findings, connections, packets } = JSON.parse(json.out) as Diagnosis;
    expect(packets).toBe(526);
    expect(connections).toHaveLength(16);
    expect(findings.every(({ severity }) => severity === 'note')).toBe(true);
  });

  it('diagnoses a cut file up to the cut, and says where that is', async () => {
    const path = join(home(), 'cut.pcap');
    writeFileSync(path, readFileSync(LOSS).subarray(0, 500_000));
    const { code, out } = await verbslab(['decode', path, '--diagnose']);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^The file is damaged at byte 49\d{4}, after packet (\d+): the file ends inside packet \d+ .* What comes before it is diagnosed\.$/m,
    );
    expect(out).toContain('retransmission-nak');
  });

  it('reads a capture that is compressed with gzip, and one from standard input', async () => {
    const path = join(home(), 'loss.pcap.gz');
    const packed = gzipSync(readFileSync(LOSS));
    writeFileSync(path, packed);
    const expected = await verbslab(['decode', LOSS]);
    expect(await verbslab(['decode', path])).toEqual(expected);
    const piped = spawnSync(process.execPath, [bin, 'decode', '-', '--diagnose'], {
      input: packed,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', VERBSLAB_HOME: home() },
    });
    expect(piped.status).toBe(0);
    expect(piped.stdout).toContain('standard input  pcap, 968 packets');

    writeFileSync(path, packed.subarray(0, packed.length / 2));
    const cut = await verbslab(['decode', path, '--diagnose']);
    expect(cut.code).toBe(1);
    expect(cut.out).toMatch(/the gzip data breaks off here \(unexpected end of file\)/);
    expect(cut.out).toContain('retransmission-nak');
  });

  it('reads gzip data of several members whole, and says what follows them', async () => {
    const path = join(home(), 'members.pcap.gz');
    const file = readFileSync(LOSS);
    const members = [0, 1, 2].map((k) =>
      gzipSync(file.subarray((k * file.length) / 3, ((k + 1) * file.length) / 3)),
    );
    writeFileSync(path, Buffer.concat([...members, Buffer.alloc(512)]));
    const whole = await verbslab(['decode', path]);
    expect(whole.code).toBe(0);
    expect(whole.out).toBe((await verbslab(['decode', LOSS])).out);
    writeFileSync(path, Buffer.concat([...members, Buffer.from('garbage')]));
    const { out, code } = await verbslab(['decode', path, '--diagnose']);
    expect(code).toBe(1);
    expect(out).toContain('pcap, 968 packets');
    expect(out).toMatch(/the gzip data breaks off here \(.*what follows is no gzip data\)/);
  });

  it('refuses gzip data that unpacks to more than it can hold', async () => {
    const path = join(home(), 'bomb.pcap.gz');
    // The members follow one another: 1.25 GiB of zeros in 1.2 MiB.
    const member = gzipSync(Buffer.alloc(1 << 26));
    writeFileSync(path, Buffer.concat(Array.from({ length: 20 }, () => member)));
    const { code, err } = await verbslab(['decode', path]);
    expect(code).toBe(2);
    expect(err).toContain('it unpacks to more than 1 GiB');
  });

  it('follows the connections for a filter by the role of a packet', async () => {
    const { out, code } = await verbslab(['decode', LOSS, '-Y', 'vl.retransmission && !vl.nak']);
    expect(code).toBe(0);
    const { retransmissions } = decodeFile(new Uint8Array(readFileSync(LOSS))).summary;
    expect(out).toContain(`${retransmissions} of 968 packets match the filter`);
  });

  it('diagnoses only the packets that pass a filter, and says so', async () => {
    const { out, code } = await verbslab(['decode', LOSS, '--diagnose', '-Y', 'frame.number in {3..599}']);
    expect(code).toBe(0);
    expect(out).toContain('Only the packets that match the filter are diagnosed, 597 of 968');
    // The numbers stay those of the file.
    expect(out).toContain('packets 16, 109, 145, 394, 524\n');
    const json = await verbslab(['decode', LOSS, '--diagnose', '--json', '-Y', 'ip.src == 1.2.3.4']);
    expect(JSON.parse(json.out)).toMatchObject({
      filter: 'ip.src == 1.2.3.4',
      packetsInFile: 968,
      packets: 0,
    });
  });

  it('reads RoCE on the UDP ports of --port', async () => {
    const path = join(home(), 'port.pcap');
    const { records } = readCapture(new Uint8Array(readFileSync(LOSS)));
    const moved = records.slice(0, 20).map((record) => {
      const data = record.data.slice();
      data.set([0x12, 0xb8], 36);
      return { ...record, data };
    });
    writeFileSync(path, writePcap(1, moved));
    const none = await verbslab(['decode', path, '--diagnose']);
    expect(none.out).toContain('No RoCE packet in 20: nothing was diagnosed.');
    expect(none.out).not.toContain('Nothing unusual');
    expect((await verbslab(['decode', path, '--port', '1021,4792'])).out).toContain('20 packets, 20 RoCEv2');
    const filtered = await verbslab(['decode', path, '--port', '4792', '-Y', 'infiniband']);
    expect(filtered.out).toContain('20 of 20 packets match the filter, 20 RoCEv2');
  });

  it('refuses a file of a link type that it does not read, once', async () => {
    const path = join(home(), 'radio.pcap');
    writeFileSync(path, writePcap(127, [{ timeNs: 0n, data: new Uint8Array(60) }]));
    for (const more of [[], ['--diagnose'], ['--json']]) {
      const { code, out, err } = await verbslab(['decode', path, ...more]);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('its link type 127 (IEEE 802.11 radiotap) is not supported');
    }
  });

  it('prints lengths as Wireshark does', async () => {
    const { out } = await verbslab(['decode', CM, '--json', '-Y', 'tcp']);
    const { packets } = JSON.parse(out) as { packets: { layers: { fields: Record<string, number> }[] }[] };
    const fields = Object.assign({}, ...packets[0]!.layers.map((layer) => layer.fields)) as Record<
      string,
      number
    >;
    expect(fields['ip.hdr_len']).toBe(20);
    expect(fields['tcp.hdr_len']).toBe(40);
  });

  it('says where a filter is wrong, and what to write', async () => {
    const { code, err } = await verbslab(['decode', '/dev/null', '-Y', 'ip && infiniband.bth.opcod == 17']);
    expect(code).toBe(2);
    expect(err).toContain('at character 7: `infiniband.bth.opcod` is not a field.');
    expect(err).toContain('Did you mean `infiniband.bth.opcode`?');
  });
});
