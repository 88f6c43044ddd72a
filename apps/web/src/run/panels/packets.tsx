'use client';
import { isProgram } from '@verbslab/protocol';
import { count } from '../../format/number';
import { PacketBrowser } from '../../parts/packets/packet-browser';
import { runPackets } from '../../model/packet-rows';
import { useListed } from '../../parts/packets/use-listed';
import { PageLink } from '../../ui/page-link';
import { Words } from '../../ui/words';
import { knownConnections } from '../../model/known-connections';
import { missingPackets } from '../../model/missing-packets';
import type { Topic } from '../../model/run-model';
import { usePageHandle } from '../../actions/page-store';
import { useChosenPacket } from '../../parts/run/show-packet';
import { useTopics } from '../../connection/use-session';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['packets', 'state'];

/** Why packets are missing, and how to get them. */
const SAMPLE =
  'The device keeps a sample, up to about 4,000 per second, so that capturing hardly slows the program down. To get every packet, run the program with `npx verbslab exec --pcap FILE`.';
const LIMIT =
  'They came faster than they could be recorded, or exceeded a limit of the capture. To get every packet, capture fewer of them or send less data.';

/** On shared memory a packet begins with its BTH. */
const ADDED =
  'Shared memory carries packets without IP and UDP headers. The capture adds those that the ICRC was computed over, so that other programs can read it.';

/** The run's packets; the chosen one stands in the address. */
export default function PacketsPanel({ view, session }: PanelContentProps) {
  useTopics(view, TOPICS, 'list');
  const store = view.model.packets;
  const rows = runPackets(store);
  if (session.state === 'complete') rows.settle(() => knownConnections(view.model));
  const select = useChosenPacket();
  // The marks come with the end of the stream.
  const { selected, only, unfiltered, filtering, handle, arrivals } = useListed(rows, rows.settled, select);
  usePageHandle(handle);

  const { phases } = view.model;
  const phaseAt = (t: number): string | null => phases.at(t)?.begin.text ?? null;
  // A phase that all packets share tells nothing.
  const [first, last] = [rows.at(0), rows.at(rows.length - 1)];
  const phased = first !== undefined && last !== undefined && phaseAt(first.t) !== phaseAt(last.t);

  if (rows.length === 0) {
    return (
      <Waiting
        record={view.model.record}
        soon={
          isProgram(view.model.record)
            ? 'Packets appear here as the program sends and receives them: the first 1,000 whole, then a sample.'
            : 'Packets appear here once they are captured: after the measured part, since capturing slows it down.'
        }
        never="This run captured no packets."
      />
    );
  }
  return (
    <>
      {view.model.record.capture ? (
        <p className="px-3 pb-1 text-13">
          <PageLink href={`/packets?run=${view.model.record.id}`} className="text-accent hover:underline">
            Open the capture in Packets
          </PageLink>
        </p>
      ) : null}
      {store.dropped > 0 || store.beyond > 0 ? (
        <p className="px-3 pb-1 text-13 text-ink-2">
          <span className="text-retx-ink" data-shows="packets-missing">
            {missingPackets(view.model)}
            {store.beyond > 0
              ? ` ${count(store.beyond)} more are in the capture file; this list stops at ${count(rows.length)}.`
              : ''}
          </span>
          {store.dropped > 0 ? (
            <span data-words>
              <Words>{` ${isProgram(view.model.record) ? SAMPLE : LIMIT}`}</Words>
            </span>
          ) : null}
        </p>
      ) : null}
      {view.model.record.result?.links?.includes('shm') ? (
        <p className="px-3 pb-1 text-13 text-ink-3" data-words>
          <Words>{ADDED}</Words>
        </p>
      ) : null}
      {store.numbered ? null : (
        <p className="px-3 pb-1 text-13 text-ink-3" data-words>
          Until the run ends, packets of different processes may be a little out of order. Then they are
          numbered by time.
        </p>
      )}
      {arrivals ? <div className="px-3 pb-1">{arrivals}</div> : null}
      <PacketBrowser
        rows={rows}
        {...(only === null ? {} : { only })}
        unfiltered={unfiltered}
        filtering={filtering}
        selected={selected}
        onSelect={select}
        phaseAt={phased ? phaseAt : undefined}
      />
    </>
  );
}
