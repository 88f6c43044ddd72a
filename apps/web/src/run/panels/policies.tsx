'use client';
import { isFinal, MAX_POLICIES, qpnText } from '@verbslab/protocol';
import { policyText, type PolicyTrack } from '@verbslab/report/policies';
import { useMemo, useState } from 'react';
import { usePaused, useTopics } from '../../connection/use-session';
import { bitRate, bytes, count, sig3, text } from '../../format/number';
import { policyFigures, policyPlots, policyRows } from '../../model/policy-rows';
import type { RunModel, Topic } from '../../model/run-model';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { cn } from '../../ui/cn';
import { DataTable } from '../../ui/data-table';
import { PolicyBadge } from '../policies/policy-badge';
import { PolicyChart } from '../policies/policy-chart';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['policies', 'state'];

const keyOf = ({ endpoint, qpn }: PolicyTrack): string => `${endpoint} ${qpn}`;
const nameOf = ({ qpn }: PolicyTrack): string => `QP ${qpnText(qpn)}`;

/** Queue pairs that do not have the default policy: what their law allows now, and over time for a chosen one. */
export default function PoliciesPanel({ view, table }: PanelContentProps) {
  useTopics(view, TOPICS, 'chart');
  const paused = usePaused(view);
  const { model } = view;
  const live = !isFinal(model.record.state) && !paused;
  const [chosen, setChosen] = useState<string>();
  const { tracks, others } = model.policies;
  // A sender is more interesting than a receiver, whose law nothing limits.
  const shown =
    tracks.find((track) => keyOf(track) === chosen) ?? tracks.find(({ last }) => last.cnps > 0) ?? tracks[0];
  if (shown === undefined)
    return (
      <Waiting
        record={model.record}
        soon="Queue pairs with another policy than the default appear here."
        never="All queue pairs had the default policy."
      />
    );
  return (
    <div className="px-3 pb-2 lg:grid lg:min-h-0 lg:flex-1 lg:grid-cols-2 lg:gap-x-6 lg:overflow-hidden">
      <div
        className="thin-scroll overflow-x-auto lg:min-h-0 lg:overflow-auto"
        tabIndex={0}
        role="group"
        aria-label="Queue pairs"
      >
        <QueuePairs tracks={tracks} chosen={keyOf(shown)} onChoose={setChosen} />
        {others > 0 ? (
          <p className="mt-1 text-12 text-ink-3" data-shows="policies-more">
            {count(others)} more with such a policy are not sampled: a sample names {MAX_POLICIES} per
            process.
          </p>
        ) : null}
        <p className="mt-2 max-w-[72ch] text-13 text-ink-2" data-words>
          {policyText(shown.last)}
        </p>
      </div>
      <div className="flex min-w-0 flex-col gap-1 max-lg:mt-2">
        <OverTime track={shown} model={model} live={live} table={table} />
      </div>
    </div>
  );
}

const HEAD = ['Policy', 'Allowed', 'CNPs', 'Marked'] as const;

function QueuePairs(props: {
  tracks: readonly PolicyTrack[];
  chosen: string;
  onChoose: (key: string) => void;
}) {
  const { tracks, chosen, onChoose } = props;
  const several = new Set(tracks.map(({ endpoint }) => endpoint)).size > 1;
  return (
    <table className="w-full text-13">
      <thead className="text-12 text-ink-3">
        <tr>
          <th scope="col" className="h-7 text-left font-normal">
            Queue pair
          </th>
          {HEAD.map((head, i) => (
            <th
              key={head}
              scope="col"
              className={cn('pl-3 font-normal', i === 0 ? 'text-left' : 'text-right')}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {tracks.map((track) => (
          <tr
            key={keyOf(track)}
            className={cn(keyOf(track) === chosen && 'bg-accent-wash')}
            data-endpoint={track.endpoint}
            data-qp={track.qpn}
          >
            <th scope="row" className="num h-8 text-left font-normal whitespace-nowrap" data-words>
              <button
                type="button"
                aria-pressed={keyOf(track) === chosen}
                className="min-h-8 w-full text-left underline decoration-line-strong underline-offset-2 pointer-coarse:min-h-11"
                onClick={() => onChoose(keyOf(track))}
              >
                {several ? `${nameOf(track)}, ${track.endpoint}` : nameOf(track)}
              </button>
            </th>
            <td className="pl-3 whitespace-nowrap">
              <PolicyBadge policy={track.last} />
            </td>
            <td className="num pl-3 text-right whitespace-nowrap" data-shows="policy-allowed">
              {allowedText(track)}
            </td>
            <td className="num pl-3 text-right" data-shows="policy-cnps">
              {count(track.last.cnps)}
            </td>
            <td
              className="num pl-3 text-right"
              title="Packets with ECN 3 that came to it"
              data-shows="policy-marks"
            >
              {count(track.last.marks)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What the law allows, by the latest sample: a window, or a rate. */
function allowedText({ last: { rate, window } }: PolicyTrack): string {
  if (window !== undefined) return text(bytes(window));
  return rate === undefined ? 'not limited' : text(bitRate(rate / 8));
}

function OverTime(props: { track: PolicyTrack; model: RunModel; live: boolean; table: boolean }) {
  const { track, model, live, table } = props;
  const end = Math.max(model.stills.latest, track.states.at(-1)!.t);
  const changes = track.states.length;
  // The track grows in place.
  // oxlint-disable-next-line react/exhaustive-deps
  const rows = useMemo(() => policyRows(track, end), [track, changes, end]);
  const plots = policyPlots(track.last);
  if (plots.length === 0)
    return (
      <p className="text-13 text-ink-3" data-words>
        Recovery alone has no rate or window to draw. See the packets for what is sent again.
      </p>
    );
  if (table)
    return (
      <DataTable
        shows="policy-series"
        caption={`${nameOf(track)} over time`}
        head={[
          'time, s',
          ...plots.flatMap(({ lines, unit }) => lines.map(({ name }) => `${name}, ${unit}`)),
          'CNPs',
        ]}
        rows={track.states.map(({ t, state }) => {
          const figures = state === null ? {} : policyFigures(state);
          return [
            sig3(t / 1e9),
            ...plots.flatMap(({ lines }) =>
              lines.map(({ key }) => {
                const value = figures[key];
                return value === undefined ? '–' : sig3(value);
              }),
            ),
            state === null ? '–' : count(state.cnps),
          ];
        })}
      />
    );
  return (
    <>
      <h3 className="text-13 font-medium" data-words>
        <span className="num">{nameOf(track)}</span> over time
      </h3>
      {plots.map((plot) => (
        <PolicyChart key={plot.title} name={nameOf(track)} {...{ plot, rows, end, live }} />
      ))}
    </>
  );
}
