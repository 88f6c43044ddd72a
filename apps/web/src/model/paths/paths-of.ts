/** The paths of the bytes of a run, from its results, or from its samples while it goes on. */
import { isFinal, LOCAL_HOST, transportName, type Transport } from '@verbslab/protocol';
import { figures } from '../figures';
import type { RunModel } from '../run-model';
import { wayOf, WAYS, type BytePath, type BytePaths } from './byte-path';

/** Transports whose loops report samples and have not ended. */
function movingTransports(model: RunModel): ReadonlySet<Transport> {
  if (isFinal(model.record.state)) return new Set();
  return new Set(
    [...model.sources.values()]
      .filter(({ what, role, source }) => {
        const series = model.series.get(source);
        return what === 'loop' && role === 'client' && series !== undefined && !series.ended;
      })
      .map(({ transport }) => transport),
  );
}

/** Null for a run that moved no bytes by measured transports. */
export function pathsOf(model: RunModel): BytePaths | null {
  const { record, endpoints } = model;
  const ends = record.result?.endpoints ?? [...endpoints.values()];
  const provider =
    ends.find(({ role }) => role === 'client')?.providerClass ?? record.result?.provider ?? null;
  const moving = movingTransports(model);
  const paths = figures(model).flatMap((one): BytePath[] => {
    const { transport, goodputGbps, spread, rounds, cpu } = one;
    const way = wayOf(transport, model.linkOf(transport), provider);
    if (way === null) return [];
    const range = rounds > 1 ? (spread?.goodputGbps ?? null) : null;
    const name = transportName(transport, model.linkOf(transport));
    const isMoving = moving.has(transport);
    return [{ transport, name, way, goodputGbps, spread: range, rounds, cpu, moving: isMoving }];
  });
  if (paths.length === 0) return null;
  const hosts = new Set(ends.map(({ host = LOCAL_HOST }) => host));
  return {
    paths: paths.sort((a, b) => WAYS.indexOf(a.way) - WAYS.indexOf(b.way)),
    // A READ brings the bytes to the client, which asks for them.
    from: record.parameters.operation === 'read' ? 'server' : 'client',
    oneMachine: hosts.size === 0 ? null : hosts.size === 1,
  };
}
