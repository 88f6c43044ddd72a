import { bitRate, plural } from '@verbslab/labs';
import { CONGESTIONS, RECOVERIES, type PolicyState } from '@verbslab/protocol';
import type { PolicyHistory } from './history.js';

export type Policy = Pick<PolicyState, 'recovery' | 'recoveryInEffect' | 'congestion'>;

const CONGESTION: Readonly<Record<string, { name: string; text: string }>> = {
  'dcqcn-paper': {
    name: 'DCQCN (paper)',
    text: 'RoCE v2 defines the CNP, not how a sender slows down. This QP follows DCQCN with the constants of the paper.',
  },
  'dcqcn-nic': {
    name: 'DCQCN (NIC)',
    text: 'RoCE v2 defines the CNP, not how a sender slows down. This QP follows DCQCN with the defaults of NVIDIA’s NICs.',
  },
  'dcqcn-ns3': {
    name: 'DCQCN (ns-3)',
    text: 'RoCE v2 defines the CNP, not how a sender slows down. This QP follows DCQCN with the constants of HPCC’s fork of ns-3.',
  },
  swift: {
    name: 'Swift',
    text: 'Swift is not part of RoCE v2. It keeps a window by round-trip times, and both ends acknowledge at once for it.',
  },
  timely: {
    name: 'TIMELY',
    text: 'TIMELY is not part of RoCE v2. It keeps a rate by the gradient of round-trip times, and both ends acknowledge at once for it.',
  },
  'timely-patched': {
    name: 'TIMELY (patched)',
    text: 'TIMELY is not part of RoCE v2. With this patch (Zhu et al., CoNEXT 2016), senders of one queue come to equal rates. Both ends acknowledge at once for it.',
  },
};

const RECOVERY: Readonly<Record<string, { name: string; text: string }>> = {
  'go-back-n': { name: 'go-back-N', text: '' },
  'go-back-0': {
    name: 'go-back-0',
    text: 'Go-back-0 is not standard: after a loss, the sender repeats the whole message. IBA repeats from the lost packet on (go-back-N).',
  },
  'selective-repeat': {
    name: 'selective repeat',
    text: 'Selective repeat is not part of RoCE: the receiver keeps what comes behind a lost packet, and the sender repeats that packet alone. Both ends have chosen it.',
  },
};

const GOES_BACK =
  'Selective repeat is not part of RoCE, and needs both ends. No packet from the peer has said that the peer repeats selectively, so the sender repeats from the lost packet on (go-back-N).';

const recoveryName = (recovery: string): string => RECOVERY[recovery]?.name ?? recovery;

function recoveryText({ recovery, recoveryInEffect = recovery }: Policy): string {
  if (recovery === 'selective-repeat' && recoveryInEffect === 'go-back-n') return GOES_BACK;
  return RECOVERY[recoveryInEffect]?.text ?? `This version does not know the recovery ${recoveryInEffect}.`;
}

/**
 * Short name of what is not the default, for a badge: `DCQCN (NIC)`, `go-back-0 · Swift`. Empty for the default. It
 * names the recovery in effect, and beside it the one that was asked for, if that is another.
 */
export function policyName({ recovery, recoveryInEffect = recovery, congestion }: Policy): string {
  const inEffect = recoveryName(recoveryInEffect);
  return [
    ...(recovery === RECOVERIES[0]
      ? []
      : [
          recoveryInEffect === recovery ? inEffect : `${recoveryName(recovery)} asked, ${inEffect} in effect`,
        ]),
    ...(congestion === CONGESTIONS[0] ? [] : [CONGESTION[congestion]?.name ?? congestion]),
  ].join(' · ');
}

/** What is not standard about a policy, in sentences. */
export function policyText(policy: Policy): string {
  const { recovery, congestion } = policy;
  return [
    ...(recovery === RECOVERIES[0] ? [] : [recoveryText(policy)]),
    ...(congestion === CONGESTIONS[0]
      ? []
      : [CONGESTION[congestion]?.text ?? `This version does not know the congestion control ${congestion}.`]),
  ].join(' ');
}

function rateText(rate: number): string {
  const { value, unit } = bitRate(rate);
  return `${value} ${unit}`;
}

/** Distinct policies of a run, each with the number of its queue pairs and their CNPs. */
export function policiesOf(
  history: PolicyHistory,
): { name: string; text: string; qps: number; cnps: number; marks: number; lowest: number | null }[] {
  const found = new Map<string, ReturnType<typeof policiesOf>[number]>();
  for (const { last, states } of history.tracks) {
    const name = policyName(last);
    const of = found.get(name) ?? {
      ...{ name, text: policyText(last), qps: 0, cnps: 0, marks: 0, lowest: null },
    };
    const rates = states.flatMap(({ state }) => (state?.rate === undefined ? [] : [state.rate]));
    const lowest = [...rates, ...(of.lowest === null ? [] : [of.lowest])];
    found.set(name, {
      ...of,
      qps: of.qps + 1,
      cnps: of.cnps + last.cnps,
      marks: of.marks + last.marks,
      lowest: lowest.length === 0 ? null : lowest.reduce((a, b) => Math.min(a, b)),
    });
  }
  return [...found.values()];
}

/** Lines of text, one for each policy: `DCQCN (NIC) on 2 QPs: 17 CNPs, lowest sampled rate 1.25 Gb/s`. */
export function policyLines(history: PolicyHistory): string[] {
  const lines = policiesOf(history).map(({ name, qps, cnps, marks, lowest }) => {
    const facts = [
      plural(cnps, 'CNP'),
      ...(marks === 0 ? [] : [`${plural(marks, 'packet')} received with ECN 3`]),
      ...(lowest === null ? [] : [`lowest sampled rate ${rateText(lowest)}`]),
    ];
    return `${name} on ${plural(qps, 'QP')}: ${facts.join(', ')}`;
  });
  const { others } = history;
  return others === 0 ? lines : [...lines, `${plural(others, 'more QP')} with such a policy not sampled`];
}
