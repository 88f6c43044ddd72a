import { PROGRAM_LAB } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { cpuTitle } from '../src/model/cpu-title';
import { record } from './stream';

const title = (lab: string, endpoints: string[]): string =>
  cpuTitle({ record: record({ lab }), endpoints: new Map(endpoints.map((name) => [name, {} as never])) });

describe('whose CPU a run shows', () => {
  it('is of both ends in a lab, and of the processes of a program', () => {
    expect(title('bulk', ['client', 'server'])).toBe('CPU, both ends');
    expect(title(PROGRAM_LAB, ['pid 16299'])).toBe('CPU of pid 16299');
    expect(title(PROGRAM_LAB, ['pid 1', 'pid 2'])).toBe('CPU of its processes');
    expect(title(PROGRAM_LAB, [])).toBe('CPU of its processes');
  });
});
