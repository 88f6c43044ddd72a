/** A6 to A9: limits of a device, loss and delay, memory regions, states of a QP. */
import { fact, open, shown, type Topic } from './topic.js';

export const RESOURCES_AND_LOSS: readonly Topic[] = [
  {
    id: 'A6',
    title: 'Limits and port state before a QP',
    expected: [
      shown(
        'max_qp, max_cq, state, max_mtu, active_mtu',
        [
          {
            lab: 'device-facts',
            checks: ['port-active', 'mtu-fits'],
            figures: ['max-qp', 'max-cq', 'active-mtu'],
            tables: ['attributes'],
          },
        ],
        fact('foundations', "['max_qp', 'max_cq', 'state', 'max_mtu', 'active_mtu']"),
      ),
      shown(
        'one queue more than the limit is refused',
        [{ lab: 'device-facts', checks: ['refused'], variations: ['at-the-limit'] }],
        { test: 'apps/agent/test/lab-device-facts.test.ts', says: 'grants exactly the limits' },
      ),
    ],
  },
  {
    id: 'A7',
    title: 'Loss and delay',
    expected: [
      shown(
        'loss of 1 % and more: NAKs and retransmissions in the capture',
        [
          { lab: 'loss-cost', checks: ['slower', 'arrived', 'counted'], curves: ['small', 'large'] },
          { lab: 'loss-amplification', checks: ['counted', 'bounded'] },
        ],
        fact('loss', "figures['captured-lost']"),
      ),
      shown(
        'delay of a path',
        [{ lab: 'delay-and-window', checks: ['delayed'], variations: ['far'] }],
        fact('loss', '[0, 100, 400]'),
      ),
      shown('delays that hit few packets', [{ lab: 'averages-hide-spikes', checks: ['spikes'] }]),
      open(
        'rate limit, reordering, duplicates and jitter in a lab',
        'The device injects them; no lab asks about them yet.',
      ),
    ],
  },
  {
    id: 'A8',
    title: 'A cache of memory regions',
    expected: [
      shown(
        '4, 8, 16, 32 KiB in turn, 40 iterations: 4 registrations, 4 misses, 36 hits',
        [{ lab: 'mr-cache', checks: ['counted', 'expected'], figures: ['hits', 'misses'] }],
        fact('memory', 'misses: 4, hits: 36, evictions: 0'),
        fact('memory', '[4, 8, 16, 32]'),
      ),
    ],
  },
  {
    id: 'A9',
    title: 'The states of a QP',
    expected: [
      shown(
        'the attributes of every step',
        [
          {
            lab: 'qp-states',
            checks: ['right-way', 'masks', 'mistakes-refused', 'err-flushes', 'only-reset'],
            tables: ['calls'],
          },
        ],
        fact('foundations', "['0x39', '0x129181', '0x12e01']"),
      ),
      shown('what each step sends', [
        { lab: 'minimal-flow', checks: ['quiet-setup', 'write-packets', 'read-packets'] },
        { lab: 'qp-states', checks: ['rts-works'] },
      ]),
    ],
  },
];
