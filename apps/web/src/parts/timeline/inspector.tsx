'use client';
import { faultsText, lookupWcStatus, qpnText, type RunEventOf, WR_STAGES } from '@verbslab/protocol';
import type { Analysis } from '@verbslab/roce';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePageStore } from '../../actions/page-store';
import { text, time } from '../../format/number';
import { momentOf } from '../run/moment';
import type { RunModel } from '../../model/run-model';
import type { Selection } from '../../model/selection';
import { Button, IconButton } from '../../ui/button';
import { reachOf } from './chosen';
import { momentText } from '../../format/time-text';
import type { Related } from './relations';
import { requestLabel } from './tracks/requests';
import { packetText } from './tracks/packets';

/** Most packets of a message that are named; the list below the timeline has all. */
const NAMED = 24;

export interface InspectorProps {
  model: RunModel;
  selection: Selection;
  related: Related;
  analysis: Analysis | null;
  onSelect: (selection: Selection | null) => void;
  onFit: () => void;
  /** Shows a packet in the list of packets; absent on a page without the list. */
  onShowPacket?: (index: number) => void;
}

/** Button that starts a note about the selection, at its first time. */
function WriteNote({ model, selection, related }: Pick<InspectorProps, 'model' | 'selection' | 'related'>) {
  const write = usePageStore((s) => s.handle['write-note']);
  const reach = reachOf(model, selection, related);
  if (!write || !reach) return null;
  return (
    <Button size="small" onClick={() => write(momentOf(reach[0], selection, model.packets))}>
      Write a note
    </Button>
  );
}

/** Details of the selection and its relations, with links to them. */
export function Inspector(props: InspectorProps) {
  const { model, selection, related, analysis, onSelect, onFit, onShowPacket } = props;
  const { wr } = related;
  return (
    <section
      className="border-t px-3 py-2"
      aria-label="Selection"
      data-selection={selection.kind}
      data-records
    >
      <div className="flex flex-wrap items-start gap-2">
        <h3 className="min-w-0 flex-1 text-13 font-semibold max-sm:basis-full" data-words>
          {titleOf(model, selection, related, analysis)}
        </h3>
        <Button size="small" onClick={onFit}>
          Zoom to it
        </Button>
        <WriteNote model={model} selection={selection} related={related} />
        {selection.kind === 'packet' && onShowPacket ? (
          <Button size="small" onClick={() => onShowPacket(selection.index)}>
            Show its headers and bytes
          </Button>
        ) : null}
        <IconButton label="Clear the selection" size="small" onClick={() => onSelect(null)}>
          <X size={12} aria-hidden />
        </IconButton>
      </div>
      <div className="mt-1 grid gap-x-8 gap-y-2 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
        {wr ? (
          <Stages wr={wr} selected={selection} onSelect={onSelect} />
        ) : (
          <EventFacts model={model} selection={selection} />
        )}
        {analysis && related.packets.length > 0 ? (
          <Packets
            related={related}
            analysis={analysis}
            selection={selection}
            onSelect={onSelect}
            zero={wr?.posted ?? null}
          />
        ) : wr ? (
          <p className="prose text-13 text-ink-3" data-words>
            {wr.firstTx === null ? 'No packet of it left.' : 'None of its packets is in the capture.'}
          </p>
        ) : null}
      </div>
    </section>
  );
}

function titleOf(
  model: RunModel,
  selection: Selection,
  { wr }: Related,
  analysis: Analysis | null,
): ReactNode {
  switch (selection.kind) {
    case 'wr':
      return wr
        ? `${requestLabel(wr)}, wr_id ${wr.wrId}, QP ${qpnText(wr.qpn)} of ${wr.endpoint ?? 'the run'}`
        : 'This work request is not in the run.';
    case 'packet': {
      const row = analysis?.rows[selection.index];
      return row
        ? `Packet ${selection.index + 1}: ${packetText(analysis, selection.index)}, ${row.src} to ${row.dst}`
        : `Packet ${selection.index + 1}`;
    }
    case 'qp':
      return `QP ${qpnText(selection.qpn)} of ${selection.endpoint}`;
    case 'event': {
      const e = model.eventAt(selection.seq);
      if (!e) return 'This event is not in the run.';
      if (e.kind === 'verb') return e.call;
      if (e.kind === 'completion')
        return `Completion: ${lookupWcStatus(e.wc.status).name}, wr_id ${e.wc.wrId}, QP ${qpnText(e.wc.qpn)}`;
      if (e.kind === 'async') return `Asynchronous event ${e.event}`;
      if (e.kind === 'finding') return `${e.object}: ${e.detail}`;
      if (e.kind === 'qp') return `QP ${qpnText(e.qpn)} goes from ${e.from} to ${e.to}`;
      if (e.kind === 'phase') return e.text;
      if (e.kind === 'faults')
        return `Packets of the ${e.endpoint ?? 'run'}: ${faultsText(e) || 'no faults'}`;
      return e.kind === 'step' ? `Step ${e.index + 1}` : e.kind;
    }
  }
}

const row = 'grid grid-cols-[7.5rem_6rem_1fr] items-baseline gap-x-3 text-13';

/** Stages of a request, with the time since the post and since the start of the run. */
function Stages(props: {
  wr: RunEventOf<'wr'>;
  selected: Selection;
  onSelect: (selection: Selection) => void;
}) {
  const { wr, selected, onSelect } = props;
  const span = Math.max(1000, ...WR_STAGES.map(([key]) => (wr[key] ?? wr.posted) - wr.posted));
  return (
    <div>
      {selected.kind === 'wr' ? null : (
        <p className="text-13" data-words>
          Of the work request{' '}
          <button
            type="button"
            className="text-accent underline"
            onClick={() => onSelect({ kind: 'wr', seq: wr.seq })}
          >
            {requestLabel(wr)}, wr_id {wr.wrId}
          </button>
        </p>
      )}
      <dl className="mt-1">
        {WR_STAGES.map(([key, name]) => {
          const t = wr[key];
          return (
            <div key={key} className={row} data-stage={key}>
              <dt className="text-ink-2">{name}</dt>
              <dd className="num text-right text-12">
                {t === null ? '–' : t === wr.posted ? '0' : `+${text(time(t - wr.posted))}`}
              </dd>
              <dd className="num text-12 text-ink-3">{t === null ? '' : momentText(t, span)}</dd>
            </div>
          );
        })}
        <div className={row}>
          <dt className="text-ink-2">status</dt>
          <dd className={`num col-span-2 text-12 ${wr.status === 0 ? '' : 'text-error-ink'}`}>
            {lookupWcStatus(wr.status).name}
          </dd>
        </div>
      </dl>
    </div>
  );
}

function Packets(props: {
  related: Related;
  analysis: Analysis;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  zero: number | null;
}) {
  const { related, analysis, selection, onSelect, zero } = props;
  const { packets } = related;
  const start = zero ?? analysis.rows[packets[0]!]!.t;
  return (
    <div>
      <p className="text-12 text-ink-3" data-words>
        Its packets, as they were captured; times {zero === null ? 'since the first' : 'since the post'}
      </p>
      <ol className="thin-scroll flex max-h-48 flex-col overflow-auto">
        {packets.slice(0, NAMED).map((index) => {
          const on = selection.kind === 'packet' && selection.index === index;
          const { t } = analysis.rows[index]!;
          const marks = analysis.marks.get(index) ?? [];
          return (
            <li key={index}>
              <button
                type="button"
                aria-pressed={on}
                data-packet={index}
                onClick={() => onSelect({ kind: 'packet', index })}
                className={`num grid min-h-6 w-full grid-cols-[3.5rem_6rem_1fr] gap-x-2 text-left text-12 pointer-coarse:min-h-11 ${on ? 'bg-accent-wash' : 'hover:bg-hover'}`}
              >
                <span className="text-ink-3">{index + 1}</span>
                <span className="text-right text-ink-2">+{text(time(t - start))}</span>
                <span>
                  {packetText(analysis, index)}
                  {marks.includes('retransmission') ? (
                    <span className="text-retx-ink"> sent again</span>
                  ) : null}
                  {index === related.answer ? <span className="text-ink-3"> (completes it)</span> : null}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      {packets.length > NAMED ? (
        <p className="text-12 text-ink-3" data-words>
          and {packets.length - NAMED} more
        </p>
      ) : null}
    </div>
  );
}

function EventFacts({ model, selection }: { model: RunModel; selection: Selection }) {
  if (selection.kind !== 'event') return null;
  const e = model.eventAt(selection.seq);
  if (!e) return null;
  return (
    <dl>
      <div className={row}>
        <dt className="text-ink-2">time</dt>
        <dd className="num col-span-2 text-12">{momentText(e.t, 1e6)}</dd>
      </div>
      {e.kind === 'verb' ? (
        <div className={row}>
          <dt className="text-ink-2">took</dt>
          <dd className="num col-span-2 text-12">
            {e.durationNs === 0 ? 'not measured' : text(time(e.durationNs))}
          </dd>
        </div>
      ) : null}
      {e.kind === 'verb' && e.error ? (
        <div className={row}>
          <dt className="text-ink-2">error</dt>
          <dd className="col-span-2 text-error-ink">{e.error.message}</dd>
        </div>
      ) : null}
      {e.kind === 'finding' ? (
        <div className={row}>
          <dt className="text-ink-2">cure</dt>
          <dd className="col-span-2">{e.cure}</dd>
        </div>
      ) : null}
    </dl>
  );
}
