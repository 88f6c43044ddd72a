/** Programs of rdmacm-utils: their ends meet through the connection manager. */
import { z } from 'zod';
import { CM_PORT_TEXT, portField, sizeField } from './fields.js';
import { defineTool, type ToolPlace } from './tool.js';
import { flag } from './words.js';

const GROUP = '239.1.1.1';
/** udaddy has no option for it. */
const UDADDY_PORT = 7174;

const messagesField = z
  .int()
  .min(1)
  .max(10_000)
  .default(10)
  .meta({ title: 'Messages', description: 'Messages per connection and direction.' });
const connectionsField = z
  .int()
  .min(1)
  .max(100)
  .default(1)
  .meta({ title: 'Connections', description: 'QPs that the client connects.' });

const cmPort = ({ port }: { port: number }) => ({ kind: 'cm', port, space: 'tcp' }) as const;

export const rdmaServer = defineTool({
  name: 'rdma_server',
  title: 'rdma_server and rdma_client',
  package: 'rdmacm-utils',
  summary: 'Connects two ends with the connection manager and exchanges one message.',
  shows:
    'A small program of librdmacm: the client’s rdma_create_ep() makes the ID, QP and CQs in one call. Look for the REQ, REP and RTU of the handshake among the packets, then one SEND each way.',
  params: z.object({ port: portField(7471, CM_PORT_TEXT) }),
  flags: { port: '-p' },
  roles: [
    {
      name: 'server',
      text: 'Listens, accepts one connection, receives a message and sends one.',
      args: ({ port }) => flag('-p', port),
      ready: cmPort,
    },
    {
      name: 'client',
      program: 'rdma_client',
      text: 'Connects, sends a message and receives one.',
      args: ({ port }, { address }) => [...flag('-s', address), ...flag('-p', port)],
    },
  ],
});

interface Rping {
  count: number;
  size: number;
  validate: boolean;
  ownQp: boolean;
  port: number;
}
const rpingWords = (v: Rping): string[] => [
  ...flag('-p', v.port),
  '-v',
  ...flag('-V', v.validate),
  ...flag('-q', v.ownQp),
  ...flag('-C', v.count),
  ...flag('-S', v.size),
];

export const rping = defineTool({
  name: 'rping',
  package: 'rdmacm-utils',
  summary: 'Pings by RDMA: the server reads the client’s text and writes it back.',
  shows:
    'The client only sends the address, rkey and length of its buffers. The server fetches the text by READ and returns it by WRITE, so the data moves although the client posts no READ or WRITE. The packets show six messages per ping: a READ, a WRITE, and two SENDs of each end.',
  params: z.object({
    count: z.int().min(1).max(10_000).default(10).meta({ title: 'Pings', description: 'How many.' }),
    size: z
      .int()
      .min(20)
      .max(65_535)
      .default(64)
      .meta({ title: 'Ping size', description: 'Bytes of the text that travels.', unit: 'B' }),
    validate: z
      .boolean()
      .default(true)
      .meta({ title: 'Check the data', description: 'Compare what came back with what was sent.' }),
    ownQp: z.boolean().default(false).meta({
      title: 'Make the QP itself',
      description:
        'Create the QP and move its states by ibv_modify_qp() instead of leaving that to librdmacm.',
    }),
    port: portField(7174, CM_PORT_TEXT),
  }),
  flags: { count: '-C', size: '-S', validate: '-V', ownQp: '-q', port: '-p' },
  roles: [
    {
      name: 'server',
      text: 'Listens, then reads from and writes to the client’s memory.',
      args: (v) => ['-s', ...rpingWords(v)],
      ready: cmPort,
    },
    {
      name: 'client',
      text: 'Connects and offers two buffers per ping, one to READ and one to WRITE.',
      args: (v, { address }) => ['-c', ...flag('-a', address), ...rpingWords(v)],
    },
  ],
});

interface Many {
  connections: number;
  messages: number;
  size: number;
}
const manyWords = (v: Many): string[] => [
  ...flag('-c', v.connections),
  ...flag('-C', v.messages),
  ...flag('-S', v.size),
];

export const ucmatose = defineTool({
  name: 'ucmatose',
  package: 'rdmacm-utils',
  summary: 'Opens many connections on one event channel and sends messages over each.',
  shows:
    'Connections are asynchronous: all those of an end report to one event channel. Raise the number of connections and look at how the handshakes overlap in the timeline.',
  params: z.object({
    connections: connectionsField,
    messages: messagesField,
    size: sizeField(65_536, 100),
    migrate: z.boolean().default(false).meta({
      title: 'Migrate',
      description: 'Move each connected ID to another event channel by rdma_migrate_id().',
    }),
    port: portField(7471, CM_PORT_TEXT),
  }),
  flags: { connections: '-c', messages: '-C', size: '-S', migrate: '-m', port: '-p' },
  roles: [
    {
      name: 'server',
      text: 'Listens, accepts every connection and sends first.',
      args: (v) => [...flag('-p', v.port), ...manyWords(v), ...flag('-m', v.migrate)],
      ready: cmPort,
    },
    {
      name: 'client',
      text: 'Connects, receives, replies and disconnects.',
      args: (v, { address }) => [
        ...flag('-s', address),
        ...flag('-p', v.port),
        ...manyWords(v),
        ...flag('-m', v.migrate),
      ],
    },
  ],
});

export const udaddy = defineTool({
  name: 'udaddy',
  package: 'rdmacm-utils',
  summary: 'Resolves a UD address through the connection manager and exchanges datagrams.',
  shows:
    'UD has no connection, so the handshake is only a question: SIDR REQ asks for QPN and Q_Key, SIDR REP answers. After it, each message is one datagram with an immediate.',
  params: z.object({
    connections: connectionsField,
    messages: messagesField,
    size: sizeField(2048, 100),
  }),
  flags: { connections: '-c', messages: '-C', size: '-S' },
  roles: [
    {
      name: 'server',
      text: 'Answers the question for its QPN, then replies to each datagram.',
      args: manyWords,
      ready: () => ({ kind: 'cm', port: UDADDY_PORT, space: 'udp' }),
    },
    {
      name: 'client',
      text: 'Asks for the QPN, makes an address handle and sends.',
      args: (v, { address }) => [...flag('-s', address), ...manyWords(v)],
    },
  ],
});

interface Mckey {
  messages: number;
  size: number;
}
const mckeyWords = (v: Mckey, { address }: ToolPlace): string[] => [
  ...flag('-m', GROUP),
  ...flag('-b', address),
  ...flag('-C', v.messages),
  ...flag('-S', v.size),
];

export const mckey = defineTool({
  name: 'mckey',
  package: 'rdmacm-utils',
  summary: 'Joins a multicast group and sends datagrams to it.',
  shows:
    'Both ends join a group and get an address handle for it. Multicast datagrams go to QPN 0xFFFFFF, and every QP that is attached to the group gets a copy.',
  params: z.object({ messages: messagesField, size: sizeField(2048, 100) }),
  flags: { messages: '-C', size: '-S' },
  roles: [
    {
      name: 'receiver',
      text: `Joins the group ${GROUP} and waits for its datagrams.`,
      args: mckeyWords,
      ready: () => ({ kind: 'group', address: GROUP }),
    },
    {
      name: 'sender',
      text: 'Joins the group and sends.',
      args: (v, place) => [...mckeyWords(v, place), '-s'],
    },
  ],
});
