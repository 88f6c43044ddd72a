'use client';
import { isProgram } from '@verbslab/protocol';
import { useRouter, useSearchParams } from 'next/navigation';
import { useMemo } from 'react';
import { count } from '../../format/number';
import { PacketBrowser } from '../../packets/packet-browser';
import { runPackets } from '../../packets/rows';
import { PageLink } from '../../ui/page-link';
import type { Topic } from '../model/run-model';
import { useRunHandle } from '../run-handle';
import { useTopics } from '../use-session';
import type { PanelContentProps } from './types';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['packets', 'state'];

/** The run's packets; the chosen one stands in the address. */
export default function PacketsPanel({ view, session }: PanelContentProps) {
  useTopics(view, TOPICS, 'list');
  const router = useRouter();
  const query = useSearchParams();
  const store = view.model.packets;
  const rows = runPackets(store);
  if (session.state === 'complete') rows.settle();
  const asked = Number(query.get('packet')) - 1;
  const selected = Number.isInteger(asked) && asked >= 0 && asked < rows.length ? asked : null;

  const { select, handle } = useMemo(() => {
    const go = (index: number) => {
      const next = new URLSearchParams(location.search);
      next.set('packet', String(index + 1));
      router.replace(`/runs/view?${next}`, { scroll: false });
    };
    const move = (by: 1 | -1) => go(Math.min(store.length - 1, Math.max(0, (selected ?? -1) + by)));
    return { select: go, handle: store.length > 0 ? { move } : {} };
  }, [router, selected, store.length]);
  useRunHandle('packets', handle);

  if (rows.length === 0) {
    return (
      <Waiting
        record={view.model.record}
        soon={
          isProgram(view.model.record)
            ? 'Packets appear here as the program sends and receives them: the first 1000 whole, then a sample.'
            : 'Packets appear here once they are captured: after the measured part, since capturing costs throughput.'
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
        <p className="px-3 text-13 text-retx-ink" data-shows="packets-missing">
          {store.dropped > 0 ? `${count(store.dropped)} packets were not captured. ` : ''}
          {store.beyond > 0
            ? `${count(store.beyond)} more are in the capture file; this list stops at ${count(rows.length)}.`
            : ''}
        </p>
      ) : null}
      <PacketBrowser rows={rows} selected={selected} onSelect={select} />
    </>
  );
}
