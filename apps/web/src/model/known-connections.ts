import type { KnownConnection } from '@verbslab/roce';
import type { RunModel } from './run-model';

interface End {
  endpoint: string;
  qpn: number;
  peerQpn: number;
  gids: readonly string[];
}

/** The number of the peer's QP, as `ibv_modify_qp` set it. */
function peerOf(attrs: Readonly<Record<string, unknown>>): number | null {
  const peer = attrs.dest_qp_num;
  return typeof peer === 'number' ? peer : null;
}

function ends(model: RunModel): End[] {
  const found = new Map<string, End>();
  const add = (endpoint: string, qpn: number, attrs: Readonly<Record<string, unknown>>): void => {
    const peerQpn = peerOf(attrs);
    if (peerQpn === null) return;
    const gid = model.gids.get(endpoint);
    const gids = gid === undefined ? (model.endpoints.get(endpoint)?.gids ?? []) : [gid];
    found.set(`${endpoint} ${qpn}`, { endpoint, qpn, peerQpn, gids });
  };
  for (const e of model.trace) if (e.kind === 'qp') add(e.endpoint ?? '', e.qpn, e.attrs);
  for (const o of model.objects.all) if (o.kind === 'QP') add(o.endpoint, o.number, o.connection);
  return [...found.values()];
}

/** Connections of which the run knows both ends, so that they need not be found in its packets. */
export function knownConnections(model: RunModel): KnownConnection[] {
  const all = ends(model);
  const byQpn = new Map<number, { end: End; place: number }[]>();
  all.forEach((end, place) => {
    const list = byQpn.get(end.qpn);
    if (list) list.push({ end, place });
    else byQpn.set(end.qpn, [{ end, place }]);
  });
  return all.flatMap((a, place) =>
    (byQpn.get(a.peerQpn) ?? [])
      .filter(({ end: b, place: other }) => other >= place && b.peerQpn === a.qpn)
      // Without a GID in common with its packets a connection is found as in any capture.
      .flatMap(({ end: b }) =>
        a.gids.flatMap((from) =>
          b.gids.map((to): KnownConnection => ({
            ends: [
              { ip: from, qpn: a.qpn, name: a.endpoint },
              { ip: to, qpn: b.qpn, name: b.endpoint },
            ],
          })),
        ),
      ),
  );
}
