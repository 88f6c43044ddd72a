import type { ComparedRun } from '@verbslab/labs';
import { isEmpty, type RunResult, type TransportResult } from '@verbslab/protocol';
import { figures, type TransportFigures } from '../../model/figures';
import type { RunModel } from '../../model/run-model';
import { placesOf, providersOf } from '../../parts/run/run-provider';

/** Result so far of a run in progress. */
function soFar(one: TransportFigures, model: RunModel): TransportResult | null {
  if (one.goodputGbps === null || one.messagesPerSecond === null) return null;
  const link = model.linkOf(one.transport);
  return {
    ...(link ? { link } : {}),
    goodputGbps: one.goodputGbps,
    messagesPerSecond: one.messagesPerSecond,
    cpuSecondsPerGB: one.cpu,
    latencyUs: one.latency,
    bytes: one.each.reduce((sum, { bytes }) => sum + bytes, 0),
    messages: one.each.reduce((sum, { messages }) => sum + messages, 0),
    seconds: one.each.reduce((sum, { seconds }) => sum + seconds, 0),
    ...(one.each.length > 0 ? { rounds: [...one.each] } : {}),
    ...(one.spread ? { spread: one.spread } : {}),
    partial: true,
  };
}

/** A run in comparable form: its result, or the result so far while it is in progress. */
export function asFound(model: RunModel): ComparedRun {
  const { record, results } = model;
  if (record.result) return { record };
  const transports: RunResult['transports'] = {};
  for (const one of figures(model)) {
    const result = soFar(one, model);
    if (result) transports[one.transport] = result;
  }
  const places = placesOf(model);
  const result: RunResult = {
    lab: record.lab,
    state: record.state,
    provider: providersOf(model)[0] ?? null,
    device: places[0]?.device ?? null,
    ...(model.links.length > 0 ? { links: [...model.links] } : {}),
    ...(places.length > 0 ? { endpoints: places } : {}),
    parameters: record.parameters,
    transports,
    checks: [],
    ...(isEmpty(results) ? {} : { results }),
    captureFile: null,
  };
  return { record: { ...record, result }, results };
}
