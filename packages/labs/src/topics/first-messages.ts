/** A1 to A4: from the first WRITE to bulk transfers. */
import { fact, shown, type Topic } from './topic.js';

export const FIRST_MESSAGES: readonly Topic[] = [
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
];
