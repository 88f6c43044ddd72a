import type { RunEventOf } from '@verbslab/protocol';
import type { Analysis, Message } from '@verbslab/roce';
import { beganWithin, messagesByQp, sentMessages } from '../../model/messages';
import type { RunModel } from '../../model/run-model';
import type { Selection } from '../../model/selection';
import { workRequests } from './tracks/requests';

type WorkRequest = RunEventOf<'wr'>;

/** Items related to a selection: the same operation in the other views. */
export interface Related {
  wr: WorkRequest | null;
  /** Indices of the packets of the message, in order of time. */
  packets: readonly number[];
  /** Packet that acknowledged or refused it. */
  answer: number | null;
  /** Sequence number of the polled completion. */
  completion: number | null;
}

const NOTHING: Related = { wr: null, packets: [], answer: null, completion: null };

/** Messages of the capture by work request, as far as their first packet was captured. */
export class Relations {
  readonly #messageOf = new Map<number, Message>();
  readonly #requestOf = new Map<number, WorkRequest>();
  #known: ReadonlyMap<number, WorkRequest> | null = null;
  readonly #analysis: Analysis | null;
  readonly #model: RunModel;

  constructor(model: RunModel, analysis: Analysis | null) {
    this.#model = model;
    this.#analysis = analysis;
    if (!analysis) return;
    const requests = workRequests(model);
    const messages = messagesByQp(model, analysis);
    const taken = new Set<number>();
    for (const wr of requests.toSorted((a, b) => a.posted - b.posted)) {
      const own = sentMessages(messages, wr.endpoint ?? '', wr.qpn).find(
        (one) => !taken.has(one.id) && beganWithin(one, wr),
      );
      if (!own) continue;
      taken.add(own.id);
      this.#messageOf.set(wr.seq, own);
      this.#requestOf.set(own.id, wr);
    }
  }

  /**
   * Requests by the sequence number of their event. Built on demand: while nothing is selected, a live run need not
   * list them.
   */
  get #requests(): ReadonlyMap<number, WorkRequest> {
    return (this.#known ??= new Map(workRequests(this.#model).map((wr) => [wr.seq, wr])));
  }

  #ofRequest(wr: WorkRequest): Related {
    const message = this.#messageOf.get(wr.seq);
    const packets = message
      ? [...message.requests, ...message.responses].toSorted(
          (a, b) => this.#analysis!.rows[a]!.t - this.#analysis!.rows[b]!.t,
        )
      : [];
    return { wr, packets, answer: message?.decidedBy ?? null, completion: this.#completionOf(wr) };
  }

  /** Finds a completion by QP and wr_id. Programs reuse wr_ids, so the nearest in time is taken. */
  #completionOf({ qpn, wrId, endpoint, polled }: WorkRequest): number | null {
    if (polled === null) return null;
    let best: { seq: number; away: number } | null = null;
    for (const e of this.#model.kept) {
      if (e.kind !== 'completion' || e.endpoint !== endpoint) continue;
      if (e.wc.qpn !== qpn || e.wc.wrId !== wrId) continue;
      const away = Math.abs(e.t - polled);
      if (!best || away < best.away) best = { seq: e.seq, away };
    }
    return best?.seq ?? null;
  }

  /** Work request with this sequence number of its event. */
  request(seq: number): WorkRequest | undefined {
    return this.#requests.get(seq);
  }

  /** Work request that a packet belongs to; null if unknown. */
  requestOf(packet: number): WorkRequest | null {
    const message = this.#analysis?.messageOf[packet] ?? -1;
    return this.#requestOf.get(message) ?? null;
  }

  of(selection: Selection | null): Related {
    switch (selection?.kind) {
      case 'wr': {
        const wr = this.#requests.get(selection.seq);
        return wr ? this.#ofRequest(wr) : NOTHING;
      }
      case 'packet': {
        const wr = this.requestOf(selection.index);
        if (wr) return this.#ofRequest(wr);
        const message = this.#analysis?.messages[this.#analysis.messageOf[selection.index] ?? -1];
        return message
          ? {
              ...NOTHING,
              packets: [...message.requests, ...message.responses],
              answer: message.decidedBy ?? null,
            }
          : { ...NOTHING, packets: [selection.index] };
      }
      case 'event': {
        const e = this.#model.eventAt(selection.seq);
        if (e?.kind !== 'completion') return NOTHING;
        const wr = [...this.#requests.values()].findLast(
          ({ qpn, wrId, endpoint, posted }) =>
            endpoint === e.endpoint && qpn === e.wc.qpn && wrId === e.wc.wrId && posted <= e.t,
        );
        return wr ? this.#ofRequest(wr) : NOTHING;
      }
      case 'qp':
      case undefined:
        return NOTHING;
    }
  }
}
