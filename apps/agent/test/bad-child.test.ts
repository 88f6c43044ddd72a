import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import type { AppError } from '@verbslab/protocol';
import {
  decodeHeader,
  MAX_JSON_DEPTH,
  parseJson,
  zAgentMessage,
  zEndpointMessage,
  type AgentMessageOf,
} from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AgentClient } from '../src/client/client.js';
import { spawnEndpoint } from '../src/endpoint/index.js';
import { readFrames, readMessages } from '../src/endpoint/wire.js';
import { testAgent, peerAddress } from './helpers/agent.js';
import { helperProgram } from './helpers/programs.js';

const program = { execArgv: [], path: helperProgram('bad-child') };
const badChild = (deed: string): typeof spawnEndpoint => {
  return (options) => spawnEndpoint({ ...options, program, env: { BAD_CHILD: deed } });
};

const DEEDS: [string, RegExp][] = [
  ['frame', /frame that cannot be read \(wrong magic number\)/],
  ['empty', /frame that cannot be read \(shorter than a header\)/],
  ['long frame', /a frame of 4294967295 bytes/],
  ['text', /The message is not JSON/],
  ['deep', /more than \d+ levels deep/],
  ['null', /without the documented form/],
  ['forged', /an endpoint may not report a “run.state” event/],
  ['event', /without the documented form \(events\.0/],
  ['error', /without the documented form \(error/],
];

describe('an endpoint process that sends what it should not', () => {
  it.each(DEEDS)('(%s) ends, with the reason', async (deed, reason) => {
    const events: unknown[] = [];
    const frames: unknown[] = [];
    const endpoint = await badChild(deed)({
      name: 'client',
      device: 'test0',
      clock: 0n,
      onEvents: (some) => events.push(...some),
      onFrame: (frame) => frames.push(frame),
      onLog: () => undefined,
    });
    const refused = endpoint.call('cpu', {}).catch((error: unknown) => (error as AppError).info);
    const exit = await endpoint.exited;
    expect(exit.error).toMatchObject({ code: 'ENDPOINT_BROKEN' });
    expect(exit.error?.message).toMatch(reason);
    expect(await refused).toMatchObject({ code: 'ENDPOINT_BROKEN' });
    expect([events, frames]).toEqual([[], []]);
  });

  it.each(DEEDS.filter(([deed]) => ['frame', 'forged', 'error'].includes(deed)))(
    '(%s) for a peer ends there alone',
    async (deed, reason) => {
      const { agent } = await testAgent({ spawn: badChild(deed) });
      let exited!: (message: AgentMessageOf<'endpoint.exited'>) => void;
      const exit = new Promise<AgentMessageOf<'endpoint.exited'>>((resolve) => (exited = resolve));
      const { client } = await AgentClient.connect(
        peerAddress(agent),
        { onMessage: (message) => message.type === 'endpoint.exited' && exited(message) },
        { as: 'peer' },
      );
      onTestFinished(() => client.close());
      const { endpoint } = await client.request('endpoint.open', {
        run: 'r',
        role: 'client',
        device: 'test0',
        clock: '0',
      });
      client.request('endpoint.call', { endpoint, op: 'cpu', args: {} }).catch(() => undefined);
      const { error } = await exit;
      expect(error).toMatchObject({ code: 'ENDPOINT_BROKEN' });
      expect(error?.message).toMatch(reason);
      expect((await client.request('ping', {})).type).toBe('pong');
    },
  );

  it('has an endless line of its output cut, and what follows is read', async () => {
    const log: string[] = [];
    const endpoint = await badChild('endless line')({
      name: 'client',
      device: 'test0',
      clock: 0n,
      onEvents: () => undefined,
      onFrame: () => undefined,
      onLog: (line) => log.push(line),
    });
    endpoint.call('cpu', {}).catch(() => undefined);
    const { error } = await endpoint.exited;
    expect(error?.detail).toContain('the last words');
    expect(log.at(-1)).toBe('the last words');
    expect(log.at(-2)).toMatch(/^x+ … \(cut after 64 Ki characters\)$/);
    expect(log.at(-2)!.length).toBeLessThan(66_000);
  });

  it('is explained by the signal that the kernel ended it with', async () => {
    const endpoint = await badChild('killed')({
      name: 'client',
      device: 'test0',
      clock: 0n,
      onEvents: () => undefined,
      onFrame: () => undefined,
      onLog: () => undefined,
    });
    endpoint.call('cpu', {}).catch(() => undefined);
    const { error } = await endpoint.exited;
    expect(error).toMatchObject({ code: 'ENDPOINT_DIED' });
    expect(error?.message).toContain('killed by SIGKILL');
    expect(error?.cure).toMatch(/memory runs out.*journalctl -k/);
  });
});

/** Bytes in pieces of any size. */
const pieces = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 });
const seed = Number(process.env.VERBSLAB_SEED ?? Date.now() % 2 ** 31);
console.log(`bad-child seed ${seed}`);
const RUNS = { seed, numRuns: 500 };

describe('what reads bytes from outside', () => {
  const read = (
    reader: typeof readFrames,
    chunks: readonly Uint8Array[],
    onItem: (item: unknown) => void,
  ): string[] => {
    const pipe = new PassThrough();
    const broken: string[] = [];
    reader(pipe, onItem, (reason) => broken.push(reason));
    for (const chunk of chunks) pipe.emit('data', Buffer.from(chunk));
    return broken;
  };

  it('throws nothing, and breaks off once', () => {
    fc.assert(
      fc.property(pieces, (chunks) => {
        expect(read(readFrames, chunks, (frame) => decodeHeader(frame as Uint8Array)).length).toBeLessThan(2);
        expect(read(readMessages as typeof readFrames, chunks, () => undefined).length).toBeLessThan(2);
      }),
      RUNS,
    );
  });

  it('hands on what is whole, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 4 })),
        fc.integer({ min: 1, max: 50 }),
        (values, size) => {
          const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
            bytes.subarray(i * size, (i + 1) * size),
          );
          const got: unknown[] = [];
          expect(read(readMessages as typeof readFrames, chunks, (value) => got.push(value))).toEqual([]);
          expect(got).toEqual(JSON.parse(JSON.stringify(values)));
        },
      ),
      RUNS,
    );
  });

  it('breaks off once when a handler throws', () => {
    const handler = (): never => {
      throw new TypeError('x is not a function');
    };
    const lines = [Buffer.from('1\n2\n'), Buffer.from('3\n')];
    expect(read(readMessages as typeof readFrames, lines, handler)).toEqual([
      'a message that cannot be read (x is not a function)',
    ]);
    const frame = Buffer.from([1, 0, 0, 0, 7, 1, 0, 0, 0, 7]);
    expect(read(readFrames, [frame, frame], handler)).toEqual([
      'a frame that cannot be read (x is not a function)',
    ]);
  });

  it('gives an AppError for text that is not JSON, or nested too deep, and a value for all else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json({ maxDepth: 8 })), (text) => {
        let value: unknown;
        try {
          value = parseJson(text);
        } catch (error) {
          expect((error as AppError).code).toBe('BAD_JSON');
          expect(() => JSON.parse(text) as unknown).toThrow();
          return;
        }
        expect(value).toEqual(JSON.parse(text));
      }),
      RUNS,
    );
    const nested = (depth: number): string => '[{"a":"]}\\\\\\"[["},'.repeat(depth) + '1' + ']'.repeat(depth);
    expect(parseJson(nested(MAX_JSON_DEPTH - 1))).toBeTruthy();
    expect(() => parseJson(nested(MAX_JSON_DEPTH))).toThrow(/levels deep/);
    expect(() => parseJson('['.repeat(100_000))).toThrow(/levels deep/);
    // Brackets in strings are text.
    expect(parseJson(JSON.stringify('['.repeat(5000)))).toHaveLength(5000);
  });

  it('never throws out of a schema', () => {
    const event = fc.record({
      kind: fc.oneof(fc.constantFrom('qp', 'run.state', 'new', '__proto__', 'toString'), fc.jsonValue()),
      t: fc.jsonValue(),
      seq: fc.jsonValue(),
    });
    const message = fc.oneof(
      fc.jsonValue(),
      fc.record({ events: fc.array(event) }),
      fc.record({ type: fc.constantFrom('run.events', 'endpoint.events'), events: fc.array(event) }),
      fc.record({ re: fc.jsonValue(), error: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(message, (value) => {
        zAgentMessage.safeParse(value);
        zEndpointMessage.safeParse(value);
      }),
      RUNS,
    );
  });
});
