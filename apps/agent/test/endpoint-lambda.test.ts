/** Functions of a peer, in the sandbox of an endpoint: none may reach beyond its memory, its time and its sandbox. */
import type { EndpointArgs } from '@verbslab/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assemble, wasm as w } from '../../../packages/labs/src/lambda/assemble.js';
import { FUNCTIONS } from '../../../packages/labs/src/lambda/functions.js';
import * as hostile from '../../../packages/labs/src/lambda/hostile.js';
import { newSigner, openImage, signImage } from '../src/endpoint/lambda/image.js';
import type { HostedEndpoint } from '../src/endpoint/hosted-endpoint.js';
import { Recording } from './endpoint-harness.js';

const MIB = 2 ** 20;
const SIZE = MIB;
/** Offsets in the region of an image, of the input and of the output. */
const [IMAGE, INPUT, OUTPUT] = [0, 512 * 1024, 768 * 1024];
const sum = FUNCTIONS[0].module;

let endpoint: HostedEndpoint;
let mr: number;
beforeAll(async () => {
  endpoint = await new Recording().spawn('target');
  const { pd } = await endpoint.call('allocPd', {});
  ({ mr } = await endpoint.call('regMr', { pd, length: SIZE, access: ['LOCAL_WRITE'] }));
});
afterAll(() => endpoint.close(2000));

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

async function place(image: Uint8Array): Promise<void> {
  await endpoint.call('writeMemory', { mr, offset: IMAGE, base64: base64(image) });
}

/** Signs a module, and loads it as the target of a WRITE would. */
async function load(module: Uint8Array, over: Partial<EndpointArgs<'lambda.load'>> = {}) {
  const { image, publicKey } = await endpoint.call('lambda.sign', {
    module: base64(module),
    signer: 'own',
  });
  const bytes = Buffer.from(image, 'base64');
  await place(bytes);
  return endpoint.call('lambda.load', {
    image: { mr, offset: IMAGE, length: bytes.length },
    trusted: [publicKey],
    memoryBytes: 4 * MIB,
    timeMs: 300,
    ...over,
  });
}

async function run(lambda: number, input: readonly number[] = [], room = 64, over = {}) {
  const words = new Uint8Array(Uint32Array.from(input).buffer);
  if (words.length > 0) await endpoint.call('writeMemory', { mr, offset: INPUT, base64: base64(words) });
  const ran = await endpoint.call('lambda.run', {
    lambda,
    input: { mr, offset: INPUT, length: words.length },
    output: { mr, offset: OUTPUT, length: room },
    ...over,
  });
  const { base64: read } = await endpoint.call('readMemory', { mr, offset: OUTPUT, length: room });
  return { ...ran, output: Buffer.from(read, 'base64').subarray(0, ran.bytes) };
}

async function codeOf(module: Uint8Array, over?: Partial<EndpointArgs<'lambda.load'>>): Promise<unknown> {
  try {
    const { lambda } = await load(module, over);
    try {
      await run(lambda);
    } finally {
      await endpoint.call('lambda.unload', { lambda });
    }
    return 'ran';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

/** Expects that the endpoint still works, after any of the functions. */
async function stillWorks(): Promise<void> {
  const { lambda } = await load(sum, { timeMs: 5000 });
  expect((await run(lambda, [1, 2, 0xffff_ffff])).output.readBigUInt64LE()).toBe(2n + (1n << 32n));
  await endpoint.call('lambda.unload', { lambda });
}

describe('a signed image', () => {
  const signer = newSigner();
  const image = (): Buffer => signImage(sum, signer);
  const opened = (bytes: Uint8Array, trusted = [signer.publicKey]) => openImage(bytes, trusted);

  it('opens to its module, also with other bytes behind it', () => {
    expect(Buffer.compare(opened(image()), sum)).toBe(0);
    expect(Buffer.compare(opened(Buffer.concat([image(), Buffer.alloc(100, 7)])), sum)).toBe(0);
  });

  it('is refused after a change of any bit that matters', () => {
    const whole = image();
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 1 << (at % 8);
      expect(() => opened(changed), `byte ${at}`).toThrow(/refused/);
    }
  });

  it('is a copy, so that a later WRITE of the peer changes nothing', () => {
    const memory = image();
    const module = opened(memory);
    memory.fill(0);
    expect(Buffer.compare(module, sum)).toBe(0);
  });

  it('is refused in pieces, and where it claims more than there is', () => {
    const whole = image();
    for (const length of [0, 3, 39, 103, whole.length - 1])
      expect(() => opened(whole.subarray(0, length))).toThrow(/refused/);
    whole.writeUInt32LE(0xffff_ffff, 4);
    expect(() => opened(whole)).toThrow(/4294967295 bytes/);
  });

  it('is refused without a signature, and by who does not trust the signer', () => {
    const unsigned = image().fill(0, 40, 104);
    expect(() => opened(unsigned)).toThrow(/no signature/);
    expect(() => opened(sum)).toThrow(/no signature/);
    expect(() => opened(image(), [newSigner().publicKey])).toThrow(/does not trust/);
    expect(() => opened(image(), [])).toThrow(/does not trust/);
  });
});

describe('the sandbox', () => {
  it('runs each function of the labs, several times and with several at once', async () => {
    const words = Array.from({ length: 5000 }, (_, i) => Math.imul(i + 1, 0x9e37_79b1) >>> 0);
    const loaded = await Promise.all(FUNCTIONS.slice(0, 1).map(({ module }) => load(module)));
    for (const { module, answer } of FUNCTIONS) {
      const { lambda, verifyNs, compileNs, moduleBytes } = await load(module, { timeMs: 5000 });
      for (let i = 0; i < 3; i++) {
        const { output, runNs, totalNs } = await run(lambda, words);
        expect([...output]).toEqual([...answer(Uint32Array.from(words))]);
        expect(totalNs).toBeGreaterThan(runNs);
      }
      expect(Math.min(verifyNs, compileNs)).toBeGreaterThan(0);
      expect(moduleBytes).toBe(module.length);
      await endpoint.call('lambda.unload', { lambda });
    }
    for (const { lambda } of loaded) await endpoint.call('lambda.unload', { lambda });
  });

  it.each([
    ['text', hostile.notModule, 'LAMBDA_NOT_MODULE'],
    ['half a module', sum.subarray(0, 40), 'LAMBDA_NOT_MODULE'],
    ['a module that imports a function', hostile.importing('system'), 'LAMBDA_IMPORTS'],
    ['a module without a memory to import', Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0), 'LAMBDA_IMPORTS'],
    [
      'a module with a memory of its own',
      Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 0, 1),
      'LAMBDA_IMPORTS',
    ],
    [
      'a module with a huge table',
      Uint8Array.of(
        ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
        ...[2, 15, 1, 3, 0x65, 0x6e, 0x76, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0, 0],
        ...[4, 4, 1, 0x70, 0, 1],
      ),
      'LAMBDA_MEMORY',
    ],
    [
      'a module without run',
      Uint8Array.of(
        ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
        ...[2, 15, 1, 3, 0x65, 0x6e, 0x76, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0, 0],
      ),
      'LAMBDA_EXPORTS',
    ],
    ['a module that declares 1 GiB', hostile.declaring(hostile.TOO_MUCH_MEMORY), 'LAMBDA_MEMORY'],
    ['a loop without end', hostile.looping, 'LAMBDA_TIME'],
    ['a read behind its memory', hostile.straying, 'LAMBDA_TRAP'],
    ['a call of itself without end', hostile.recursing, 'LAMBDA_TRAP'],
    ['1 GiB of claimed output', hostile.claiming(1 << 30), 'LAMBDA_RESULT'],
    ['one byte of output too much', hostile.claiming(65), 'LAMBDA_RESULT'],
    ['−1 bytes of output', hostile.claiming(-1), 'LAMBDA_RESULT'],
  ])('refuses or stops %s, and goes on', async (_, module, code) => {
    expect(await codeOf(module)).toBe(code);
    await stillWorks();
  });

  it('gives a module that grows its memory no more than the limit', async () => {
    const { lambda } = await load(hostile.growing);
    const { output, memoryBytes } = await run(lambda);
    expect([output.readUInt32LE() * 65_536, memoryBytes]).toEqual([4 * MIB, 4 * MIB]);
    await endpoint.call('lambda.unload', { lambda });
  });

  it('counts input and output as memory', async () => {
    const { lambda } = await load(sum, { memoryBytes: 65_536 });
    await expect(run(lambda, [1])).rejects.toMatchObject({ code: 'LAMBDA_MEMORY' });
    await endpoint.call('lambda.unload', { lambda });
  });

  it('limits the start of a module as well as its calls', async () => {
    // The start section names function 0, of type () -> (), which loops.
    const starting = Uint8Array.of(
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...[1, 4, 1, 0x60, 0, 0],
      ...[2, 15, 1, 3, 0x65, 0x6e, 0x76, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0, 0],
      ...[3, 2, 1, 0, 8, 1, 0],
      ...[10, 9, 1, 7, 0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b],
    );
    expect(await codeOf(starting)).toBe('LAMBDA_TIME');
    await stillWorks();
  });

  it('shows one function nothing of another one’s memory', async () => {
    // Answers with the first word of its input area if it got no input.
    const peeking = assemble({ body: [w.get(2), w.get(0), w.load(), w.store(), w.i32(4)] });
    const { lambda } = await load(sum);
    await run(lambda, [0x5ec2_e7]);
    await endpoint.call('lambda.unload', { lambda });
    const { lambda: other } = await load(peeking);
    expect([...(await run(other)).output]).toEqual([0, 0, 0, 0]);
    await endpoint.call('lambda.unload', { lambda: other });
  });

  it('keeps what it answers within the output, and what it reads within the input', async () => {
    const { lambda } = await load(sum);
    const beyond = { mr, offset: SIZE - 8, length: 16 };
    await expect(run(lambda, [], 64, { input: beyond })).rejects.toMatchObject({ code: 'LIMIT' });
    await expect(run(lambda, [], 64, { output: beyond })).rejects.toMatchObject({ code: 'LIMIT' });
    await expect(run(4711)).rejects.toMatchObject({ code: 'BAD_HANDLE' });
    await endpoint.call('lambda.unload', { lambda });
    await expect(run(lambda)).rejects.toMatchObject({ code: 'BAD_HANDLE' });
  });

  it('refuses limits beyond what an endpoint allows to anybody', async () => {
    await expect(load(sum, { memoryBytes: 2 ** 31 })).rejects.toMatchObject({ code: 'BAD_MESSAGE' });
    await expect(load(sum, { timeMs: 3_600_000 })).rejects.toMatchObject({ code: 'BAD_MESSAGE' });
    for (let i = 0; i < 8; i++) await load(sum, { timeMs: 5000 });
    await expect(load(sum)).rejects.toMatchObject({ code: 'LIMIT' });
  });
});
