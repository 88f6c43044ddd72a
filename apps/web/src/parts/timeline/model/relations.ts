import type { RunEventOf } from '@verbslab/protocol';
import type { Analysis, Message } from '@verbslab/roce';
import { beganWithin, messagesByQp, sentMessages } from '../../../model/messages';
import type { RunModel } from '../../../model/run-model';
import type { Selection } from '../../../model/selection';
import { workRequests } from '../tracks/requests';

type WorkRequest = RunEventOf<'wr'>;

/** What belongs to a selection: the same things, seen by the other views. */
export interface Related {
  wr: WorkRequest | null;
  /** Indices of packets of the message, in order of time. */
  packets: readonly number[];
  /** The packet that acknowledged or refused it. */
  answer: number | null;
  /** Sequence number of the completion as it was polled. */
  completion: number | null;
}

const NOTHING: Related = { wr: null, packets: [], answer: null, completion: null };

/** Which message of the capture each work request became, as far as its first packet is in the capture. */
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

  /** By the sequence number of its event. Found when first asked for: while nothing is selected, a live run need not list them. */
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

  /** A completion names the QP and wr_id of its request; programs use the same wr_id again. */
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

  /** A work request by the sequence number of its event. */
  request(seq: number): WorkRequest | undefined {
    return this.#requests.get(seq);
  }

  /** The work request that a packet is of; null if none is known. */
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
