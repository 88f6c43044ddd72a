import type { CallPlace, Standstill } from '@verbslab/protocol';
import type { FeedStandstill } from './messages.js';
import { locate, type RawPlace } from './source-lines.js';

/** Most places that are kept: a program has fewer calls. */
const KEPT = 1000;

const keyOf = ({ object, offset, outer = '' }: RawPlace): string => `${object} ${offset} ${outer}`;

/** Source lines of the places in standstills. Each place is looked up once. */
export class StandstillPlaces {
  readonly #known = new Map<string, CallPlace>();

  /** The standstill with source lines, and its times passed through `at`. Never rejects. */
  async placed(note: FeedStandstill, at: (t: number) => number): Promise<Standstill> {
    const raw = [
      ...note.qps.flatMap(({ send, recv }) => [send.oldest?.where ?? null, recv.where]),
      ...note.cqs.map(({ where }) => where),
      note.acks?.where ?? null,
    ].filter((place) => place !== null);
    const unknown = raw.filter((place) => !this.#known.has(keyOf(place)));
    const found = await locate(unknown);
    if (this.#known.size > KEPT) this.#known.clear();
    unknown.forEach((place, i) => this.#known.set(keyOf(place), found[i]!));
    const where = (place: RawPlace | null): CallPlace | null =>
      place === null ? null : (this.#known.get(keyOf(place)) ?? null);
    const time = (t: number | undefined, name: string) => (t === undefined ? {} : { [name]: at(t) });
    return {
      qps: note.qps.map((qp) => ({
        ...qp,
        stateSince: at(qp.stateSince),
        send: {
          ...qp.send,
          since: at(qp.send.since),
          ...(qp.send.oldest
            ? {
                oldest: {
                  ...qp.send.oldest,
                  ...time(qp.send.oldest.posted, 'posted'),
                  where: where(qp.send.oldest.where),
                },
              }
            : { oldest: undefined }),
        },
        recv: { ...qp.recv, since: at(qp.recv.since), where: where(qp.recv.where) },
      })),
      cqs: note.cqs.map((cq) => ({
        ...cq,
        ...time(cq.since, 'since'),
        ...time(cq.polled, 'polled'),
        where: where(cq.where),
      })),
      more: note.more,
      others: note.others,
      ...time(note.moved, 'moved'),
      ...(note.acks
        ? { acks: { ...note.acks, since: at(note.acks.since), where: where(note.acks.where) } }
        : {}),
    };
  }
}
