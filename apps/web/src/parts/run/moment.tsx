import { type Moment, parseQuantity, qpnText, type RunRecord } from '@verbslab/protocol';
import { text, time } from '../../format/number';
import type { PacketStore } from '../../model/packet-store';
import { writeSelection, type Selection } from '../../model/selection';
import { PageLink } from '../../ui/page-link';

/** A moment with the selection at it; without a packet while packet numbers may still change. */
export function momentOf(
  t: number,
  selection: Selection | null,
  { numbered }: Pick<PacketStore, 'numbered'>,
): Moment {
  switch (selection?.kind) {
    case undefined:
      return { t };
    case 'packet':
      return numbered ? { t, selection: { packet: selection.index + 1 } } : { t };
    case 'wr':
      return { t, selection: { wr: selection.seq } };
    case 'event':
      return { t, selection: { event: selection.seq } };
    case 'qp':
      return { t, selection: { qp: { endpoint: selection.endpoint, qpn: selection.qpn } } };
  }
}

function selectionOf({ selection }: Moment): Selection | null {
  const { packet, wr, event, qp } = selection ?? {};
  if (wr !== undefined) return { kind: 'wr', seq: wr };
  if (packet !== undefined) return { kind: 'packet', index: packet - 1 };
  if (event !== undefined) return { kind: 'event', seq: event };
  return qp ? { kind: 'qp', ...qp } : null;
}

const SELECTED: {
  readonly [K in Selection['kind']]: (selection: Extract<Selection, { kind: K }>) => string;
} = {
  packet: ({ index }) => `packet ${index + 1}`,
  wr: () => 'work request',
  event: () => 'event',
  qp: ({ endpoint, qpn }) => `QP ${qpnText(qpn)} of ${endpoint}`,
};

/** Text such as `at 1.23 s, packet 17`. */
export function momentText(moment: Moment): string {
  const selection = selectionOf(moment);
  const at = `at ${text(time(moment.t))}`;
  return selection ? `${at}, ${(SELECTED[selection.kind] as (one: Selection) => string)(selection)}` : at;
}

/** Address of a run's page at a moment: nanoseconds since the run was created, and the selection. */
export function momentHref(runId: string, moment: Moment): string {
  const query = new URLSearchParams({ id: runId, t: String(Math.round(moment.t)) });
  writeSelection(query, selectionOf(moment));
  return `/runs/view?${query}`;
}

export function MomentLink({ runId, moment }: { runId: RunRecord['id']; moment: Moment }) {
  return (
    <PageLink
      href={momentHref(runId, moment)}
      className="num inline-flex min-h-6 items-center text-13 text-accent underline underline-offset-4 hover:no-underline"
    >
      {momentText(moment)}
    </PageLink>
  );
}

/** Parses a time, in nanoseconds; null if it is none. */
export function parseMoment(typed: string): number | null {
  const seconds = parseQuantity(typed.replace('µ', 'u'), 's');
  return seconds === null || seconds < 0 ? null : Math.round(seconds * 1e9);
}
