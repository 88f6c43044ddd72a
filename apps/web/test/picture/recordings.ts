/** Recordings to test with: the shipped samples, and those of recorded runs. */
import { readdirSync, readFileSync } from 'node:fs';
import { recordingOf } from '../../src/model/picture/recording-of';
import type { Recording } from '../../src/model/picture/recording';
import { recorded, type Recorded } from '../machine/recorded';

const FOLDER = new URL('../../src/model/picture/samples/', import.meta.url);

export const SAMPLE_FILES: readonly string[] = readdirSync(FOLDER).map((file) => file.replace('.json', ''));

export const sampleFile = (name: string): Recording =>
  JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Recording;

const RUNS: readonly Recorded[] = ['minimal-flow', 'srq', 'pingpong'];

export const ALL: readonly (readonly [name: string, recording: Recording])[] = [
  ...SAMPLE_FILES.map((name) => [name, sampleFile(name)] as const),
  ...RUNS.flatMap((name) => {
    const recording = recordingOf(recorded(name), null);
    return recording ? [[`run ${name}`, recording] as const] : [];
  }),
];
