/** C: the fundamentals, with their exercises. */
import { asked, fact, open, shown, type Asserted, type Topic } from './topic.js';

const EXERCISES = 'packages/labs/test/registration-cost.test.ts';

const exercise = (says: string): Asserted => ({ test: 'packages/labs/test/exercises.test.ts', says });

export const FUNDAMENTALS: readonly Topic[] = [
  {
    id: 'C1',
    title: 'The path of sockets and the path of RDMA',
    expected: [
      shown(
        'copies, system calls and context switches per message, of both',
        [
          {
            lab: 'copies-and-calls',
            checks: ['same', 'sockets', 'around'],
            figures: ['tcp-calls', 'write-calls', 'tcp-switches', 'write-switches'],
            tables: ['copies', 'calls'],
          },
        ],
        fact('foundations', "for (const call of ['sendto', 'recvfrom'])"),
        fact('foundations', "['TCP', 2]"),
      ),
      shown('CPU time per message', [
        { lab: 'copies-and-calls', tables: ['ways'] },
        { lab: 'gigabyte', tables: ['costs'] },
      ]),
    ],
  },
  {
    id: 'C2',
    title: 'The cost of registering memory',
    expected: [
      shown(
        'sizes from 4 KiB to 1 GiB, and the cost per page',
        [
          {
            lab: 'registration-cost',
            checks: ['grows', 'locked'],
            curves: ['cost'],
            figures: ['per-page-touched'],
            variations: ['one-gib'],
          },
        ],
        fact('memory', '[4, 16, 64, 256, 1024].map((kib) => [kib * KIB, kib * KIB])'),
      ),
      shown('touched and untouched pages apart', [
        {
          lab: 'registration-cost',
          checks: ['faults', 'no-faults'],
          figures: ['per-page-untouched', 'ratio'],
        },
      ]),
      shown(
        'RLIMIT_MEMLOCK refuses with ENOMEM',
        [
          { lab: 'registration-cost', checks: ['limit'] },
          { lab: 'clinic-tour', checks: ['memory-limit'] },
        ],
        {
          test: 'apps/agent/test/lab-clinic-limit.test.ts',
          says: 'refuses more than may be locked with ENOMEM, on a strict device',
        },
      ),
    ],
  },
  {
    id: 'C3',
    title: 'Latency of sockets and RDMA',
    expected: [
      shown(
        'distributions of UDP, TCP, SEND/RECV and WRITE',
        [
          {
            lab: 'latency',
            checks: ['samples', 'rising', 'answered'],
            figures: ['udp', 'tcp', 'send', 'write'],
            curves: ['distribution'],
          },
        ],
        fact('sockets', "'UDP sockets'"),
        fact('sockets', 'expect(p999 === null).toBe(Number(n) < 10_000)'),
      ),
    ],
  },
  {
    id: 'C4',
    title: 'Exercises with answers',
    expected: [
      shown(
        '1 GiB: 262,144 pages and a table of 2,097,152 B; 1 MiB of table covers 0.5 GiB; 16 GiB: 4,194,304 pages, 32 MiB',
        [{ lab: 'registration-cost', tables: ['tables'], selfChecks: ['table', 'covered'] }],
        { test: EXERCISES, says: 'toBe(262_144)' },
        { test: EXERCISES, says: 'toBe(2_097_152)' },
        { test: EXERCISES, says: 'toBe(GIB / 2)' },
        fact('memory', '{ pages: 4_194_304, table: 32 * MIB }'),
      ),
      shown(
        'MAC 70:66:55:b1:9a:8d gives fe80::7266:55ff:feb1:9a8d',
        [{ lab: 'device-facts', selfChecks: ['gid-of-mac'] }],
        {
          test: 'packages/labs/test/device-facts.test.ts',
          says: "linkLocalOf('70:66:55:b1:9a:8d')).toBe('fe80::7266:55ff:feb1:9a8d')",
        },
      ),
      asked(
        'sizes of queues, the SGE of a WRITE, a latency model, the time until PSNs wrap',
        ['queue-memory', 'fill-in-write', 'latency-model', 'psn-wrap', 'link-local'],
        exercise("'queue-memory'"),
        exercise("'fill-in-write'"),
        exercise('9.2 and 16.7 times as long'),
        exercise('0.859 s at 19.53 million packets a second'),
        exercise('fe80::7266:55ff:feb1:9a8d'),
      ),
    ],
  },
  {
    id: 'C5',
    title: 'Failures and what a correct stack reports',
    expected: [
      shown(
        'F1, memory that is not registered: status 4',
        [{ lab: 'clinic-tour', checks: ['unregistered-memory'] }],
        fact(
          'failures',
          "status: '4 LOC_PROT_ERR',\n    packets: 0,\n    seen: 'The client’s QP is in ERR.'",
        ),
      ),
      shown(
        'F2, a wrong rkey: NAK 0x62, status 10, event QP_ACCESS_ERR',
        [{ lab: 'clinic-tour', checks: ['wrong-rkey'] }],
        fact('failures', "serverEvent: 'QP_ACCESS_ERR',\n    clientEvent: 'none',\n    nak: '0x62'"),
      ),
      shown(
        'F3, a buffer that is not page-aligned: one page more',
        [{ lab: 'registration-cost', checks: ['unaligned'] }],
        { test: EXERCISES, says: 'pagesOf(PAGE, PAGE, 2048)).toBe(2)' },
      ),
      shown(
        'F4, too many SGEs: EINVAL; a wrong SGE: status 4',
        [{ lab: 'clinic-tour', checks: ['too-many-sges', 'wrong-sge'] }],
        fact('failures', "'More SGEs than the QP allows': { errno: 'EINVAL', packets: 0 }"),
        fact('failures', "'An SGE that reaches beyond its region': { status: '4 LOC_PROT_ERR', packets: 0 }"),
      ),
      shown(
        'F5, never polling: CQ overrun, and ENOMEM from ibv_post_send',
        [
          { lab: 'cq-overrun', checks: ['overrun', 'fatal'] },
          { lab: 'clinic-tour', checks: ['cq-overrun', 'never-polled', 'full-queue'] },
        ],
        fact('failures', "stringContaining('CQ_ERR')"),
        fact('failures', "errno: 'ENOMEM',\n    seen: '16 posts were accepted."),
      ),
      shown(
        'F7, the rkey of another region: status 10',
        [{ lab: 'clinic-tour', checks: ['foreign-rkey'] }],
        fact(
          'failures',
          "'The rkey of another region': { status: '10 REM_ACCESS_ERR', nak: '0x62', serverEvent: 'QP_ACCESS_ERR' }",
        ),
      ),
      shown(
        'F8, SEND without RECV: RNR NAK; status 13 with rnr_retry 0 to 6, forever with 7',
        [
          { lab: 'clinic-tour', checks: ['missing-recv', 'recv-never'] },
          { lab: 'retry-timers', checks: ['rnr-status'] },
        ],
        fact('failures', "status: '13 RNR_RETRY_EXC_ERR',\n    nak: '4 × RNR'"),
        fact('failures', "[retry, retry, '13 RNR_RETRY_EXC_ERR']"),
      ),
      shown(
        'F9, beyond the limit: ibv_reg_mr fails with ENOMEM',
        [{ lab: 'clinic-tour', checks: ['memory-limit'] }],
        {
          test: 'apps/agent/test/lab-clinic-limit.test.ts',
          says: 'refuses more than may be locked with ENOMEM, on a strict device',
        },
      ),
      shown(
        'F10, memory that is unmapped while it is registered',
        [{ lab: 'clinic-tour', checks: ['remapped'] }],
        fact('failures', "'Memory that is unmapped while it is registered': {\n    status: '0 SUCCESS'"),
      ),
    ],
  },
  {
    id: 'C6',
    title: 'Why, what, where, who and when',
    expected: [
      asked(
        'where queues live, who moves data, when a buffer is free, why the target hears nothing',
        ['where-queues', 'who-copies', 'when-reuse', 'why-silent', 'who-is-interrupted'],
        exercise('puts the right option in any place'),
      ),
      shown('the times of post, device and poll; the CQE needs the ACK', [
        { lab: 'write-stages', checks: ['order', 'cqe-after-ack'], tables: ['stages'] },
      ]),
    ],
  },
  {
    id: 'C7',
    title: 'How the target learns of a WRITE',
    expected: [
      shown(
        'polling memory, a SEND, an atomic counter, WRITE with immediate: latency and CPU of each',
        [
          {
            lab: 'notify-target',
            checks: ['silent', 'ack', 'whole'],
            figures: ['memory-time', 'imm-time', 'memory-cpu', 'sleep-cpu'],
            tables: ['ways'],
            curves: ['distribution'],
          },
        ],
        fact('verbs', 'expect(ways.map(({ n, recv, ordered }) => [n, recv, ordered])).toEqual(['),
      ),
      shown('an atomic counter that many clients change', [
        { lab: 'atomics', checks: ['fetch-add', 'lost-updates'] },
      ]),
    ],
  },
  {
    id: 'C8',
    title: 'ib_write_bw and ib_write_lat, column by column',
    expected: [
      asked(
        'MB that are MiB, and half of a round trip',
        ['perftest-units', 'ping-pong'],
        exercise('can be solved with any numbers'),
      ),
      open('each column beside the objects and packets it stands for', 'No lab explains their columns.'),
    ],
  },
  {
    id: 'C9',
    title: 'Break-even of registration',
    expected: [
      shown(
        'one registration against a copy per message',
        [
          {
            lab: 'register-or-copy',
            checks: ['once', 'copy', 'each'],
            figures: ['break-even', 'crossing'],
            curves: ['sum', 'size'],
          },
        ],
        fact('memory', "expect(figures['break-even']).toBe(even)"),
      ),
    ],
  },
  {
    id: 'C10',
    title: 'One WRITE, step by step',
    expected: [
      shown('work request, packet, ACK, completion, poll', [
        { lab: 'minimal-flow', checks: ['one-completion-each', 'write-packets'] },
        { lab: 'notify-target', checks: ['ack'], selfChecks: ['cqe-needs-ack'] },
      ]),
      shown(
        'each stage timed: build, post, packets, server, ACK, CQE, poll; they add up',
        [
          {
            lab: 'write-stages',
            checks: ['order', 'adds-up'],
            figures: ['whole', 'call', 'round', 'waiting'],
            tables: ['stages'],
            curves: ['adds-up'],
            variations: ['small', 'inline', 'large', 'events'],
          },
        ],
        fact('wire', "expect(rows('stages').map(({ stage }) => stage)).toEqual(STAGES)"),
      ),
      shown(
        'doorbell, WQE fetch, key check and DMA of a NIC beside what this device does',
        [{ lab: 'write-stages', tables: ['nic'] }],
        fact('wire', "expect(rows('nic').map(({ stage }) => stage)).toEqual(STAGES)"),
      ),
    ],
  },
  {
    id: 'C11',
    title: 'A UD receive buffer',
    expected: [
      shown(
        '104 B: 40 B of GRH and 64 B of payload, which begins at offset 40',
        [
          {
            lab: 'ud-grh',
            checks: ['byte-len', 'payload-at-40', 'grh'],
            figures: ['buffer', 'byte-len'],
            selfChecks: ['buffer', 'payload'],
          },
        ],
        fact('verbs', "buffer: 104, 'byte-len': 104"),
      ),
    ],
  },
];
