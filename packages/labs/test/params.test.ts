import { AppError, zLabDescription } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { bulk, findLab, LABS, messageBytes, minimalFlow, signalInterval } from '../src/index.js';

function refusal(input: Record<string, unknown>): AppError {
  try {
    bulk.parse(input);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return error as AppError;
  }
  throw new Error('it was accepted');
}

describe('the catalogue', () => {
  it('describes every lab as the protocol has it, and survives JSON', () => {
    for (const { description } of LABS) {
      expect(zLabDescription.parse(JSON.parse(JSON.stringify(description)))).toEqual(description);
    }
  });

  it('gives every parameter a title, a description and a default that is allowed', () => {
    for (const lab of LABS) {
      const properties = lab.description.params.properties as Record<string, Record<string, unknown>>;
      for (const [name, property] of Object.entries(properties)) {
        expect(property, name).toMatchObject({
          title: expect.any(String) as string,
          description: expect.any(String) as string,
        });
        expect(property, name).toHaveProperty('default');
      }
      expect(Object.keys(lab.parse({}) as object)).toEqual(Object.keys(properties));
    }
  });

  it('says which labs there are when asked for another', () => {
    expect(() => findLab('nonsense')).toThrow('There is no lab “nonsense”.');
    expect(findLab('minimal-flow')).toBe(minimalFlow);
  });

  it('names each step and each check once', () => {
    for (const { description } of LABS) {
      for (const list of [description.steps ?? [], description.checks]) {
        const ids = list.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }
    }
  });
});

describe('parameters', () => {
  it.each([
    ['64KiB', 65_536],
    ['64 kib', 65_536],
    ['1M', 1_048_576],
    ['1MB', 1_000_000],
    ['4096', 4096],
    ['1e6', 1_000_000],
  ])('reads the size %s', (text, bytes) => {
    expect(bulk.parse({ size: text }).size).toBe(bytes);
  });

  it('reads times with units', () => {
    expect(bulk.parse({ duration: '1.5 s', omit: '250ms' })).toMatchObject({ duration: 1.5, omit: 0.25 });
    expect(bulk.parse({ duration: '2min' }).duration).toBe(120);
  });

  it.each([
    [{ size: 0 }, 'The parameter “size” is not right: 0 B is too little, the least is 64 B.'],
    [{ size: '1TiB' }, 'The parameter “size” is not right: 1 TiB is too much, the most is 1 GiB.'],
    [{ size: 1024 ** 4 }, 'The parameter “size” is not right: 1 TiB is too much, the most is 1 GiB.'],
    [{ size: 'large' }, 'The parameter “size” is not right: it must be a number, not “large”.'],
    [{ size: null }, 'The parameter “size” is not right: it must be a number, not null.'],
    [{ size: ['1'] }, 'The parameter “size” is not right: it must be a number, not ["1"].'],
    [{ depth: 1.5 }, 'The parameter “depth” is not right: it must be a whole number, not 1.5.'],
    [{ depth: '64KiB' }, 'The parameter “depth” is not right: it must be a number, not “64KiB”.'],
    [{ transport: 'quic' }, 'The parameter “transport” is not right: “quic” is not one of its values.'],
    [{ duration: '-1' }, 'The parameter “duration” is not right: -1 s is too little, the least is 0.200 s.'],
  ])('refuses %j with a sentence', (input, sentence) => {
    const error = refusal(input);
    expect(error.message).toBe(sentence);
    expect(error.code).toBe('BAD_PARAM');
    expect(error.exitCode).toBe(2);
    expect(error.info.cure).toMatch(/the default is .+\.$/);
  });

  it('refuses what is no parameter, also names that objects have by nature', () => {
    for (const name of ['sizes', 'constructor', '__proto__']) {
      const input = JSON.parse(`{"${name}": 1}`) as Record<string, unknown>;
      const error = refusal(input);
      expect(error.code).toBe('UNKNOWN_PARAM');
      expect(error.info.cure).toContain('chunk');
    }
  });

  it('cuts the chunk to the size, and the signalling to the depth', () => {
    expect(messageBytes(bulk.parse({ size: 4096 }))).toBe(4096);
    expect(messageBytes(bulk.parse({}))).toBe(65_536);
    expect(signalInterval(bulk.parse({ depth: 4, signalEvery: 16 }))).toBe(4);
  });
});
