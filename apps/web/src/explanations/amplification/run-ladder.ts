/** The ladder of a whole capture, and the part of it around a loss. Pure functions. */
import { arrivals } from '@verbslab/labs';
import { aethType, AethType, LinkType, RC, summarizePacket } from '@verbslab/roce';
import type { StoredPacket } from '../../model/packet-store';
import { ahead, drawnFrom, type Episode } from './episodes';
import { ladderOf, type Ladder, type LadderAnswer, type Seen } from './ladder';
import { isWrite } from './writes';

interface Half {
  psn: number;
  t: number;
  bytes: number;
  nak: boolean;
}

type Captured = Pick<StoredPacket, 'bytes' | 'direction' | 't' | 'origLen'>;

/** WRITE packets or answers of one direction, in their order. */
function halves(
  packets: readonly Captured[],
  direction: Captured['direction'],
  wanted: (opcode: number) => boolean,
): Half[] {
  return packets.flatMap(({ bytes, direction: way, t, origLen }) => {
    if (way !== direction) return [];
    const { opcode, psn, syndrome } = summarizePacket(bytes, LinkType.RAW);
    if (opcode === undefined || psn === undefined || !wanted(opcode)) return [];
    const nak = syndrome !== undefined && aethType(syndrome) === AethType.NAK;
    return [{ psn, t, bytes: origLen, nak }];
  });
}

/** Sent packets with their times of arrival. */
function joined(sent: readonly Half[], received: readonly Half[]): (Half & { arrived: number | null })[] {
  const psns = (list: readonly Half[]): number[] => list.map(({ psn }) => psn);
  const here = arrivals(psns(sent), psns(received));
  let next = 0;
  return sent.map((one, i) => ({ ...one, arrived: here[i] ? received[next++]!.t : null }));
}

const isAck = (opcode: number): boolean => opcode === RC.acknowledge;

/** PSNs count from the first packet of the capture. */
export function capturedLadder(packets: readonly Captured[]): Ladder {
  const data = joined(halves(packets, 'sent', isWrite), halves(packets, 'received', isWrite));
  const answers = joined(halves(packets, 'sent', isAck), halves(packets, 'received', isAck));
  const first = data[0]?.psn ?? 0;
  return ladderOf(
    data.map(({ psn, t, bytes, arrived }): Seen => ({ psn: ahead(psn, first), sent: t, arrived, bytes })),
    answers.map(({ psn, t, arrived, nak }): LadderAnswer => ({
      ...{ kind: nak ? 'nak' : 'ack', psn: ahead(psn, first), sent: t, arrived },
    })),
  );
}

/** The part of a ladder around a loss: PSNs from the lost packet, times from the first packet that is shown. */
export function around(ladder: Ladder, episode: Episode): Ladder {
  const packets = ladder.packets.slice(drawnFrom(episode), episode.end);
  const zero = packets[0]!.sent;
  const arrived = Math.max(...packets.map((one) => one.arrived ?? one.sent));
  // The answer to the last packet leaves after it arrived.
  const until = ladder.answers.find(({ sent }) => sent >= arrived)?.sent ?? arrived;
  const base = ladder.packets[episode.lost]!.psn;
  const psns = packets.map(({ psn }) => psn);
  const [least, most] = [Math.min(...psns), Math.max(...psns)];
  const moved = <T extends { psn: number; sent: number; arrived: number | null }>(one: T): T => ({
    ...one,
    ...{ psn: one.psn - base, sent: one.sent - zero },
    arrived: one.arrived === null ? null : one.arrived - zero,
  });
  return {
    packets: packets.map(moved),
    answers: ladder.answers
      .filter(({ psn, sent }) => psn >= least && psn <= most && sent >= zero && sent <= until)
      .map(moved),
    goBacks: ladder.goBacks
      .filter(({ at }) => at >= zero && at <= until)
      .map((one) => ({ ...one, at: one.at - zero, psn: one.psn - base })),
  };
}
