/** Runs that were recorded on the embedded device, without what the tests do not read. */
import type { RunEvent, RunRecord } from '@verbslab/protocol';
import { readFileSync } from 'node:fs';
import { RunModel } from '../../src/model/run-model';
import { record } from '../stream';

export type Recorded = 'minimal-flow' | 'srq' | 'pingpong';

export function events(name: Recorded): RunEvent[] {
  const text = readFileSync(new URL(`../recorded/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEvent);
}

/** `until`: only what came before this event. */
export function recorded(name: Recorded, values: Partial<RunRecord> = {}, until = Infinity): RunModel {
  const lab = name === 'pingpong' ? 'program' : name;
  const model = new RunModel(record({ lab, state: until === Infinity ? 'done' : 'running', ...values }));
  for (const event of events(name)) if (event.seq < until) model.event(event);
  return model;
}
