/** E: what a library on top of verbs needs. */
import { fact, shown, type Topic } from './topic.js';

export const COMMUNICATION_LIBRARY: readonly Topic[] = [
  {
    id: 'E1',
    title: 'Modes of a library',
    expected: [
      shown(
        'send: a message and its answer',
        [
          { lab: 'send-recv', checks: ['in-order', 'byte-len', 'credits'] },
          { lab: 'which-verb', checks: ['send-message'] },
        ],
        fact('verbs', "{ message: 1, sent: 100, recv: 100, received: 100, data: 'the same' }"),
      ),
      shown(
        'write: WRITE with immediate',
        [
          { lab: 'write-imm', checks: ['recv-completes', 'immediate'] },
          { lab: 'notify-target', checks: ['whole'] },
        ],
        fact('verbs', 'immediate: 0x12345678'),
      ),
      shown(
        'read: the server is passive',
        [{ lab: 'which-verb', checks: ['read-pull'] }],
        fact('which-verb', "['client: READ', 'server: nothing', 0, 'none', 'REMOTE_READ']"),
      ),
      shown(
        'the four modes side by side: cost, rights, who is interrupted',
        [{ lab: 'four-modes', checks: ['interrupted'], tables: ['modes', 'cpu', 'rights'] }],
        fact('remote-functions', 'toEqual([1, 1, 0, 1])'),
      ),
      shown(
        'lambda: code that is shipped, runs at the peer, and writes its result back',
        [
          {
            lab: 'remote-execution',
            checks: ['answers', 'refused', 'told'],
            figures: ['even-ship', 'even-call'],
            tables: ['times', 'stages'],
          },
        ],
        fact('remote-functions', "['LAMBDA_ALTERED', 2]"),
      ),
    ],
  },
  {
    id: 'E2',
    title: 'Least privilege, and connecting by hand',
    expected: [
      shown(
        'each mode passes only with its own right',
        [
          { lab: 'memory-windows', checks: ['own-right', 'send-right'], tables: ['rights'] },
          { lab: 'which-verb', checks: ['rights'] },
          { lab: 'four-modes', checks: ['data', 'refused'], tables: ['rights', 'privileges'] },
        ],
        fact('verbs', '[PASSES, REFUSED, REFUSED, PASSES]'),
      ),
      shown('INIT, RTR and RTS by hand, with values exchanged out of band', [
        { lab: 'connection-manager', checks: ['by-hand'] },
        { lab: 'minimal-flow', selfChecks: ['who-learns'] },
      ]),
      shown('the exchange over TCP port 18515', [], {
        test: 'e2e/stock/stock.test.ts',
        says: 'ibv_rc_pingpong',
      }),
    ],
  },
  {
    id: 'E3',
    title: 'Constants and what they mean',
    expected: [
      shown('timeout, retry_cnt and rnr_retry', [
        {
          lab: 'retry-timers',
          checks: ['ack-least', 'rnr-least', 'rnr-tries'],
          selfChecks: ['usual', 'rnr'],
          variations: ['usual', 'seven'],
        },
      ]),
      shown('inline data', [{ lab: 'inline', checks: ['too-large'], selfChecks: ['queue-memory'] }]),
      shown('the size of a CQ', [{ lab: 'cq-overrun', selfChecks: ['size'] }]),
    ],
  },
  {
    id: 'E4',
    title: 'Mistakes of a library',
    expected: [
      shown(
        'a RECV that is posted too late works by RNR retries only',
        [{ lab: 'clinic-tour', checks: ['late-recv'] }],
        fact('failures', "'A RECV that is posted too late': { status: '0 SUCCESS' }"),
      ),
      shown(
        'a buffer that is overwritten while the peer still reads it',
        [
          { lab: 'clinic-tour', checks: ['overwritten'] },
          { lab: 'three-contracts', checks: ['memory-reused'] },
        ],
        fact('failures', "'A buffer that is overwritten while the peer reads it': { status: '0 SUCCESS' }"),
      ),
      shown(
        'pooling, reconnection and back-off',
        [
          {
            lab: 'cm-pooling',
            checks: ['connections-made', 'reconnected', 'pauses-kept'],
            figures: ['times-longer', 'exponential-tries'],
          },
          { lab: 'three-contracts', checks: ['delivery-rebuilt'] },
        ],
        fact('connections', "'0 to 20, 40, … 320 ms'"),
      ),
      shown(
        'signature, sandbox and limits of code that runs at the peer',
        [
          {
            lab: 'remote-execution',
            checks: ['refused', 'memory-held', 'goes-on'],
            tables: ['refusals'],
            selfChecks: ['signature', 'copy'],
          },
          { lab: 'clinic-tour', checks: ['lambda-unsigned', 'lambda-altered', 'lambda-loop', 'lambda-trap'] },
        ],
        { test: 'apps/agent/test/endpoint-lambda.test.ts', says: "'a loop without end'" },
      ),
    ],
  },
];
