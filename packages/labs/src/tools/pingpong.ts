import { z } from 'zod';
import { eventsField, gidField, iterationsField, portField, sizeField, TCP_PORT_TEXT } from './fields.js';
import { defineTool, type Tool, type ToolPlace } from './tool.js';
import { flag } from './words.js';

const TEXTS = {
  rc: {
    transport: 'RC',
    shows:
      'Each end has one RC QP and one CQ. Each message is a SEND into a posted receive, and the receiver’s device acknowledges it. Compare the time per iteration with the packets: one iteration is a message each way.',
  },
  uc: {
    transport: 'UC',
    shows:
      'The same exchange without acknowledgments: nothing retransmits a lost packet. A lost packet would leave both ends waiting.',
  },
  ud: {
    transport: 'UD',
    shows:
      'Datagrams: one packet per message, no connection, an address handle instead of a peer in the QP. The first 40 bytes of each receive buffer are for the GRH; over IPv4 the last 20 of them hold the IP header.',
  },
} as const;

const common = (size: ReturnType<typeof sizeField>) => ({
  size,
  iterations: iterationsField(100_000),
  rxDepth: z.int().min(2).max(1000).default(500).meta({
    title: 'Receive depth',
    description: 'Receives that are posted at most.',
  }),
  events: eventsField,
  validate: z.boolean().default(false).meta({
    title: 'Check the data',
    description:
      'At the end, the server compares the first byte of each page of its buffer with what was sent.',
  }),
  gid: gidField,
  port: portField(18515, TCP_PORT_TEXT),
});

const FLAGS = {
  size: '-s',
  iterations: '-n',
  rxDepth: '-r',
  events: '-e',
  validate: '-c',
  gid: '-g',
  port: '-p',
} as const;

interface Common {
  size: number;
  iterations: number;
  rxDepth: number;
  events: boolean;
  validate: boolean;
  gid: number;
  port: number;
}

const words = (v: Common): string[] => [
  ...flag(FLAGS.gid, v.gid),
  ...flag(FLAGS.size, v.size),
  ...flag(FLAGS.iterations, v.iterations),
  ...flag(FLAGS.rxDepth, v.rxDepth),
  ...flag(FLAGS.events, v.events),
  ...flag(FLAGS.validate, v.validate),
  ...flag(FLAGS.port, v.port),
];

function rolesOf<V extends Common>(args: (values: V) => string[]) {
  return [
    {
      name: 'server',
      text: 'Listens on the TCP port, then answers each message.',
      args,
      ready: ({ port }: V) => ({ kind: 'tcp', port }) as const,
    },
    {
      name: 'client',
      text: 'Connects to the TCP port and sends the first message.',
      args: (values: V, { address }: ToolPlace) => [...args(values), address],
    },
  ];
}

function connected(kind: 'rc' | 'uc'): Tool {
  const { transport, shows } = TEXTS[kind];
  return defineTool({
    name: `ibv_${kind}_pingpong`,
    package: 'ibverbs-utils',
    summary: `Exchanges messages over ${transport}, one each way in turn.`,
    shows,
    params: z.object({
      mtu: z.enum(['256', '512', '1024', '2048', '4096']).default('1024').meta({
        title: 'Path MTU',
        description: 'Payload of one packet at most. A longer message becomes several.',
      }),
      ...common(sizeField(1024 * 1024, 4096)),
    }),
    flags: { mtu: '-m', ...FLAGS },
    roles: rolesOf((v: Common & { mtu: string }) => [...flag('-m', v.mtu), ...words(v)]),
  });
}

export const ibvRcPingpong = connected('rc');
export const ibvUcPingpong = connected('uc');
export const ibvUdPingpong: Tool = defineTool({
  name: 'ibv_ud_pingpong',
  package: 'ibverbs-utils',
  summary: 'Exchanges datagrams over UD, one each way in turn.',
  shows: TEXTS.ud.shows,
  params: z.object(common(sizeField(4096, 2048))),
  flags: FLAGS,
  roles: rolesOf(words),
});
