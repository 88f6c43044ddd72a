import {
  CONGESTIONS,
  MAX_POLICIES,
  RECOVERIES,
  type PolicyState,
  type QpPolicyChoice,
} from '@verbslab/protocol';
import type { Qp, QpPolicy } from '@verbslab/verbs';
import { need } from './need.js';
import type { JsonObject } from './recorder.js';
import type { Session } from './session.js';

/** Least time between samples, ns. Loops report every 100 ms, each at a time of its own. */
const INTERVAL_NS = 50e6;

/** Checks a policy before a queue pair is made. Throws MISSING_CAPABILITY if the device has only one. */
export function checkPolicy(session: Session, policy: QpPolicyChoice | undefined): void {
  if (policy !== undefined) need(session, 'policies');
}

/** Sets the policy of a new queue pair, and reports it if it is not the default. */
export function setPolicy(session: Session, qp: Qp, policy: QpPolicyChoice | undefined): void {
  if (policy !== undefined) {
    const asked = Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined));
    session.recorder.verb('uroce_set_qp_policy', { qp: `QP ${qp.qpn}`, policy: asked as JsonObject }, () =>
      session.context.extensions.setPolicy(qp, asked as QpPolicy),
    );
  }
  session.policies.made(qp);
}

/** Samples of the endpoint's queue pairs that have another policy than the default, while a loop measures. */
export class PolicySampler {
  readonly #session: Session;
  readonly #qps = new Set<Qp>();
  #last = '';
  #at = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** A queue pair was made, and has the policy that it will keep. */
  made(qp: Qp): void {
    if (qp.type !== 'RC' || !this.#session.can('policies')) return;
    const { recovery, congestion } = this.#session.context.extensions.policy(qp);
    if (recovery === RECOVERIES[0] && congestion === CONGESTIONS[0]) return;
    this.#qps.add(qp);
    this.sample({ now: true });
  }

  /** The queue pair is about to be destroyed. */
  gone(qp: Qp): void {
    if (!this.#qps.has(qp)) return;
    this.sample({ now: true });
    this.#qps.delete(qp);
    this.sample({ now: true });
  }

  /** Reports what has changed. Not more often than 20 times per second, unless `now`. */
  sample({ now = false } = {}): void {
    const { recorder } = this.#session;
    const t = recorder.now();
    if ((this.#qps.size === 0 && this.#last === '') || (!now && t - this.#at < INTERVAL_NS)) return;
    this.#at = t;
    const all = [...this.#qps].toSorted((a, b) => a.qpn - b.qpn);
    const qps = all.slice(0, MAX_POLICIES).map((qp) => this.#state(qp));
    const others = all.length - qps.length;
    const text = JSON.stringify([qps, others]);
    if (text === this.#last) return;
    this.#last = this.#qps.size === 0 ? '' : text;
    recorder.emit({ kind: 'policies', qps, others });
  }

  #state(qp: Qp): PolicyState {
    const { recovery, recoveryInEffect, congestion, cnps, marks, ...figures } =
      this.#session.context.extensions.policy(qp);
    // What its law does not have is left out. The alpha of a NIC falls to 0 within microseconds.
    const limited = figures.target !== 0;
    const known = Object.entries(figures).filter(
      ([name, value]) => value !== 0 || (name === 'alphaPpm' && limited),
    );
    return {
      qpn: qp.qpn,
      recovery,
      ...(recoveryInEffect === recovery ? {} : { recoveryInEffect }),
      congestion,
      ...Object.fromEntries(known),
      ...{ cnps, marks },
    };
  }
}
