/** D: a RoCE network of two machines and more. */
import { fact, missing, open, shown, type Topic } from './topic.js';

export const DATA_CENTER: readonly Topic[] = [
  {
    id: 'D1',
    title: 'Headers of InfiniBand, RoCEv1 and RoCEv2',
    expected: [
      shown(
        'each header built byte by byte, and the sizes added up',
        [
          {
            lab: 'encapsulations',
            checks: ['captured', 'decoded', 'sums'],
            tables: ['totals', 'headers'],
            selfChecks: ['v2-frame', 'v1-more'],
          },
        ],
        fact('wire', "toEqual({ infiniband: 74, 'roce-v1': 122, 'roce-v2': 110, iwarp: 110 })"),
      ),
    ],
  },
  {
    id: 'D2',
    title: 'Devices and their GIDs',
    expected: [
      shown(
        'each GID is an address of an interface: IPv6, or ::ffff: and IPv4',
        [{ lab: 'device-facts', checks: ['gids-tied'], tables: ['gids', 'interfaces'] }],
        { test: 'packages/labs/test/device-facts.test.ts', says: 'fe80::7266:55ff:feb1:9a8d' },
      ),
      shown('two machines on one network, each with rxe0', [], {
        test: 'e2e/vm/vm.test.ts',
        says: 'each have rxe0 and an agent with a token of its own',
      }),
      shown(
        'ibv_devices and ibv_devinfo -v',
        [],
        { test: 'e2e/stock/stock.test.ts', says: 'ibv_devices names the device' },
        { test: 'e2e/stock/stock.test.ts', says: 'ibv_devinfo -v shows an active RoCEv2 port with its GIDs' },
      ),
    ],
  },
  missing(
    'D3',
    'perftest between two machines',
    'They run between the virtual machines; no lab explains their columns.',
  ),
  {
    id: 'D4',
    title: 'Segments of a message',
    expected: [
      shown(
        'READ of 4096 B at MTU 1024: First, Middle, Middle, Last',
        [{ lab: 'write-read', checks: ['read-cut', 'write-cut'], selfChecks: ['responses'] }],
        fact('verbs', 'READ response First, 2 READ response Middle, READ response Last'),
      ),
      shown(
        'packets, PSNs and the share of payload at each path MTU',
        [{ lab: 'segmentation', tables: ['messages', 'shares'], curves: ['payload'] }],
        fact('wire', "['75.7', '86.2', '92.6', '96.2', '98.0']"),
      ),
      shown('1000 B: one packet, Only', [{ lab: 'write-read', variations: ['one-packet'] }], {
        test: 'apps/agent/test/lab-write-read.test.ts',
        says: 'sends 1000 B as one packet',
      }),
      shown(
        'the path MTU counts payload only: Ethernet 1500 gives 1024',
        [{ lab: 'device-facts', figures: ['path-mtu-asked'], selfChecks: ['path-mtu'] }],
        fact('foundations', "figures['path-mtu-asked']).toBe(1024)"),
      ),
    ],
  },
  {
    id: 'D5',
    title: 'A capture with tcpdump, opened in Wireshark',
    expected: [
      shown(
        'the commands of tcpdump and tshark that find the messages of a connection',
        [{ lab: 'cm-messages', checks: ['request-data', 'reply-data'], tables: ['fields'] }],
        { test: 'apps/agent/test/lab-cm-messages.test.ts', says: 'find them with tcpdump, too' },
        { test: 'apps/agent/test/lab-cm-messages.test.ts', says: "commandsOf('tshark')" },
      ),
    ],
  },
  {
    id: 'D6',
    title: 'Hardware counters and their meanings',
    expected: [
      shown(
        'each counter moved on purpose, with its meaning',
        [
          {
            lab: 'hw-counters',
            checks: ['calm', 'traffic', 'loss', 'receive', 'refused'],
            tables: ['moves', 'experiments'],
          },
        ],
        fact('wire', 'expect.arrayContaining([...RXE, ...MLX5])'),
      ),
    ],
  },
  {
    id: 'D7',
    title: 'Your own program, and the traps in its constants',
    expected: [
      shown(
        'timeout 0 waits forever',
        [
          { lab: 'qp-states', checks: ['timeout'] },
          { lab: 'clinic-tour', checks: ['timeout-zero'] },
        ],
        fact('failures', "'timeout 0': { status: 'none' }"),
        fact('foundations', "'after-loss': null"),
      ),
      shown(
        'min_rnr_timer 0 is 655.36 ms',
        [
          { lab: 'qp-states', checks: ['rnr-timer'], figures: ['rnr-code'] },
          { lab: 'clinic-tour', checks: ['rnr-timer-zero'], figures: ['rnrZeroTime'] },
        ],
        fact('foundations', "'rnr-code': 655.36"),
        fact('failures', 'toBeGreaterThanOrEqual(655.36)'),
      ),
      shown(
        'max_rd_atomic 0 forbids READs',
        [
          { lab: 'qp-states', checks: ['rd-atomic'] },
          { lab: 'clinic-tour', checks: ['rd-atomic-zero'] },
        ],
        fact('failures', "'max_rd_atomic 0': { status: '2 LOC_QP_OP_ERR' }"),
      ),
      shown(
        'a wrong GID index',
        [{ lab: 'clinic-tour', checks: ['wrong-gid-index'] }],
        fact('failures', "'A wrong GID index': { errno: 'EINVAL', packets: 0 }"),
      ),
      shown('from open to free, with the exchange of QPN, GID, address and rkey', [
        { lab: 'minimal-flow', checks: ['bytes-written', 'bytes-read', 'still-connected'] },
        { lab: 'send-recv', checks: ['data'] },
      ]),
      open(
        'a guided program that you write yourself',
        'The labs have complete programs to change; none is written step by step.',
      ),
    ],
  },
  {
    id: 'D8',
    title: 'All-to-all: pairwise and Bruck',
    expected: [
      shown(
        'P − 1 messages or (P / 2) log2 P blocks of each host; two packets a message',
        [
          {
            lab: 'all-to-all',
            checks: ['data', 'messages', 'packets', 'counters'],
            figures: ['messages-pairwise', 'messages-bruck', 'packets-pairwise', 'packets-bruck'],
            tables: ['counts', 'schedule'],
          },
        ],
        fact('many-hosts', "figures['packets-pairwise']).toBe(24)"),
      ),
      shown(
        'an all-reduce: 2 (N − 1) / N vectors from each host of a ring, log2 N from the root of a tree',
        [
          {
            lab: 'ring-all-reduce',
            checks: ['sums', 'messages', 'packets', 'counters'],
            figures: ['messages-ring', 'messages-tree', 'sent-ring', 'sent-tree'],
            tables: ['counts', 'hosts', 'steps'],
          },
        ],
        fact('many-hosts', "figures['sent-ring']).toBe(1.5)"),
      ),
    ],
  },
];
