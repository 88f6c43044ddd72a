/** Recovery and congestion control of a lab's queue pairs as parameters. */
import { CONGESTIONS, RECOVERIES, type QpPolicyChoice } from '@verbslab/protocol';
import { z } from 'zod';

/** The default is what every device has. */
const needed = (names: readonly string[]): Record<string, ['policies']> =>
  Object.fromEntries(names.slice(1).map((name) => [name, ['policies']]));

export const policyParams = {
  recovery: z
    .enum(RECOVERIES)
    .default('go-back-n')
    .meta({
      title: 'Recovery',
      choiceNeeds: needed(RECOVERIES),
      choiceTitles: {
        'go-back-n': 'go-back-N',
        'go-back-0': 'go-back-0',
        'selective-repeat': 'selective repeat',
      },
      description:
        'What a loss costs: what follows the lost packet (go-back-N, as the specification has it), the whole message (go-back-0, as early NICs had it), or the lost packet alone (selective repeat, between two devices of Verbs Lab).',
    }),
  congestion: z
    .enum(CONGESTIONS)
    .default('none')
    .meta({
      title: 'Congestion control',
      choiceNeeds: needed(CONGESTIONS),
      choiceTitles: {
        none: 'none',
        'dcqcn-paper': 'DCQCN (paper)',
        'dcqcn-nic': 'DCQCN (NIC)',
        'dcqcn-ns3': 'DCQCN (ns-3)',
        swift: 'Swift',
        timely: 'TIMELY',
        'timely-patched': 'TIMELY (patched)',
      },
      description:
        'What slows a sender down. DCQCN lowers its rate with each CNP, so it does nothing until packets are marked: inject marks while the run goes on. Swift and TIMELY follow round-trip times. DCQCN and TIMELY start at 10 Gb/s.',
    }),
};

/** Option of `createQp` for these parameters. The default asks nothing of the device. */
export const policyOption = ({
  recovery,
  congestion,
}: Required<Pick<QpPolicyChoice, 'recovery' | 'congestion'>>): { policy?: QpPolicyChoice } =>
  recovery === RECOVERIES[0] && congestion === CONGESTIONS[0] ? {} : { policy: { recovery, congestion } };
