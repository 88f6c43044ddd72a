'use client';
import { noun } from '@verbslab/labs';
import { standingText, standstillLine, stillPlaceText, type StillAnswer } from '@verbslab/report/standstill';
import { useMemo } from 'react';
import { lazyPart } from '../connection/lazy-part';
import type { RunView } from '../connection/run-view';
import { count } from '../format/number';
import { runPackets, type PacketRows } from '../model/packet-rows';
import type { RunModel } from '../model/run-model';
import { useShowPacket } from '../parts/run/show-packet';
import { cn } from '../ui/cn';
import { CopyButton } from '../ui/copy-button';
import { useStanding } from './use-standing';

const StandingView = lazyPart(async () => (await import('./standing/standing-view')).default);

const link = 'inline-flex min-h-8 items-center text-accent underline pointer-coarse:min-h-11';

const Queues = lazyPart<{ view: RunView }>(
  async () => (await import('./queues/standing-queues')).default,
  () => null,
);

/**
 * What a program waits for: which request, since when, and what to do. Nothing if nothing stands still. `follows`: a failure above
 * explains it, so a line is enough.
 */
export function StandingBanner({ view, follows = false }: { view: RunView; follows?: boolean }) {
  const answer = useStanding(view);
  if (answer === null) return null;
  if (follows)
    return (
      <p
        className="mt-2 max-w-[110ch] text-13"
        data-standing={answer.kind}
        data-shows="standing"
        data-endpoint={answer.endpoint}
      >
        Then: <span className="tabular-nums">{standingText(answer)}</span>: {answer.sentence}.
      </p>
    );
  return (
    <>
      <div className="mt-2 grid grid-cols-1 items-start gap-x-6 gap-y-3 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <Standing answer={answer} view={view} />
        <Queues view={view} />
      </div>
      {answer.state === 'stuck' ? <StandingView answer={answer} view={view} /> : null}
    </>
  );
}

function Standing({ answer, view }: { answer: StillAnswer; view: RunView }) {
  const { model } = view;
  const stuck = answer.state === 'stuck';
  const [place] = answer.places;
  return (
    <section
      aria-label="What the program waits for"
      className={cn('border-l-[3px] px-4 py-3', stuck ? 'border-retx bg-retx-wash' : 'border-line-strong')}
      data-standing={answer.kind}
      data-shows="standing"
      data-endpoint={answer.endpoint}
    >
      <p className={stuck ? 'text-16 font-medium md:text-20' : 'text-14'}>
        <span className="tabular-nums">{standingText(answer)}</span>: {answer.sentence}.
      </p>
      <p className="mt-1 max-w-[110ch] text-13">
        {answer.saw.slice(0, 2).join(' ')} <strong className="font-semibold">{answer.cure}</strong>
        {place === undefined ? null : (
          <>
            {' '}
            <span title={place.place.file ?? undefined}>{stillPlaceText(place)}</span>
          </>
        )}
      </p>
      <div className="mt-1 flex flex-wrap items-center gap-x-4 text-13">
        {answer.kind === 'rnr' && answer.qpn !== null && answer.request !== null ? (
          <NakLink qpn={answer.qpn} psn={answer.request.psn} model={model} />
        ) : null}
        <a href="#panel-machine" className={link}>
          Machine
        </a>
        <CopyButton text="Copy as text" source={() => textOf(answer)} />
        {answer.more > 0 ? (
          <span className="text-ink-2">
            {count(answer.more)} more {answer.more === 1 ? 'stands' : 'stand'} still.
          </span>
        ) : null}
        {answer.others > 0 ? (
          <span className="text-ink-2">
            {count(answer.others)} {noun(answer.others, 'QP of this process does', 'QPs of this process do')}{' '}
            not wait.
          </span>
        ) : null}
      </div>
    </section>
  );
}

const textOf = (answer: StillAnswer): string =>
  [
    standstillLine(answer),
    ...answer.saw,
    ...answer.places.map(stillPlaceText),
    ...(answer.ruledOut.length > 0 ? ['Ruled out:', ...answer.ruledOut.map((text) => `- ${text}`)] : []),
  ].join('\n');

/** Most packets that are searched: more would block the page. */
const MOST = 50_000;

/** Row of the first captured RNR NAK of a request, from 0; -1 without one. */
function firstRnr(rows: PacketRows, qpn: number, psn: number): number {
  for (let i = 0; i < Math.min(rows.length, MOST); i++) {
    const row = rows.at(i);
    if (row?.kind === 'rnr' && row.destQp === qpn && row.psn === psn) return i;
  }
  return -1;
}

/** A link to the first captured RNR NAK of the request that waits. */
function NakLink({ qpn, psn, model }: { qpn: number; psn: number; model: RunModel }) {
  const show = useShowPacket();
  const rows = runPackets(model.packets);
  const { length } = rows;
  // Search again only if there are new packets.
  // oxlint-disable-next-line react/exhaustive-deps
  const found = useMemo(() => firstRnr(rows, qpn, psn), [rows, length, qpn, psn]);
  return found < 0 ? null : (
    <button type="button" className={link} onClick={() => show(found)}>
      First RNR NAK, packet {count(found + 1)}
    </button>
  );
}
