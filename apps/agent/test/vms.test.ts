/** Parts of the virtual machines, without starting one; e2e/vm starts them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { cpio, directory, file, link } from '../src/vms/cpio.js';
import { FrameReader, frame } from '../src/vms/exec-frames.js';
import { l2Address, vmName } from '../src/vms/machine.js';
import { netemSettings, netemWords } from '../src/vms/netem.js';
import { projectFolder, vmsFolder } from '../src/vms/paths.js';
import { end, isAlive, startDetached } from '../src/vms/process.js';
import { findTool } from '../src/vms/requirements.js';
import { shares } from '../src/vms/shares.js';
import { findVm, readState, removeState, writeState, type VmsState } from '../src/vms/state.js';
import { status } from '../src/vms/status.js';

const home = mkdtempSync(join(tmpdir(), 'verbslab-vms-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const door = (port: number) => ({ address: '127.0.0.1', port, token: 't'.repeat(32) });
const stateOf = (count: number): VmsState => ({
  version: 1,
  accel: 'tcg',
  kernel: '6.1.0-1-amd64',
  cpus: 1,
  memory: 512,
  mtu: 1500,
  vms: Array.from({ length: count }, (_, index) => ({
    name: vmName(index),
    index,
    pid: 0,
    startTime: '',
    startedAt: 0,
    agent: { ...door(20_000 + index), fingerprint: 'f'.repeat(64) },
    exec: door(21_000 + index),
    ...l2Address(index),
  })),
});

describe('the initramfs', () => {
  it.skipIf(!findTool('busybox'))('is an archive as cpio(1) reads it', () => {
    const archive = cpio([
      directory('bin'),
      file('bin/x', 'abcde', 0o755),
      link('sbin', 'bin'),
      file('y', ''),
    ]);
    const out = execFileSync('busybox', ['cpio', '-itv'], { input: archive, encoding: 'utf8' });
    expect(out).toMatch(/^drwxr-xr-x .* bin$/m);
    expect(out).toMatch(/^-rwxr-xr-x .* 5 .* bin\/x$/m);
    expect(out).toMatch(/^lrwxrwxrwx .* sbin -> bin$/m);
    expect(out).toMatch(/^-rw-r--r-- .* 0 .* y$/m);
  });
});

describe('what the machines see of this host', () => {
  it('is not a home, /etc or a repository', () => {
    const paths = shares().map(({ path }) => path);
    expect(paths).toContain('/usr');
    const system = /^\/(usr|bin|sbin|lib|lib32|lib64)$/;
    const project = new RegExp(`^${projectFolder}/(node_modules|packages|native|apps/[a-z/]+)$`);
    for (const path of paths.filter((one) => one !== dirname(process.execPath)))
      expect(system.test(path) || project.test(path), path).toBe(true);
    expect(new Set(shares().map(({ tag }) => tag)).size).toBe(paths.length);
    for (const { tag } of shares()) expect(tag.length).toBeLessThanOrEqual(31);
  });
});

describe('frames of the command channel', () => {
  it('come out as they went in, however the stream is cut', () => {
    const one = fc.record({
      kind: fc.integer({ min: 0, max: 4 }),
      payload: fc.uint8Array({ maxLength: 300 }),
    });
    fc.assert(
      fc.property(fc.array(one), fc.integer({ min: 1, max: 40 }), (frames, cut) => {
        const stream = Buffer.concat(frames.map(({ kind, payload }) => frame(kind, payload)));
        const reader = new FrameReader();
        const got: { kind: number; payload: number[] }[] = [];
        for (let at = 0; at < stream.length; at += cut)
          for (const { kind, payload } of reader.read(stream.subarray(at, at + cut)))
            got.push({ kind, payload: [...payload] });
        expect(got).toEqual(frames.map(({ kind, payload }) => ({ kind, payload: [...payload] })));
      }),
    );
  });

  it('random bytes end in an error or in waiting, never in a hang', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          for (const { payload } of new FrameReader().read(Buffer.from(bytes)))
            expect(payload.length).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});

describe('netem', () => {
  it('speaks tc', () => {
    expect(netemWords(['loss=1%', 'delay=5ms', 'jitter=1ms']).join(' ')).toBe(
      'limit 10000 delay 5ms 1ms loss 1%',
    );
    expect(netemWords(['delay=1ms', 'reorder=25%', 'limit=50']).join(' ')).toBe(
      'limit 50 delay 1ms reorder 25%',
    );
  });

  it.each([
    ['los=1%', /no impairment “los”/],
    ['loss=1', /“loss=1” is not valid; an example is loss=1%/],
    ['delay=5ms; reboot', /“delay=5ms; reboot” is not valid; an example is delay=5ms/],
    ['jitter=1ms', /jitter needs a delay/],
    ['reorder=5%', /reorder needs a delay/],
  ])('refuses %s', (setting, message) => {
    expect(() => netemWords([setting])).toThrow(message);
  });

  it('does what the sliders of a run ask for', () => {
    const rates = { drop: 0.0001, duplicate: 0.5, corrupt: 0.05, reorder: 0.02 };
    const shaping = { delayUs: 1500, jitterUs: 200, rateBps: 1e9, limit: 50 };
    expect(netemWords(netemSettings({ rates, shaping })).join(' ')).toBe(
      'limit 50 delay 1500us 200us loss 0.0100% duplicate 50.0000% corrupt 5.0000% reorder 2.0000% rate 1000000000bit',
    );
    expect(netemSettings({ rates: { drop: 0, seed: '0x1' }, rules: [], shaping: {} })).toEqual([]);
  });

  it.each([
    [{ rules: [{ action: 'drop' as const }] }, /has no rules/],
    [{ rates: { mark: 0.5 } }, /marks only what it would lose/],
    [{ rates: { delay: 0.5, delayUs: 10 } }, /delays all packets or none/],
    [{ rates: { reorder: 0.1 } }, /set a delay too/],
  ])('refuses %j', (faults, message) => {
    expect(() => netemSettings(faults)).toThrow(message);
  });
});

describe('the state', () => {
  it('is kept for its owner alone and found again', () => {
    const folder = vmsFolder(home);
    expect(readState(folder)).toBeNull();
    writeState(folder, stateOf(2));
    expect(readState(folder)).toEqual(stateOf(2));
    expect(() => findVm(readState(folder), 'z')).toThrow(/no virtual machine “z”/);
    removeState(folder);
    expect(() => findVm(readState(folder), 'a')).toThrow(/No virtual machine is up/);
  });

  it('shows a machine without its process as crashed', async () => {
    const folder = vmsFolder(home);
    writeState(folder, stateOf(1));
    expect((await status(folder))?.vms[0]).toMatchObject({ name: 'a', condition: 'crashed' });
    removeState(folder);
  });
});

describe('a process that outlives its starter', () => {
  it('is known by id and start time, and ends on request', async () => {
    const id = await startDetached('sleep', ['600'], home, 'log');
    expect(isAlive(id)).toBe(true);
    expect(isAlive({ ...id, startTime: '1' })).toBe(false);
    await end(id);
    expect(isAlive(id)).toBe(false);
  });
});
