import { AppError, zLabDescription, type LimitedDevice, type PortInfo } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { bulk, findLab, LABS, minimalFlow } from '../src/index.js';

function refusal(input: Record<string, unknown>): AppError {
  try {
    bulk.parse(input);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return error as AppError;
  }
  throw new Error('it was accepted');
}

describe('the catalog', () => {
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
    expect(bulk.parse({ memory: text, size: 64 }).memory).toBe(bytes);
  });

  it('reads times with units', () => {
    expect(bulk.parse({ duration: '1.5 s', omit: '250ms' })).toMatchObject({ duration: 1.5, omit: 0.25 });
    expect(bulk.parse({ duration: '2min' }).duration).toBe(120);
  });

  it.each([
    [{ memory: 0 }, 'The parameter “memory” is invalid: 0 B is below the minimum of 64 B.'],
    [{ memory: '1TiB' }, 'The parameter “memory” is invalid: 1 TiB is above the maximum of 1 GiB.'],
    [{ memory: 1024 ** 4 }, 'The parameter “memory” is invalid: 1 TiB is above the maximum of 1 GiB.'],
    [{ memory: 'large' }, 'The parameter “memory” is invalid: it must be a number, not “large”.'],
    [{ memory: null }, 'The parameter “memory” is invalid: it must be a number, not null.'],
    [{ memory: ['1'] }, 'The parameter “memory” is invalid: it must be a number, not ["1"].'],
    [
      { memory: 1024 ** 3 + 1 },
      'The parameter “memory” is invalid: 1,073,741,825 B is above the maximum of 1 GiB.',
    ],
    [{ depth: 1.5 }, 'The parameter “depth” is invalid: it must be a whole number, not 1.5.'],
    [{ depth: '64KiB' }, 'The parameter “depth” is invalid: it must be a number, not “64KiB”.'],
    [{ transport: 'quic' }, 'The parameter “transport” is invalid: “quic” is not one of its values.'],
    [{ duration: '-1' }, 'The parameter “duration” is invalid: -1 s is below the minimum of 0.2 s.'],
  ])('refuses %j with a sentence', (input, sentence) => {
    const error = refusal(input);
    expect(error.message).toBe(sentence);
    expect(error.code).toBe('BAD_PARAM');
    expect(error.exitCode).toBe(2);
    expect(error.info.cure).toMatch(/the default is .+\.$/);
  });

  it('rejects unknown parameters, including names that every object has', () => {
    for (const name of ['sizes', 'constructor', '__proto__']) {
      const input = JSON.parse(`{"${name}": 1}`) as Record<string, unknown>;
      const error = refusal(input);
      expect(error.code).toBe('UNKNOWN_PARAM');
      expect(error.info.cure).toContain('memory');
    }
  });
});

const ROOM = 2 ** 30;
const LIMITS = {
  ...{ maxMrSize: ROOM, maxQp: ROOM, maxQpWr: ROOM, maxSge: ROOM, maxCq: ROOM, maxCqe: ROOM },
  ...{ maxMr: ROOM, maxPd: ROOM, maxQpRdAtom: ROOM },
};
const PORT: PortInfo = {
  ...{ port: 1, state: 'ACTIVE', linkLayer: 'ethernet', maxMtu: 4096, activeMtu: 4096, gids: [] },
};

describe('rules between parameters', () => {
  const refusal = (ask: () => unknown): string => {
    try {
      ask();
    } catch (error) {
      if (error instanceof AppError) return `${error.message} ${error.info.cure}`;
    }
    return '';
  };
  const parse = (input: Record<string, unknown>) => refusal(() => bulk.parse(input));

  it('are reported before anything starts, with a value that would do', () => {
    expect(parse({ signalEvery: 128, depth: 64 })).toBe(
      'The parameter “signalEvery” is invalid: 128 WRs is more than 64 WRs, what “Depth” allows. ' +
        'Give at most 64 WRs. A send queue whose requests never complete is never freed.',
    );
    expect(parse({ signalEvery: '64', depth: '64' })).toBe('');
    expect(parse({ memory: '4KiB' })).toContain('64 KiB is more than 4 KiB');
    expect(parse({ duration: 0.2 })).toContain('0.2 s is less than 0.7 s');
    expect(parse({ duration: 0.7 })).toBe('');
  });

  it('hold for every device of the run, by the tightest', () => {
    const device = (name: string, over: object, maxMessageSize?: number): LimitedDevice => ({
      name,
      limits: { ...LIMITS, ...over },
      ports: [{ ...PORT, ...(maxMessageSize === undefined ? {} : { maxMessageSize }) }],
    });
    const check = (input: Record<string, unknown>, ...devices: LimitedDevice[]) =>
      refusal(() => bulk.checkDevices(bulk.parse(input), devices));
    const roomy = device('roomy', {}, 2 ** 31);
    expect(check({ depth: 128 }, roomy, device('small', { maxQpWr: 32 }))).toContain(
      '128 WRs is more than 32 WRs, the limit of small',
    );
    expect(check({ depth: 128 }, device('small', { maxCqe: 64 }), roomy)).toContain('the limit of small');
    const large = { memory: '64MiB', size: '64MiB' };
    expect(check(large, device('old', {}))).toBe('');
    expect(check(large, roomy, device('short', {}, 8 * 2 ** 20))).toContain(
      '“size” is invalid: 64 MiB is more than 8 MiB, the limit of short',
    );
    expect(check({ ...large, transport: 'tcp' }, device('short', {}, 8 * 2 ** 20))).toBe('');
    expect(check({ memory: '1MiB' }, device('tiny', { maxMrSize: 65_536 }))).toContain(
      '1 MiB is more than 64 KiB, the limit of tiny',
    );
  });
});
