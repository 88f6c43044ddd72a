/** A: one question per lab, from the first WRITE to a slow network. */
import { fact, open, shown, type Expected, type Shown, type Topic } from './topic.js';

/** A page that computes with a run of the lab. */
const explained = (what: string, lab: Shown, says: string): Expected =>
  shown(what, [lab], { test: 'apps/web/test/explanations.test.ts', says });

export const QUESTIONS_FIRST: readonly Topic[] = [
  {
    id: 'A1',
    title: 'Minimal flow',
    expected: [
      shown(
        'listen, resolve address and route, connect and accept, disconnect',
        [{ lab: 'connection-manager', checks: ['client-events', 'server-events', 'cm-packets'] }],
        fact('foundations', "'rdma_resolve_addr', 'rdma_resolve_route', 'rdma_create_qp', 'rdma_connect'"),
      ),
      shown(
        '12 bytes of private data: address (8 bytes) and rkey (4 bytes), big-endian',
        [{ lab: 'connection-manager', checks: ['private-data'] }],
        fact('foundations', 'expect(record).toHaveLength(12)'),
        fact('foundations', 'record.readBigUInt64BE()'),
      ),
      shown(
        'one WRITE, one READ, a completion for each and none at the target',
        [
          {
            lab: 'minimal-flow',
            checks: ['bytes-written', 'bytes-read', 'one-completion-each', 'none-at-target'],
          },
        ],
        fact('foundations', "['RDMA_WRITE', 0]"),
      ),
      shown(
        'a trace with the parts setup, ready and data',
        [{ lab: 'connection-manager', tables: ['trace'] }],
        fact('foundations', "calls('setup, once')"),
        fact('foundations', "calls('data, per message')"),
      ),
    ],
  },
  {
    id: 'A2',
    title: 'One-sided WRITE and READ',
    expected: [
      shown(
        'order, and one completion per signaled request',
        [{ lab: 'write-read', checks: ['in-order', 'last-wins', 'one-per-signaled'] }],
        fact('verbs', "'batch-completions': 4"),
      ),
      shown(
        'the server’s memory changes, and no completion tells it',
        [{ lab: 'write-read', checks: ['buffer-changes', 'target-silent'] }],
        fact('verbs', "'target-completions': 0"),
      ),
      shown('where CPU time goes', [
        { lab: 'gigabyte', tables: ['costs'], checks: ['cpu'] },
        { lab: 'bulk', checks: ['cpu'] },
      ]),
    ],
  },
  {
    id: 'A3',
    title: 'WRITE with immediate',
    expected: [
      shown(
        'a RECV completes with opcode 129, IBV_WC_RECV_RDMA_WITH_IMM',
        [{ lab: 'write-imm', checks: ['recv-completes', 'recv-buffer-untouched'] }],
        fact('verbs', "['RECV_RDMA_WITH_IMM', 64]"),
      ),
      shown(
        'the immediate travels in network byte order',
        [{ lab: 'write-imm', checks: ['immediate'], tables: ['order'], selfChecks: ['ntohl'] }],
        fact('verbs', "'12 34 56 78'"),
      ),
      shown(
        'without a RECV: RNR NAK and retries, not a lost notification',
        [{ lab: 'write-imm', checks: ['late-recv', 'sender-knows', 'tries'] }],
        fact('verbs', "'never-status': 13, tries: 3"),
      ),
    ],
  },
  {
    id: 'A4',
    title: 'RDMA and TCP on bulk transfers',
    expected: [
      shown(
        'the same bytes over TCP and RDMA, side by side',
        [{ lab: 'bulk', checks: ['bytes-equal', 'tcp-bytes', 'completions'] }],
        fact('sockets', "['rdma', 'tcp']"),
      ),
      shown(
        '1 GiB in chunks of 4 MiB: 256 requests, 16 completions, 1,048,576 packets at path MTU 1024',
        [{ lab: 'bulk', selfChecks: ['completions'], checks: ['packets'] }],
        { test: 'apps/agent/test/gigabyte-arithmetic.test.ts', says: 'toBe(1_048_576)' },
        { test: 'apps/agent/test/gigabyte-arithmetic.test.ts', says: 'signaled: 16, completions: 16' },
        { test: 'packages/labs/test/form.test.ts', says: '1,048,576 packets at a path MTU of 1024 B' },
      ),
      shown(
        'at most 64 requests outstanding',
        [
          { lab: 'bulk', checks: ['outstanding'] },
          { lab: 'outstanding', checks: ['little', 'too-many'] },
        ],
        fact('sockets', 'At most 64 work requests were outstanding'),
        { test: 'apps/agent/test/gigabyte-arithmetic.test.ts', says: 'mostOutstanding: DEPTH' },
      ),
      shown(
        '256 requests with one signal in 16 give 16 completions',
        [{ lab: 'signal-every', checks: ['counted'], tables: ['counted'] }],
        fact('completions', '[16, 16]'),
      ),
      shown('throughput and CPU time', [
        { lab: 'bulk', checks: ['cpu'] },
        { lab: 'gigabyte', figures: ['tcp-cpu', 'rdma-cpu'] },
      ]),
    ],
  },
  {
    id: 'A5',
    title: 'Patterns of AI and ML',
    expected: [
      shown(
        'parameter server: push and pull',
        [{ lab: 'parameter-server', checks: ['silent', 'lockstep', 'turns', 'model'], curves: ['distance'] }],
        fact('ai-data', 'staleness: 2'),
      ),
      shown(
        'gradient chunks {layer_id, offset, payload} with a sequence number in the immediate, their order asserted',
        [{ lab: 'parameter-server', checks: ['order', 'headers'], tables: ['chunks'] }],
        fact('ai-data', '`0x0001000${i}`'),
      ),
      shown(
        'embedding cache: READ on a miss, WRITE of an update, invalidation by immediate',
        [
          {
            lab: 'embedding-cache',
            checks: ['hit-rate', 'reads', 'acknowledged', 'completion', 'too-early', 'under-way'],
            tables: ['ways'],
          },
        ],
        fact('ai-data', "'stale-acknowledged': 0"),
      ),
      shown(
        'feature store: a row, and then the watermark epoch',
        [
          {
            lab: 'feature-store',
            checks: ['row-first', 'watermark-first', 'ignoring', 'one-write'],
            tables: ['story'],
          },
        ],
        fact('ai-data', "'torn-watermark-first': 12"),
      ),
      shown(
        'rendezvous by immediate: RTS, CTS, and the immediate 1 for ready, beside eager messages with a copy',
        [
          {
            lab: 'rendezvous',
            checks: ['waits', 'ready', 'bounce', 'fin', 'too-long', 'bytes'],
            figures: ['formula', 'crossover-write', 'crossover-read', 'held-eager', 'held-rendezvous'],
            tables: ['ways', 'sizes'],
            curves: ['times', 'parts'],
            selfChecks: ['crossover'],
          },
        ],
        fact('ai-data', "immediate: 1, 'copies-eager': 2"),
      ),
      shown(
        'inference batch ring: WRITEs, and a WRITE_WITH_IMM of no bytes with the batch id; credits, overflow, no RECV',
        [
          {
            lab: 'inference-ring',
            checks: ['order', 'zero-length', 'intact', 'results', 'credits', 'overflow', 'rnr'],
            figures: ['knee', 'fixed', 'each'],
            tables: ['batches', 'ring', 'sizes'],
            curves: ['rate', 'latency'],
          },
        ],
        fact('ai-data', "notifications: 6, 'in-flight': 6, overwritten: 4"),
      ),
      shown(
        'checkpoint staging: WRITE, a verifying READ, a torn checkpoint found, the record last',
        [
          {
            lab: 'checkpoint-staging',
            checks: [
              'ack',
              'data-first',
              'record-first',
              'in-place',
              'verify',
              'together',
              'death',
              'untold',
            ],
            figures: ['serial', 'overlapped', 'saved', 'placed'],
            tables: ['crashes'],
            selfChecks: ['ack'],
          },
        ],
        fact('ai-data', "'torn-data-first': 0, 'torn-record-first': 4"),
      ),
      shown(
        'GPU-direct staging, as a concept: a copy on the way beside a WRITE from the buffer itself',
        [
          {
            lab: 'checkpoint-staging',
            figures: ['path-direct', 'path-staged', 'path-copy'],
            tables: ['paths'],
            curves: ['by-size'],
          },
        ],
        fact('ai-data', "rows('paths').map(({ size }) => size)"),
      ),
    ],
  },
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
  {
    id: 'A14',
    title: 'Two virtual machines',
    expected: [
      shown('Linux: set up and remove by one command', [], {
        test: 'e2e/vm/vm.test.ts',
        says: 'each have rxe0 and an agent with a token of its own',
      }),
      shown('set up step by step, each step checked as it takes effect', [], {
        test: 'e2e/browser/set-up.spec.ts',
        says: 'steps turn as they take effect',
      }),
      open('macOS', 'Not in the catalog yet.'),
    ],
  },
  {
    id: 'A15',
    title: 'Interactive explanations on measured data',
    expected: [
      explained(
        'averages hide spikes',
        { lab: 'averages-hide-spikes', curves: ['cumulative'] },
        'moves the mean, not the median, when the slowest are left out',
      ),
      explained(
        'polling or events',
        { lab: 'polling-events', tables: ['ways'] },
        'finds the rate from which polling costs less',
      ),
      explained(
        'slow setup and fast data path',
        { lab: 'connection-manager', tables: ['trace'] },
        'spreads the setup over the messages',
      ),
      explained(
        'loss amplification',
        { lab: 'loss-amplification', tables: ['single', 'random'] },
        'tells needed retransmissions from others',
      ),
      explained(
        'the QP state machine',
        { lab: 'qp-states', tables: ['calls'] },
        'sorts calls by transition and by state',
      ),
      explained(
        'zero copy against the copy path',
        { lab: 'copies-and-calls', tables: ['ways', 'copies'] },
        'puts two transports side by side',
      ),
      open('microburst fan-in, topology pressure, the amplification loop', 'They need the fabric simulator.'),
    ],
  },
  {
    id: 'A16',
    title: 'A lab notebook',
    expected: [
      shown('notes that stay with their run', [], {
        test: 'apps/agent/test/notebook.test.ts',
        says: 'belong to one run',
      }),
      shown(
        'the cost of moving data',
        [{ lab: 'gigabyte', checks: ['moved', 'cpu'], tables: ['costs'] }],
        fact('sockets', "'RDMA, shared memory'"),
      ),
      shown('loss and recovery', [
        { lab: 'loss-cost', figures: ['kept', 'worst'] },
        { lab: 'loss-amplification', figures: ['amplification'] },
      ]),
    ],
  },
];
