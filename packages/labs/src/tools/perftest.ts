/** ib_{write,read,send}_{bw,lat} of perftest. */
import { z } from 'zod';
import { eventsField, gidField, portField, sizeField } from './fields.js';
import { defineTool, type Tool, type ToolPlace } from './tool.js';
import { flag } from './words.js';

type Verb = 'write' | 'read' | 'send';
type Figure = 'bw' | 'lat';

const MIB = 1024 * 1024;

const modeField = z
  .enum(['iterations', 'duration', 'all-sizes'])
  .default('iterations')
  .meta({
    title: 'Measure',
    description:
      'A number of messages, a time, or every power of two from 2 B to 8 MiB (on UD to the path MTU).',
    choiceTitles: { iterations: 'A number of messages', duration: 'A time', 'all-sizes': 'All sizes' },
  });

const shared = {
  mode: modeField,
  iterations: z.int().min(5).max(100_000).default(1000).meta({
    title: 'Iterations',
    description: 'Messages per size and QP. Unused where a time is measured.',
  }),
  duration: z.int().min(1).max(20).default(2).meta({
    title: 'Duration',
    description: 'Only where a time is measured.',
    unit: 's',
  }),
  mtu: z.enum(['256', '512', '1024', '2048', '4096']).default('4096').meta({
    title: 'Path MTU',
    description: 'Payload of one packet at most.',
  }),
  gid: gidField,
  cm: z.boolean().default(false).meta({
    title: 'Connect by rdma_cm',
    description:
      'Exchange addresses and connect the QPs through the connection manager instead of a TCP socket.',
  }),
  port: portField(18515, 'Port on which the server listens, of TCP or of the connection manager.'),
};

const SHARED_FLAGS = {
  mode: '-n, -D or -a',
  iterations: '-n',
  duration: '-D',
  mtu: '-m',
  gid: '-x',
  cm: '-R',
  port: '-p',
} as const;

interface Values {
  size: number;
  mode: 'iterations' | 'duration' | 'all-sizes';
  iterations: number;
  duration: number;
  mtu: string;
  inline?: number;
  gid: number;
  cm: boolean;
  port: number;
  connection?: string;
  events?: boolean;
  txDepth?: number;
  queuePairs?: number;
  postList?: number;
  bidirectional?: boolean;
  gbits?: boolean;
}

const amount = (v: Values): string[] =>
  v.mode === 'all-sizes'
    ? ['-a', ...flag('-n', v.iterations)]
    : [...flag('-s', v.size), ...(v.mode === 'duration' ? flag('-D', v.duration) : flag('-n', v.iterations))];

/** -F: a CPU whose frequency varies is no reason to stop. */
const words = (v: Values): string[] => [
  '-F',
  ...amount(v),
  ...flag('-c', v.connection),
  ...flag('-m', v.mtu),
  ...flag('-x', v.gid),
  ...flag('-t', v.txDepth),
  ...(v.queuePairs === 1 ? [] : flag('-q', v.queuePairs)),
  ...(v.postList === 1 ? [] : flag('-l', v.postList)),
  ...(v.inline === 0 ? [] : flag('-I', v.inline)),
  ...flag('-b', v.bidirectional ?? false),
  ...flag('-e', v.events ?? false),
  ...flag('--report_gbits', v.gbits ?? false),
  ...flag('-R', v.cm),
  ...flag('-p', v.port),
];

const WHAT: Readonly<Record<Verb, string>> = {
  write: 'RDMA WRITE',
  read: 'RDMA READ',
  send: 'SEND',
};

const SHOWS: Readonly<Record<`${Verb}_${Figure}`, string>> = {
  write_bw:
    'The client keeps the send queue full of WRITEs. In one direction and without rdma_cm, the server polls nothing and posts nothing: look at how its process has no completions. MB/sec are MiB (2^20 B) per second.',
  write_lat:
    'Each end writes into the other’s memory and watches its own until the answer appears: no CQE says so. The latency is half of a round trip.',
  read_bw:
    'The client fetches from the server’s memory. Only so many READs may be outstanding (max_rd_atomic), whatever the depth of the queue.',
  read_lat:
    'One READ at a time. A READ is a whole round trip, and the latency is that of the whole, not half of it.',
  send_bw:
    'Each SEND takes a receive that the server posted, so both ends have completions. The server’s peak is 0: only the sender knows when it posted.',
  send_lat: 'A SEND each way in turn, as ibv_rc_pingpong does. The latency is half of a round trip.',
};

const connectionField = (verb: Verb) =>
  z
    .enum(verb === 'send' ? ['RC', 'UC', 'UD'] : ['RC', 'UC'])
    .default('RC')
    .meta({
      title: 'Transport',
      description: 'Service type of the QPs. UC and UD have no acknowledgments.',
      choiceTitles: { RC: 'RC', UC: 'UC', UD: 'UD' },
    });

const roles = [
  {
    name: 'server',
    text: 'Listens, offers its memory or posts receives.',
    args: words,
    ready: ({ cm, port }: Values) =>
      cm ? ({ kind: 'cm', port, space: 'tcp' } as const) : ({ kind: 'tcp', port } as const),
  },
  {
    name: 'client',
    text: 'Connects, posts the work requests and prints the figures.',
    args: (v: Values, { address }: ToolPlace) => [...words(v), address],
  },
];

/** READ exists on RC only. */
const transportOf = (verb: Verb) => (verb === 'read' ? {} : { connection: connectionField(verb) });
const transportFlag = (verb: Verb) => (verb === 'read' ? {} : { connection: '-c' });
const inlineField = z.int().min(0).max(256).default(0).meta({
  title: 'Inline size',
  description: 'Messages up to this size are copied into the work request when it is posted. 0: none.',
  unit: 'B',
});
/** A READ request carries no data. */
const inlineOf = (verb: Verb) => (verb === 'read' ? {} : { inline: inlineField });
const inlineFlag = (verb: Verb) => (verb === 'read' ? {} : { inline: '-I' });
/** A test of WRITEs waits for no event. */
const eventsOf = (verb: Verb) => (verb === 'write' ? {} : { events: eventsField });
const eventsFlag = (verb: Verb) => (verb === 'write' ? {} : { events: '-e' });

function bandwidth(verb: Verb): Tool {
  const params: z.ZodObject = z.object({
    size: sizeField(8 * MIB, 65_536),
    ...transportOf(verb),
    ...shared,
    ...inlineOf(verb),
    txDepth: z.int().min(1).max(1024).default(128).meta({
      title: 'Send queue depth',
      description: 'Work requests outstanding at most, per QP.',
    }),
    queuePairs: z.int().min(1).max(16).default(1).meta({
      title: 'Queue pairs',
      description: 'QPs that work at once. Each sends the number of iterations.',
    }),
    postList: z.int().min(1).max(64).default(1).meta({
      title: 'Post list',
      description: 'Work requests that are posted together.',
    }),
    bidirectional: z
      .boolean()
      .default(false)
      .meta({ title: 'Both directions', description: 'Both ends post; the figures are the sum.' }),
    ...eventsOf(verb),
    gbits: z
      .boolean()
      .default(false)
      .meta({ title: 'Print Gb/s', description: '10^9 bits per second instead of MiB per second.' }),
  });
  return defineTool({
    name: `ib_${verb}_bw`,
    package: 'perftest',
    summary: `Measures the bandwidth of ${WHAT[verb]}.`,
    shows: SHOWS[`${verb}_bw`],
    params,
    flags: {
      size: '-s',
      ...transportFlag(verb),
      ...SHARED_FLAGS,
      ...inlineFlag(verb),
      txDepth: '-t',
      queuePairs: '-q',
      postList: '-l',
      bidirectional: '-b',
      ...eventsFlag(verb),
      gbits: '--report_gbits',
    },
    rules: [
      {
        param: 'postList',
        bound: 'at-most',
        of: { param: 'txDepth' },
        why: 'A list must fit into the send queue.',
      },
    ],
    roles: roles as never,
  });
}

function latency(verb: Verb): Tool {
  const params: z.ZodObject = z.object({
    size: sizeField(8 * MIB, 2),
    ...transportOf(verb),
    ...shared,
    ...inlineOf(verb),
    ...eventsOf(verb),
  });
  return defineTool({
    name: `ib_${verb}_lat`,
    package: 'perftest',
    summary: `Measures the latency of ${WHAT[verb]}.`,
    shows: SHOWS[`${verb}_lat`],
    params,
    flags: {
      size: '-s',
      ...transportFlag(verb),
      ...SHARED_FLAGS,
      ...inlineFlag(verb),
      ...eventsFlag(verb),
    },
    roles: roles as never,
  });
}

const VERBS: readonly Verb[] = ['write', 'read', 'send'];
export const perftest: readonly Tool[] = VERBS.flatMap((verb) => [bandwidth(verb), latency(verb)]);
