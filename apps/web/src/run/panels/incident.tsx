'use client';
import { findingText } from '@verbslab/protocol';
import { incidentTitle, type ProblemOf } from '@verbslab/report/failure';
import { useMemo } from 'react';
import { runPackets } from '../../model/packet-rows';
import { count } from '../../format/number';
import { Explained } from '../../ui/explained';
import { Words } from '../../ui/words';
import { incidentPackets } from '../../model/incident-packets';
import type { RunModel } from '../../model/run-model';
import { workRowId } from '../../model/work-row';
import { useShowPacket } from '../../parts/run/show-packet';

const link = 'inline-flex min-h-8 items-center text-accent hover:underline pointer-coarse:min-h-11';

/** A failed request: its name, the reason, the place of its post, and links to its packets. */
export function IncidentStory({ incident, model }: { incident: ProblemOf; model: RunModel }) {
  const { failed, refused, parts } = incident;
  const show = useShowPacket();
  const rows = runPackets(model.packets);
  const { length } = rows;
  // Search again only if there are new packets.
  // oxlint-disable-next-line react/exhaustive-deps
  const packets = useMemo(() => incidentPackets(rows, incident), [rows, length, failed, refused]);
  const request = failed?.request ?? refused?.request;
  const t = Math.min(...parts.map((p) => p.t));
  const phase = model.phases.at(t);
  const endpoints = [...new Set(parts.flatMap(({ endpoint }) => endpoint ?? []))];
  const place = failed?.where ?? null;
  const row =
    request?.wrId !== undefined &&
    model.lives.some((wr) => wr.qpn === request.qpn && String(wr.wrId) === request.wrId)
      ? workRowId(request.qpn, request.wrId)
      : null;
  // The side that refused knows the fix.
  const cure = refused?.cure ?? failed?.cure;
  return (
    <div data-shows="incident">
      <p className="font-medium text-error-ink">{incidentTitle(incident)}</p>
      {failed && failed.id !== 'request-failed' ? (
        <p>
          <Words>{findingText(failed)}</Words>
        </p>
      ) : place !== null ? (
        <p>
          Posted by{' '}
          <span className="num text-12 font-semibold">
            {failed?.place?.file ? <Explained meaning={failed.place.file}>{place}</Explained> : place}
          </span>
          .
        </p>
      ) : null}
      {refused ? (
        <p>
          <Words>{findingText(refused)}</Words>
        </p>
      ) : failed?.id === 'request-failed' ? (
        <p>
          <Words>{`${failed.detail}.`}</Words>
        </p>
      ) : null}
      {cure ? (
        <p className="font-medium">
          <Words>{cure}</Words>
        </p>
      ) : null}
      <p className="flex flex-wrap gap-x-4">
        {row === null ? null : (
          <a href={`#${row}`} className={link}>
            Work request
          </a>
        )}
        {packets.first === null ? null : (
          <button type="button" className={link} onClick={() => show(packets.first!)}>
            First packet, No. {count(packets.first + 1)}
          </button>
        )}
        {packets.nak === null ? null : (
          <button type="button" className={link} onClick={() => show(packets.nak!)}>
            NAK, No. {count(packets.nak + 1)}
          </button>
        )}
      </p>
      <p className="num text-12 text-ink-3">
        {endpoints.join(', ')}
        {endpoints.length > 0 ? ', ' : ''}
        {(t / 1e9).toFixed(3)} s{phase ? `, ${phase.begin.text}` : ''}
      </p>
    </div>
  );
}
