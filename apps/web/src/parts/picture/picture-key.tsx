import { memo, type ReactNode } from 'react';
import type { Owner, PictureState, RingState, Slot } from '../../model/picture/state';

const SIDES = ['client', 'server'] as const;

/** What the colors and shapes of the picture mean; only of those that appear in one of the states. */
export const PictureKey = memo(function PictureKey({ states }: { states: readonly PictureState[] }) {
  const hosts = states.flatMap((state) => SIDES.map((side) => state.hosts[side]));
  const works = (...owners: Owner[]): boolean =>
    hosts.some(({ lit }) => owners.some((one) => lit.includes(one)));
  const rings = hosts.flatMap((host) => Object.values<RingState>(host.rings));
  const slot = (kind: Slot): boolean =>
    rings.some(({ slots }) => (slots.length === 0 ? kind === 'unknown' : slots.includes(kind)));
  const packets = states.flatMap((state) => state.packets);
  const entries: [boolean, ReactNode, string][] = [
    [works('program', 'library'), <Mark key="a" kind="program" bar />, 'your program works'],
    [works('device'), <Mark key="b" kind="device" bar />, 'the device works'],
    [works('kernel'), <Mark key="c" kind="kernel" bar />, 'the kernel works'],
    [packets.some(({ kind }) => kind === 'data'), <Mark key="d" kind="packet data" />, 'carries data'],
    [
      packets.some(({ kind }) => kind === 'ack' || kind === 'request'),
      <Mark key="e" kind="packet ack" />,
      'carries no data',
    ],
    [packets.some(({ kind }) => kind === 'nak'), <Mark key="f" kind="packet nak" />, 'NAK'],
    [
      packets.some(({ again }) => again) || slot('waiting'),
      <Mark key="g" kind="packet again" />,
      slot('waiting') ? 'sent again, or waits for it' : 'sent again',
    ],
    [
      packets.some(({ between }) => between),
      <Mark key="k" kind="packet between" />,
      'its place is between two recorded ones',
    ],
    [packets.some(({ lost }) => lost), <Mark key="h" kind="packet lost" />, 'lost'],
    [
      slot('unknown'),
      <span key="i" className="hatched block h-2 w-3.5 border border-line-strong" />,
      'not recorded',
    ],
    [
      rings.some(({ written, read }) => written !== null || read !== null),
      <span key="j">▾</span>,
      'at a ring: written next; inside: read next',
    ],
  ];
  return (
    <ul className="pic-key flex flex-wrap content-start gap-x-3.5 gap-y-1 text-12 text-ink-3">
      {entries
        .filter(([appears]) => appears)
        .map(([, mark, text]) => (
          <li key={text} className="flex items-center gap-1.5">
            <span aria-hidden>{mark}</span>
            {text}
          </li>
        ))}
    </ul>
  );
});

function Mark({ kind, bar = false }: { kind: string; bar?: boolean }) {
  return (
    <svg width={bar ? 3 : 16} height={bar ? 12 : 10}>
      {bar ? (
        <rect width="3" height="12" className={`owner ${kind}`} />
      ) : (
        <rect x="1" y="1" width="14" height="8" rx="2" className={kind} />
      )}
    </svg>
  );
}
