import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodePackets } from '@verbslab/protocol';
import { LinkType, summarizePacket, writePcapng } from '@verbslab/roce';
import { describe, expect, it, onTestFinished } from 'vitest';
import { meddle, type LabRun } from './endpoint-harness.js';
import { runLab, unmet, unmetUnder } from './helpers/lab-run.js';
import { ownAddress } from './helpers/own-address.js';

// Requests of other programs must not be in the capture.
ownAddress('127.0.0.95');

const ID = 'cm-messages';
const TEXT = readFileSync(join(import.meta.dirname, `../../../packages/labs/src/${ID}/text.md`), 'utf8');

/** Commands of the page, by program, that read a capture. */
const commandsOf = (program: string): string[] =>
  TEXT.split('\n').filter((line) => line.startsWith(`${program} -r run.pcapng`));

/** The run’s capture as a file. */
function captureOf({ recording }: LabRun): string {
  const folder = mkdtempSync(join(tmpdir(), 'verbslab-cm-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const packets = recording.frames
    .filter(({ header }) => header.kind === 'packets')
    .flatMap(({ frame }) => decodePackets(frame))
    // Received ConnectRequests are left out: both processes share an address, so the client's may receive any of them.
    .filter(
      ({ direction, bytes }) =>
        direction === 'sent' || summarizePacket(bytes, LinkType.RAW).cm !== 'ConnectRequest',
    );
  const records = packets.map(({ t, bytes }) => ({ data: bytes, timeNs: BigInt(t) }));
  writeFileSync(join(folder, 'run.pcapng'), writePcapng([{ linkType: LinkType.RAW }], records));
  return folder;
}

/** Output lines of a command of the page. */
function printed(command: string, cwd: string): string[] {
  const { stdout, status, stderr } = spawnSync(command, { shell: true, cwd, encoding: 'utf8' });
  expect(status, `${command}\n${stderr}`).toBe(0);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('the commands on the page', () => {
  it('find the requests and replies of the run, and their private data', async () => {
    const run = await runLab(ID, { connections: 3 });
    expect(unmet(run)).toEqual([]);
    const folder = captureOf(run);
    const [requests, byData, fields, replies] = commandsOf('tshark').map((one) => printed(one, folder));
    for (const found of [requests, byData, fields, replies]) expect(found).toHaveLength(3);
    for (const line of [...requests!, ...byData!]) expect(line).toContain('CM: ConnectRequest');
    const findMe = Buffer.from('find me here').toString('hex');
    for (const line of fields!)
      expect(line).toMatch(
        new RegExp(`^0x000000000106[0-9a-f]{4}\\t0x[0-9a-f]{6}\\t0x[0-9a-f]{6}\\t${findMe}0{88}$`),
      );
    for (const line of replies!) expect(line).toMatch(/^0x[0-9a-f]{6}\t[0-9a-f]{24}0{368}$/);
  });

  it('find them with tcpdump, too', async () => {
    if (spawnSync('tcpdump', ['--version']).error) return;
    const folder = captureOf(await runLab(ID, { connections: 3 }));
    const [all, requests] = commandsOf('tcpdump').map((one) => printed(`${one} -n`, folder));
    // Five messages per connection.
    expect(all).toHaveLength(15);
    expect(requests!.filter((line) => line.includes(' IP '))).toHaveLength(3);
    expect(requests!.filter((line) => /find\.me/.test(line))).toHaveLength(3);
  });
});

describe('the messages of a connection', () => {
  it('are seen to carry other private data than the server’s', async () => {
    const wrong = Buffer.from('00000000deadbeef00000001', 'hex').toString('base64');
    const server = meddle('server', 'cm.serve', (args) => ({ ...args, privateData: wrong }));
    expect(await unmetUnder([server], ID, { connections: 2 })).toEqual(['reply-data']);
  });

  it('are seen to carry other private data than the client’s', async () => {
    const client = meddle('client', 'cm.connectMany', (args) => ({ ...args, privateData: '' }));
    expect(await unmetUnder([client], ID, { connections: 2 })).toEqual(['request-data']);
  });

  it('fail where the WRITE goes elsewhere', async () => {
    const away = meddle('client', 'hand.connectMany', (args) => ({
      ...args,
      request: { ...args.request!, remote: { ...args.request!.remote!, rkey: 1 } },
    }));
    expect(await unmetUnder([away], ID, { connections: 1 })).toEqual(['hand-connected']);
  });
});
