/** A10 to A13: captures, tuning, the choice of a verb, troubleshooting. */
import { fact, shown, type Topic } from './topic.js';

export const DIAGNOSIS: readonly Topic[] = [
  {
    id: 'A10',
    title: 'Capture of a connection',
    expected: [
      shown(
        'ConnectRequest, its private data, and the messages until DisconnectReply',
        [
          { lab: 'connection-manager', tables: ['messages'], checks: ['cm-packets'] },
          {
            lab: 'cm-messages',
            tables: ['cm-message-times', 'fields'],
            checks: ['request-data', 'reply-data'],
          },
        ],
        fact('foundations', "['ConnectRequest', 1]"),
        fact('connections', "toContain('66 69 6e 64 20 6d 65 20')"),
      ),
      shown('WRITE, ACK and READ in the capture', [
        { lab: 'minimal-flow', checks: ['write-packets', 'read-packets', 'icrc'] },
      ]),
      shown(
        'each field of a captured packet edited, sent, and judged by the receiver',
        [
          {
            lab: 'header-explorer',
            checks: ['original', 'dropped', 'refused', 'executed'],
            tables: ['edits'],
          },
        ],
        fact('wire', "'bth.psn=-1': `Duplicate | duplicate_request"),
      ),
      shown(
        'a lab that captures with a filter for port 4791 and opens the file',
        [{ lab: 'cm-messages', checks: ['cm-order', 'service-id'] }],
        { test: 'apps/agent/test/lab-cm-messages.test.ts', says: 'find the requests and replies of the run' },
      ),
    ],
  },
  {
    id: 'A11',
    title: 'Tuning and its risks',
    expected: [
      shown(
        'signal every N-th request; without signals the send queue fills',
        [{ lab: 'signal-every', checks: ['counted', 'full', 'too-rare', 'often-enough'], figures: ['room'] }],
        fact('completions', "['never', 8, 8, 0]"),
      ),
      shown(
        'requests in flight: the send queue refuses more, and a small CQ overruns',
        [
          { lab: 'outstanding', checks: ['too-many'] },
          { lab: 'cq-overrun', checks: ['overrun', 'fatal'] },
        ],
        fact('completions', "[17, 16, 'CQ_ERR']"),
      ),
      shown('message size', [
        { lab: 'bulk', variations: ['small-messages'] },
        { lab: 'post-lists', variations: ['large-messages'] },
      ]),
      shown('reuse of registrations', [
        { lab: 'mr-cache', checks: ['expected'] },
        { lab: 'register-or-copy', checks: ['once', 'each'], figures: ['break-even'] },
      ]),
      shown(
        'polling or events',
        [{ lab: 'polling-events', checks: ['rearm', 'late', 'again', 'events'] }],
        fact('completions', "'events-forgotten': 0"),
      ),
      shown(
        'initiator_depth bounds READs, not WRITEs',
        [
          { lab: 'outstanding', variations: ['one-read', 'writes-initiator-depth-1'] },
          { lab: 'qp-states', checks: ['rd-atomic'] },
        ],
        {
          test: 'apps/agent/test/lab-outstanding.test.ts',
          says: 'is bounded by initiator_depth for READs, and not for WRITEs',
        },
      ),
    ],
  },
  {
    id: 'A12',
    title: 'Which verb to choose',
    expected: [
      shown(
        'WRITE pushes, READ pulls, SEND is a message, WRITE with immediate is data plus a tag',
        [
          {
            lab: 'which-verb',
            checks: ['send-message', 'write-push', 'imm-tag', 'read-pull'],
            tables: ['guide', 'matrix'],
          },
        ],
        fact('which-verb', "['WRITE_WITH_IMM', 'Pushing data with a tag of 32 bits', 1, 17]"),
      ),
    ],
  },
  {
    id: 'A13',
    title: 'Troubleshooting',
    expected: [
      shown(
        'from symptoms to the mistake',
        [{ lab: 'clinic', checks: ['symptoms', 'fixed'], tables: ['symptoms', 'counters', 'diagnosis'] }],
        fact('failures', "outcomes).toEqual({ diagnosis: 'psn-mismatch' })"),
      ),
      shown(
        'no such device, a wrong device name, an unreachable peer, no answer of the connection manager',
        [],
        {
          test: 'apps/agent/test/doctor.test.ts',
          says: 'are found in what a program printed, and by a part of them',
        },
        { test: 'apps/agent/test/doctor.test.ts', says: 'are in the docs, each with its cure' },
      ),
      shown(
        'the peer cannot be reached',
        [
          { lab: 'clinic-tour', checks: ['peer-gone', 'psn-mismatch'] },
          { lab: 'connection-manager', checks: ['rejected'] },
          { lab: 'cm-reject', checks: ['no-listener', 'program'] },
        ],
        fact('failures', "status: '12 RETRY_EXC_ERR', nak: 'none'"),
      ),
      shown('a QP stays in INIT or RTR', [
        { lab: 'clinic-tour', checks: ['wrong-state'] },
        { lab: 'qp-states', checks: ['mistakes-refused'] },
      ]),
      shown('a WRITE completes, but the server has no completion', [
        { lab: 'write-imm', checks: ['plain-silent'] },
        { lab: 'notify-target', checks: ['silent'] },
      ]),
      shown(
        'polling a CQ never ends',
        [
          { lab: 'signal-every', checks: ['silent', 'too-rare'] },
          { lab: 'clinic-tour', checks: ['recv-never', 'timeout-zero'] },
        ],
        fact('failures', "'timeout 0': { status: 'none' }"),
      ),
      shown('loss on the path that no drop counter shows', [{ lab: 'loss-cost', checks: ['counted'] }]),
      shown(
        'a device that exists already, a container that sees the devices of the host, a program for another CPU',
        [],
        { test: 'apps/agent/test/doctor.test.ts', says: "explain('error: File exists')" },
        { test: 'apps/agent/test/doctor.test.ts', says: 'of another network namespace' },
        { test: 'apps/agent/test/doctor.test.ts', says: 'cannot execute binary file: Exec format error' },
      ),
    ],
  },
];
