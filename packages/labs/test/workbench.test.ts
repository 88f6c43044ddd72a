/** Results of the checker of the workbench for recorded runs, and for runs that nearly solve a task. */
import { readFileSync } from 'node:fs';
import {
  decodeCompletions,
  decodeHeader,
  decodePackets,
  encodeCompletions,
  encodePackets,
  type RunEvent,
} from '@verbslab/protocol';
import { opcodeInfo, RC } from '@verbslab/roce';
import { describe, expect, it } from 'vitest';
import { findLab } from '../src/index.js';
import { checkTask, findTask, TASKS, type PointResult, type Recorded } from '../src/workbench/catalog.js';

const IDS = TASKS.map(({ id }) => id);

/** A run of `apps/agent/test/workbench-tasks.test.ts`. */
function recorded(name: string): Recorded[] {
  const text = readFileSync(new URL(`./recordings/workbench/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line): Recorded => {
      const item = JSON.parse(line) as RunEvent | { frame: string };
      return 'frame' in item ? Buffer.from(item.frame, 'base64') : item;
    });
}

const solution = (id: string): Recorded[] => recorded(`${id}-solution`);

const faults = (results: readonly PointResult[]): Record<string, string> =>
  Object.fromEntries(results.filter(({ passed }) => !passed).map(({ id, why }) => [id, why ?? '']));

/** The run with other events: null leaves one out. */
const withEvents = (items: readonly Recorded[], change: (event: RunEvent) => RunEvent | null): Recorded[] =>
  items.flatMap((item): Recorded[] => {
    if (item instanceof Uint8Array) return [item];
    const event = change(structuredClone(item));
    return event ? [event] : [];
  });

/** The run with other packets. Bytes begin with the IP header; the BTH is at byte 28. */
const withPackets = (items: readonly Recorded[], change: (bytes: Uint8Array) => void): Recorded[] =>
  items.map((item) => {
    if (!(item instanceof Uint8Array) || decodeHeader(item).kind !== 'packets') return item;
    const packets = decodePackets(item).map((one) => ({ ...one, bytes: one.bytes.slice() }));
    for (const { bytes } of packets) change(bytes);
    const { source, t } = decodeHeader(item);
    return encodePackets({ source, t }, packets);
  });

const BTH = 28;
const AFTER_BTH = BTH + 12;

const setAttribute = (name: string, value: number) => (event: RunEvent) => {
  if (event.kind === 'qp' && name in event.attrs) event.attrs[name] = value;
  return event;
};

describe('the tasks', () => {
  it('have a text, hints, programs and points of their own', () => {
    expect(IDS).toEqual(['set-up', 'send', 'immediate', 'write', 'read', 'atomics', 'clean-up']);
    for (const { id, text, hints, points, starter, solution: solved } of TASKS) {
      expect(text, id).toContain('## What the checker looks at');
      expect(text, id).toContain('## Calls you need');
      expect(text, id).toContain('## Background');
      for (const [, lab] of text.matchAll(/\(lab:([a-z-]+)\)/g))
        expect(findLab(lab!).description.id).toBe(lab);
      expect(hints.length, id).toBeGreaterThanOrEqual(2);
      expect(new Set(points.map((point) => point.id)).size, id).toBe(points.length);
      for (const language of ['typescript', 'c'] as const) {
        expect(starter[language], id).toContain('To do:');
        expect(solved[language], id).not.toContain('To do');
        expect(solved[language], id).not.toContain('link.h');
      }
    }
  });

  it('are unknown by any other name', () => {
    expect(findTask('sing')).toBeUndefined();
    expect(() => checkTask('sing', [])).toThrow('There is no task sing.');
  });
});

describe('the checker', () => {
  it.each(IDS)('passes every point of a solution of %s', (id) => {
    const results = checkTask(id, solution(id));
    expect(faults(results)).toEqual({});
    expect(results.map((one) => one.id)).toEqual(findTask(id)!.points.map((point) => point.id));
  });

  it.each(IDS)('passes no point of %s for a program that does nothing but print', (id) => {
    const printed: RunEvent = { seq: 1, t: 1, kind: 'output', stream: 'stdout', text: 'SUCCESS', bytes: 7 };
    for (const result of checkTask(id, [printed])) expect(result).toMatchObject({ passed: false });
  });

  it.each(IDS.slice(1))('does not pass a solution of another task as one of %s', (id) => {
    for (const other of IDS.filter((one) => one !== id))
      expect(Object.keys(faults(checkTask(id, solution(other)))), other).not.toEqual([]);
  });

  it('names a SEND that came instead of a WRITE', () => {
    expect(faults(checkTask('write', solution('send')))).toMatchObject({
      write: 'The program sent a message “SEND” of 11 bytes instead.',
      bytes: 'The same as for “One RDMA WRITE of 256 bytes”.',
    });
  });
});

describe('a connection with a trap', () => {
  const of = (name: string, value: number): Record<string, string> =>
    faults(checkTask('set-up', withEvents(solution('set-up'), setAttribute(name, value))));

  it('never times out with timeout 0', () => {
    expect(of('timeout', 0)).toEqual({
      timeout: expect.stringMatching(/^QP 0x[0-9a-f]{6} never times out: its timeout is 0\./) as string,
    });
  });
  it('waits long with min_rnr_timer 0', () => {
    expect(of('min_rnr_timer', 0)['rnr-timer']).toContain('655.36 ms');
  });
  it('allows no READ with max_rd_atomic 0, at either end', () => {
    expect(of('max_rd_atomic', 0)['reads']).toContain('can start no READ');
    expect(of('max_dest_rd_atomic', 0)['reads']).toContain('can answer no READ');
  });
  it('drops packets whose PSN the peer does not expect', () => {
    expect(of('sq_psn', 7)['psn']).toContain('starts at PSN 7, but');
  });
  it('has another address at GID index 0', () => {
    const other = withEvents(solution('set-up'), (event) => {
      if (event.kind === 'qp' && 'dgid' in event.attrs) event.attrs['dgid'] = '::1';
      return event;
    });
    expect(faults(checkTask('set-up', other))).toEqual({
      gid: expect.stringContaining('sends to ::1, the GID at index 0.') as string,
    });
  });
  it('is none if a QP stays in RTR', () => {
    const stuck = withEvents(solution('set-up'), (event) =>
      event.kind === 'qp' && event.to === 'RTS' ? null : event,
    );
    expect(faults(checkTask('set-up', stuck))['connected']).toContain('Its states: RESET, INIT, RTR.');
  });
});

/** The number of the first object of a kind that the program created. */
const firstMade = (items: readonly Recorded[], kind: string): number => {
  for (const item of items)
    if (!(item instanceof Uint8Array) && item.kind === 'object' && item.object === kind) return item.number;
  throw new Error(`no ${kind}`);
};

describe('another way to solve a task', () => {
  it('opens the device through the connection manager', () => {
    const cm = withEvents(solution('send'), (event) =>
      event.kind === 'object' && event.object === 'context' ? null : event,
    );
    expect(faults(checkTask('send', cm))).toEqual({});
  });

  it('has a QP that it does not connect, created before the others', () => {
    const items = solution('send');
    const spare = items.flatMap((item): Recorded[] => {
      if (item instanceof Uint8Array || item.kind !== 'object' || item.object !== 'QP') return [item];
      if (item.number !== firstMade(items, 'QP')) return [item];
      return [{ ...item, number: 7 }, item];
    });
    expect(faults(checkTask('send', spare))).toEqual({});
  });

  it('polls what was flushed after it has moved a QP to ERR', () => {
    const items = solution('send');
    const flushed = items.find(
      (item): item is Uint8Array => item instanceof Uint8Array && decodeHeader(item).kind === 'completions',
    )!;
    const columns = decodeCompletions(flushed);
    const { source, t } = decodeHeader(flushed);
    // WR_FLUSH_ERR is status 5, in the second byte.
    const more = encodeCompletions({ source, t }, { ...columns, meta: columns.meta.map(() => 5 << 8) });
    expect(faults(checkTask('send', [...items, more]))).toEqual({});
  });

  it('registers its memory from address 0', () => {
    let from = 0n;
    const zero = withEvents(solution('write'), (event) => {
      if (event.kind === 'object' && event.object === 'MR' && event.attrs['length'] === 4096) {
        from = BigInt(event.attrs['addr'] as string);
        event.attrs['iova'] = '0x0';
      }
      return event;
    });
    const addressed = withPackets(zero, (bytes) => {
      if (bytes[BTH] !== RC.writeOnly) return;
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      view.setBigUint64(AFTER_BTH, view.getBigUint64(AFTER_BTH) - from);
    });
    expect(faults(checkTask('write', addressed))).toEqual({});
  });
});

describe('a program that was stopped', () => {
  it('gets a list of what it had not destroyed', () => {
    const stopped = withEvents(solution('read'), (event) =>
      event.kind === 'object' && event.phase === 'gone' ? null : event,
    );
    expect(faults(checkTask('read', stopped))).toEqual({
      leaks: 'When the program ended, these were not yet destroyed: 2 QPs, 2 MRs, 2 CQs, 1 PD.',
    });
  });
});

describe('a message that is nearly right', () => {
  it('has an immediate in the wrong byte order', () => {
    const reversed = withPackets(solution('immediate'), (bytes) => {
      if (bytes[BTH] === RC.sendOnlyImmediate) bytes.subarray(AFTER_BTH, AFTER_BTH + 4).reverse();
    });
    expect(faults(checkTask('immediate', reversed))).toEqual({
      value:
        'The immediate is 0x04030201, not 0x01020304. The bytes are reversed: convert it to network byte order (htonl in C).',
    });
  });

  it('reads another length', () => {
    const longer = withPackets(solution('read'), (bytes) => {
      // Bytes 12 to 15 of the RETH.
      if (opcodeInfo(bytes[BTH]!)?.operation === 'RDMA READ Request') bytes[AFTER_BTH + 14] = 1;
    });
    expect(faults(checkTask('read', longer))).toEqual({ read: 'It has 256 bytes, not 512.' });
  });

  it('writes to another offset', () => {
    const elsewhere = withPackets(solution('write'), (bytes) => {
      if (bytes[BTH] === RC.writeOnly) bytes[AFTER_BTH + 7]! += 8;
    });
    expect(faults(checkTask('write', elsewhere))).toEqual({ place: 'It begins at offset 1032, not 1024.' });
  });

  it('names the region that it meant by the rkey of another', () => {
    let other = 0;
    const items = withEvents(solution('write'), (event) => {
      if (event.kind === 'object' && event.object === 'MR' && event.attrs['length'] === 256)
        other = event.number;
      return event;
    });
    const wrong = withPackets(items, (bytes) => {
      if (bytes[BTH] === RC.writeOnly)
        new DataView(bytes.buffer, bytes.byteOffset).setUint32(AFTER_BTH + 8, other);
    });
    expect(faults(checkTask('write', wrong))).toEqual({
      place: 'Its address is in the region of 4096 bytes, but its rkey is that of the region of 256 bytes.',
    });
  });

  it('writes another byte', () => {
    const other = withPackets(solution('write'), (bytes) => {
      if (bytes[BTH] === RC.writeOnly) bytes[AFTER_BTH + 16 + 9] = 77;
    });
    expect(faults(checkTask('write', other))).toEqual({ bytes: 'Byte 9 is 77, not 9.' });
  });

  it('reaches a region that allows more than it needs', () => {
    const open = withEvents(solution('write'), (event) => {
      if (event.kind === 'object' && event.object === 'MR' && event.phase === 'made')
        event.attrs['access'] = ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ'];
      return event;
    });
    expect(faults(checkTask('write', open))).toEqual({
      rights: 'A peer that has the rkey could also use REMOTE_READ. Leave out what it does not need.',
    });
  });

  it('arrived before its receive', () => {
    const nak = withPackets(solution('send'), (bytes) => {
      // The syndrome of an RNR NAK that asks for 0.64 ms.
      if (bytes[BTH] === RC.acknowledge) bytes[AFTER_BTH] = 0x2c;
    });
    expect(faults(checkTask('send', nak))['receive']).toContain('RNR NAK');
  });

  it('was acknowledged with a PSN that began again at 0', () => {
    const later = withPackets(solution('send'), (bytes) => {
      const psn = { [RC.sendOnly]: 0xffffff, [RC.acknowledge]: 0 }[bytes[BTH]!];
      if (psn !== undefined) new DataView(bytes.buffer, bytes.byteOffset).setUint32(BTH + 8, psn);
    });
    const unpolled = later.filter(
      (item) => !(item instanceof Uint8Array) || decodeHeader(item).kind !== 'completions',
    );
    expect(Object.keys(faults(checkTask('send', unpolled)))).toEqual(['completions']);
  });

  it('was never polled', () => {
    const unpolled = solution('send').filter(
      (item) => !(item instanceof Uint8Array) || decodeHeader(item).kind !== 'completions',
    );
    expect(faults(checkTask('send', unpolled))['completions']).toContain('No completion of type SEND');
    // The receiver acknowledged the message, so its RECV was posted in time, although the program never polled its
    // completion.
    expect(faults(checkTask('send', unpolled))).not.toHaveProperty('receive');
  });

  it('adds another number', () => {
    const other = withPackets(solution('atomics'), (bytes) => {
      // The last byte of “swap or add” in the AtomicETH.
      if (bytes[BTH] === RC.fetchAdd && bytes[AFTER_BTH + 19] === 7) bytes[AFTER_BTH + 19] = 8;
    });
    expect(faults(checkTask('atomics', other))).toEqual({
      adds: 'The program added 5, then 8, not 5, then 7.',
    });
  });
});

describe('a program that does not clean up', () => {
  it('gets the cure in the words of its language', () => {
    const typescript = withEvents(recorded('clean-up-starter'), (event) => {
      if (event.kind === 'finding' && event.place) event.place.file = 'main.ts';
      return event;
    });
    expect(faults(checkTask('clean-up', typescript))['leaks']).toContain('Call close() on each');
  });

  it('says what is left, which call failed, and the line', () => {
    const results = checkTask('clean-up', recorded('clean-up-starter'));
    expect(faults(results)).toMatchObject({
      cqs: 'ibv_destroy_cq failed: something still uses the object (EBUSY). 1 of 2 destroyed.',
      regions: '1 of 2 destroyed.',
      leaks: expect.stringMatching(/^MR 0x[0-9a-f]{8} of 64 bytes \(main\.c:\d+\), CQ #2/) as string,
    });
    const leaks = results.find(({ id }) => id === 'leaks');
    const line = findTask('clean-up')!.starter.c.split('\n')[leaks!.at!.line - 1];
    expect(leaks?.at?.file).toBe('main.c');
    expect(line).toContain('ibv_reg_mr(link.pd, target,');
  });
});
