/** Procedures and checks over streams that real endpoints produced; and over the same, damaged in one place. */
import { zTransportResult, type EndpointResult, type TapReport, type Wc } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { LABS, MINIMAL_FLOW_STEPS } from '../src/index.js';
import { loadRecording, replay, type RecordedCall, type Recording } from './replay.js';

function calls(recording: Recording, role: string, op: string): RecordedCall[] {
  return recording.calls.filter((call) => call.role === role && call.op === op);
}

function result<T>(call: RecordedCall | undefined): T {
  if (call?.result === undefined) throw new Error('not recorded');
  return call.result as T;
}

const ids = (lab: string): string[] =>
  LABS.find(({ description }) => description.id === lab)?.description.checks.map(({ id }) => id) ?? [];

describe('the minimal flow, recorded', () => {
  it('passes every check and takes every step', async () => {
    const played = await replay(loadRecording('minimal-flow'));
    expect(played.error).toBeNull();
    expect(played.left).toEqual([]);
    expect(played.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(played.checks.map(({ id }) => id)).toEqual(expect.arrayContaining(ids('minimal-flow')));
    expect(played.steps).toEqual(MINIMAL_FLOW_STEPS.map(({ id }) => id));
    expect(played.draining).toBe(true);
    const write = played.checks.find(({ id }) => id === 'write-packets');
    expect(write?.detail).toMatch(/^WRITE First, WRITE Middle, WRITE Last, answered by \d+ ACK/);
  });

  const damages: [string, string, (recording: Recording) => void][] = [
    [
      'the server holds other bytes',
      'bytes-written',
      (r) => (result<{ sha256: string }>(calls(r, 'server', 'hashMemory')[0]).sha256 = 'other'),
    ],
    [
      'other bytes come back',
      'bytes-read',
      (r) => (result<{ sha256: string }>(calls(r, 'client', 'hashMemory')[1]).sha256 = 'other'),
    ],
    [
      'a completion comes twice',
      'one-completion-each',
      (r) => {
        const [wc] = result<{ completions: Wc[] }>(calls(r, 'client', 'waitCq')[0]).completions;
        result<{ completions: (Wc | undefined)[] }>(calls(r, 'client', 'pollCq')[0]).completions = [wc];
      },
    ],
    [
      'the target has a completion',
      'none-at-target',
      (r) => {
        const [wc] = result<{ completions: Wc[] }>(calls(r, 'client', 'waitCq')[0]).completions;
        result<{ completions: (Wc | undefined)[] }>(calls(r, 'server', 'pollCq')[0]).completions = [wc];
      },
    ],
    [
      'a QP has left RTS',
      'still-connected',
      (r) => (result<{ state: string }>(calls(r, 'server', 'queryQp')[0]).state = 'ERR'),
    ],
    [
      'a packet leaves too early',
      'quiet-setup',
      (r) => {
        const taps = calls(r, 'client', 'tap.flush').map((call) => result<TapReport>(call));
        taps[0]?.list.push(...(taps[1]?.list.slice(0, 1) ?? []));
      },
    ],
    [
      'a packet of the WRITE is missing',
      'write-packets',
      (r) => void result<TapReport>(calls(r, 'client', 'tap.flush')[1]).list.splice(1, 1),
    ],
    [
      'a packet of the READ is missing',
      'read-packets',
      (r) => void result<TapReport>(calls(r, 'client', 'tap.flush')[2]).list.splice(-1, 1),
    ],
    ['an ICRC is wrong', 'icrc', (r) => (result<TapReport>(calls(r, 'client', 'tap.flush')[2]).badIcrc = 1)],
  ];

  it.each(damages)('fails one check when %s', async (_, id, damage) => {
    const recording = loadRecording('minimal-flow');
    damage(recording);
    const played = await replay(recording);
    expect(played.checks.filter(({ ok }) => !ok).map((check) => check.id)).toEqual([id]);
  });

  it('stops at a failed completion and says what it means', async () => {
    const recording = loadRecording('minimal-flow');
    const [wc] = result<{ completions: Wc[] }>(calls(recording, 'client', 'waitCq')[0]).completions;
    if (!wc) throw new Error('no completion');
    wc.status = 10;
    const played = await replay(recording);
    expect(played.error?.code).toBe('COMPLETION');
    expect(played.error?.message).toContain('REM_ACCESS_ERR');
    expect(played.steps.at(-1)).toBe('write');
  });

  it('stops when no completion comes', async () => {
    const recording = loadRecording('minimal-flow');
    result<{ completions: Wc[] }>(calls(recording, 'client', 'waitCq')[0]).completions = [];
    const played = await replay(recording);
    expect(played.error?.message).toContain('Waiting for the completion of the RDMA WRITE failed');
  });

  it('does without a tap and says so', async () => {
    const recording = loadRecording('minimal-flow');
    for (const device of Object.values(recording.devices)) device.capabilities = [];
    const played = await replay(recording);
    expect(played.error).toBeNull();
    expect(played.events).toContainEqual({
      kind: 'note',
      text: expect.stringContaining('no packet tap') as string,
    });
    expect(played.checks.filter(({ applies }) => applies === false).map(({ id }) => id)).toEqual([
      'quiet-setup',
      'write-packets',
      'read-packets',
      'icrc',
    ]);
    expect(played.checks.map(({ id }) => id)).toEqual(ids('minimal-flow'));
  });
});

describe('bulk transfers, recorded', () => {
  it.each(['bulk-write', 'bulk-read'])('%s passes every check', async (name) => {
    const played = await replay(loadRecording(name));
    expect(played.error).toBeNull();
    expect(played.left).toEqual([]);
    expect(played.checks.filter(({ ok }) => !ok)).toEqual([]);
    // Every check is decided, or says why there is nothing to decide.
    expect(played.checks.map(({ id }) => id).sort()).toEqual(ids('bulk').sort());
    for (const { applies, detail } of played.checks)
      if (applies === false) expect(detail).toMatch(/^(TCP was not run|No packets were to be captured)\.$/);
    for (const figures of Object.values(played.transports)) zTransportResult.parse(figures);
    const text = played.events.flatMap((event) => (event.kind === 'note' ? [event.text] : [])).join(' ');
    expect(text).toContain('The client polls');
    expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
  });

  const damages: [string, string, (recording: Recording) => void][] = [
    [
      'the target holds other bytes',
      'bytes-equal',
      (r) => (result<{ sha256: string }>(calls(r, 'server', 'hashMemory')[0]).sha256 = 'other'),
    ],
    [
      'completions are missing',
      'completions',
      (r) =>
        (result<EndpointResult<'loop.wait'>>(calls(r, 'client', 'loop.wait')[0]).whole!.completions! -= 2),
    ],
    [
      'more requests were outstanding than the depth',
      'outstanding',
      (r) =>
        (result<EndpointResult<'loop.wait'>>(calls(r, 'client', 'loop.wait')[0]).whole!.mostOutstanding = 65),
    ],
    [
      'requests failed for good',
      'recovery',
      (r) => {
        const after = result<EndpointResult<'counters'>>(calls(r, 'client', 'counters').at(-1));
        after.values.retry_exceeded_err = 1;
      },
    ],
    [
      'PSNs are out of order',
      'packets',
      (r) => {
        const { list } = result<TapReport>(calls(r, 'client', 'tap.stop')[0]);
        const sent = list.filter(({ direction }) => direction === 'sent');
        if (sent[2]) sent[2].psn = (sent[2].psn + 1000) & 0xff_ffff;
      },
    ],
    [
      'a foreign packet was caught',
      'packets',
      (r) => (result<TapReport>(calls(r, 'client', 'tap.stop')[0]).opcodes['19'] = 1),
    ],
    ['an ICRC is wrong', 'icrc', (r) => (result<TapReport>(calls(r, 'client', 'tap.stop')[0]).malformed = 1)],
    [
      'the split is more than there was',
      'cpu',
      (r) => (result<EndpointResult<'loop.wait'>>(calls(r, 'server', 'loop.wait')[0]).cpu.kernelNs += 2e8),
    ],
    [
      'TCP lost bytes',
      'tcp-bytes',
      (r) =>
        (result<EndpointResult<'loop.wait'>>(calls(r, 'server', 'loop.wait')[1]).whole!.receivedBytes! -= 1),
    ],
  ];

  it.each(damages)('fails one check when %s', async (_, id, damage) => {
    const recording = loadRecording('bulk-write');
    damage(recording);
    const played = await replay(recording);
    expect(played.checks.filter(({ ok }) => !ok).map((check) => check.id)).toEqual([id]);
  });

  it('stops both loops when one failed', async () => {
    const recording = loadRecording('bulk-write');
    const failed = result<EndpointResult<'loop.wait'>>(calls(recording, 'client', 'loop.wait')[0]);
    failed.error = { code: 'COMPLETION', message: 'A WRITE completed with an error.', cure: 'Look.' };
    const stops = calls(recording, 'server', 'loop.stop').length;
    const played = await replay(recording);
    expect(played.error?.message).toBe('A WRITE completed with an error.');
    expect(played.left.filter(({ op }) => op === 'loop.stop').length).toBeLessThan(stops);
    expect(played.transports).toEqual({});
  });
});
