import { z } from 'zod';
import { ANSWER_MS, HELLO_MS, PLAIN_MS, REACH_PEER_MS } from './connection.js';
import { notice, push, reply, request } from './message.js';
import { zAgentInfo } from './agent-info.js';
import { zDeviceInfo } from './device.js';
import { DEVICE_TRAFFIC_MESSAGES } from './device-traffic.js';
import { zErrorInfo } from './error-schema.js';
import { zRunEvent } from './events.js';
import { zFaults, zPlannedFaults } from './faults.js';
import { HOSTED_MESSAGES } from './hosted.js';
import { zLabDescription } from './lab.js';
import { zGuess } from './lab-form.js';
import { NOTEBOOK_MESSAGES } from './notebook.js';
import { PEER_MESSAGES, zPlace } from './peers.js';
import { PROGRESS_MESSAGES } from './progress.js';
import { PROGRAM_MESSAGES } from './program-messages.js';
import { RUN, zRunId, zRunMode, zRunRecord } from './runs.js';
import { zRunRow } from './run-row-schema.js';
import { zKnown } from './skew.js';
import { SET_UP_MESSAGES } from './set-up.js';
import { SIMULATION_MESSAGES } from './simulation-messages.js';
import { MACHINES_MESSAGES } from './virtual-machines.js';
import { SWEEP_MESSAGES } from './sweeps.js';
import { TOOL_MESSAGES } from './tool-messages.js';
import { zCount, zU32 } from './verbs.js';
import { WORKBENCH_MESSAGES } from './workbench-messages.js';

/**
 * Messages between a client (page, command, peer agent) and the agent over the WebSocket at /ws. Text frames are JSON,
 * one message each. Binary frames are described in frames.ts. They go from the agent to the client, or to the agent
 * from a client that feeds its own run (`program.start`). Each request has an `id` and gets exactly one reply with the
 * same number in `re`: the reply in the table, or `error`.
 */
/** Largest text message that the agent accepts, bytes. */
export const MAX_MESSAGE_BYTES = 256 * 1024;
/** Most bytes of stream that a client may leave without acknowledgment. */
export const CREDIT_BYTES = 8 * 1024 * 1024;

const ref = { runId: zRunId };
/** Fields beside the runs of a page of a list. */
const page = {
  more: z.boolean(),
  /** Number of all runs that match the query, on any page. */
  total: zCount.optional(),
  /** Runs in this part of the list that this version cannot read, with reasons. */
  unreadable: z.array(z.object({ id: z.string(), number: zCount, reason: z.string() })).optional(),
};

const CORE_MESSAGES = [
  /** Starts a connection. Must be the first message. */
  request(
    'hello',
    { protocol: zU32, client: zKnown(['web', 'cli', 'peer'], 'cli') },
    reply('welcome', {
      protocol: zU32,
      agent: zAgentInfo,
      devices: z.array(zDeviceInfo),
      labs: z.array(zLabDescription),
      /** Runs that have not ended. */
      runs: z.array(zRunRow),
      /**
       * Credential with which this page signs in again after a restart of the agent, by proof. Only for pages, which
       * keep it in memory only.
       */
      resume: z.object({ id: z.string(), key: z.string() }).optional(),
    }),
    {
      from: 'anyone',
      patience: HELLO_MS,
      what: 'must be the first message (otherwise `HELLO_FIRST`), and comes once (`HELLO_TWICE`); the reply has agent, devices, labs and runs in progress; for a peer the last two are empty',
    },
  ),
  /** Creates a one-time code that signs a browser in. Only for programs. */
  request('sign-in.code', {}, reply('sign-in.coded', { code: z.string() }), {
    from: 'program',
    what: 'a one-time code for a browser',
  }),
  request('devices.list', {}, reply('devices', { devices: z.array(zDeviceInfo) }), {
    from: 'anyone',
    what: 'devices with provider class, port, GIDs, capabilities',
  }),
  request('labs.list', {}, reply('labs', { labs: z.array(zLabDescription) }), {
    what: 'labs with the JSON Schema of their parameters, and what each step shows in the picture of the hosts',
  }),
  request(
    'run.start',
    {
      lab: z.string().max(64),
      /** Parameters, checked against the lab's schema. Defaults fill absent ones. */
      params: z.record(z.string(), z.json()),
      /** Name of the lab’s variation, which sets parameters; `params` has priority. */
      variation: z.string().max(64).optional(),
      /** Predictions of the person, by the ids of the lab's predictions. */
      predictions: z.record(z.string().max(64), zGuess).optional(),
      mode: zRunMode,
      /** Device for all roles; absent: the first usable one (embedded before system). */
      device: z.string().max(64).optional(),
      /** Place of an endpoint, or of all endpoints of a role. Absent ones are on `device` of this agent. */
      endpoints: z.record(z.string().max(64), zPlace).optional(),
      faults: z.array(zPlannedFaults).max(1000).optional(),
    },
    RUN,
    {
      // The start waits for a peer that is still connecting.
      patience: REACH_PEER_MS + PLAIN_MS,
      what: 'starts a lab: `lab`, `params`, `variation`, `predictions`, `mode` (`all` or `step`), `device`, `endpoints` (endpoint or role to `host/device`), `faults` (a plan: `at`, `endpoint`, `faults`)',
    },
  ),
  /** Continues a run in step mode: by one step, or to the end. */
  request('run.step', { ...ref, go: z.enum(['next', 'all']) }, RUN, {
    what: 'continues a run in step mode: `go` is `next` or `all`',
  }),
  request('run.cancel', { ...ref }, RUN, { what: 'cancels a run; its endpoints end within 200 ms' }),
  /**
   * Sets the faults for packets that the device of one endpoint, or of all, sends from now on. Only while a run of a
   * lab is in progress.
   */
  request(
    'run.faults',
    { ...ref, endpoint: z.string().max(64).optional(), faults: zFaults },
    /** Endpoints whose devices have accepted the faults. */
    reply('run.faulted', { runId: zRunId, endpoints: z.array(z.string()) }),
    {
      what: 'what the devices of a run do to the packets that they send from now on: `faults` with `rates`, `rules` and `shaping`, of one `endpoint` or all; the reply names those that have taken it ([faults.md](faults.md))',
    },
  ),
  request('run.get', { ...ref }, RUN, { what: 'the record of a run' }),
  /** Lists runs, newest first. */
  request(
    'run.list',
    {
      limit: z.int().min(1).max(500).optional(),
      /** Only runs with a smaller number, for the next page. */
      before: zU32.optional(),
      lab: z.string().max(64).optional(),
      /** True to include runs that are parts of joined ones. */
      parts: z.literal(true).optional(),
    },
    reply('runs', { runs: z.array(zRunRecord), ...page }),
    { what: 'records of runs, newest first' },
  ),
  /** Lists runs as rows: the fields of a list, without the other results. */
  request(
    'run.rows',
    { limit: z.int().min(1).max(500).optional(), before: zU32.optional() },
    reply('rows', { runs: z.array(zRunRow), ...page }),
    {
      what: 'the same list without what only the page of a run shows: no tables, curves, rounds, checks or notes; the page lists runs with it',
    },
  ),
  /** Deletes a run that has ended and is not part of another. The parts of a joined run are deleted with it. */
  request('run.delete', { ...ref }, reply('run.deleted', { runId: zRunId }), {
    what: 'deletes an ended run and its data',
  }),
  /**
   * Subscribes to the run's stream from `fromSeq` on (1: all of it), first the record, then live. `detail: false` omits
   * the frames of completions and packets, which are most of a long run: figures, time series and histograms do not
   * need them.
   */
  request(
    'run.subscribe',
    { ...ref, fromSeq: zU32, detail: z.literal(false).optional() },
    reply('run.subscribed', {
      run: zRunRecord,
      /** Sequence number of the first item that will arrive. */
      fromSeq: zU32,
    }),
    {
      what: 'the stream from `fromSeq` on: recorded items, then live ones; with `detail: false` without frames of completions and packets',
    },
  ),
  request('run.unsubscribe', { ...ref }, reply('run.unsubscribed', { runId: zRunId }), {
    what: 'ends the stream of a run',
  }),
  /**
   * Acknowledges stream bytes, without a reply. `bytes`: everything consumed on this connection so far: the bytes of
   * binary frames and the characters (UTF-16, as in `data.length`) of `run.events` messages.
   */
  notice('run.ack', { bytes: zCount }, { from: 'anyone', what: 'stream bytes consumed so far (credit)' }),
  request('ping', {}, reply('pong', {}), {
    from: 'anyone',
    patience: ANSWER_MS,
    what: 'whether the agent is there',
  }),
  /** Error. Without `re` if the message could not be read that far. */
  push('error', { re: zU32.optional(), ...zErrorInfo.shape }),
  // Messages without a request:
  /** To every client: a run was created, changed its state, waits for a step, or made progress. */
  push('run.changed', { run: zRunRecord }),
  push('run.removed', { runId: zRunId }),
  /** Part of a subscribed stream. */
  push('run.events', { runId: zRunId, events: z.array(zRunEvent) }),
  /** Mark after the replay: later items are live. */
  push('run.live', { runId: zRunId, seq: zU32 }),
  /** Number of binary detail frames that were not sent to this client because it was too slow. */
  push('run.dropped', {
    runId: zRunId,
    source: zU32,
    what: z.enum(['completions', 'packets']),
    /** True if they are in the record. Otherwise the run's `dropped` events include them too. */
    recorded: z.boolean(),
    frames: zCount,
    records: zCount,
  }),
  /** Mark after the end of a run: everything was sent. */
  push('run.complete', { runId: zRunId, lastSeq: zU32 }),
];

/**
 * The table of all messages. A message is an entry here, and a handler in its subsystem of the agent. Everything else
 * that the two ends need follows from this table.
 */
export const MESSAGES = [
  ...CORE_MESSAGES,
  ...PROGRAM_MESSAGES,
  ...SIMULATION_MESSAGES,
  ...PROGRESS_MESSAGES,
  ...DEVICE_TRAFFIC_MESSAGES,
  ...PEER_MESSAGES,
  ...HOSTED_MESSAGES,
  ...SWEEP_MESSAGES,
  ...NOTEBOOK_MESSAGES,
  ...TOOL_MESSAGES,
  ...WORKBENCH_MESSAGES,
  ...SET_UP_MESSAGES,
  ...MACHINES_MESSAGES,
];

type Entry = (typeof MESSAGES)[number];
type Request = Extract<Entry, { kind: 'request' }>;
type Sent = Extract<Entry, { kind: 'request' | 'notice' }>;
type Push = Extract<Entry, { kind: 'push' }>;
type AgentSchema = Request['reply']['schema'] | Push['schema'];

export type ClientType = Sent['type'];
export type RequestType = Request['type'];
export type AgentType = Request['reply']['type'] | Push['type'];

/** Messages of clients, by type. */
export const ASKED = Object.fromEntries(
  MESSAGES.flatMap((entry) => (entry.kind === 'push' ? [] : [[entry.type, entry]])),
) as { [T in ClientType]: Extract<Sent, { type: T }> };

/** Messages of the agent, by type. */
export const AGENT_MESSAGES = Object.fromEntries(
  MESSAGES.flatMap((entry) => {
    if (entry.kind === 'notice') return [];
    const { type, schema } = entry.kind === 'push' ? entry : entry.reply;
    return [[type, schema]];
  }),
) as { [T in AgentType]: Extract<AgentSchema, { shape: { type: z.ZodLiteral<T> } }> };

export const zClientMessage = z.discriminatedUnion(
  'type',
  Object.values(ASKED).map(({ schema }) => schema) as [Sent['schema'], ...Sent['schema'][]],
);
export type ClientMessage = z.infer<Sent['schema']>;
export type ClientMessageOf<T extends ClientType> = z.infer<Extract<Sent, { type: T }>['schema']>;
/** Body of a client's message of this type. */
export type BodyOf<T extends ClientType> = Omit<z.input<Extract<Sent, { type: T }>['schema']>, 'type' | 'id'>;

export const zAgentMessage = z.discriminatedUnion(
  'type',
  Object.values(AGENT_MESSAGES) as [AgentSchema, ...AgentSchema[]],
);
export type AgentMessage = z.infer<AgentSchema>;
export type AgentMessageOf<T extends AgentType> = Extract<AgentMessage, { type: T }>;
export type ReplyOf<T extends RequestType> = z.infer<Extract<Request, { type: T }>['reply']['schema']>;

/** HTTP answer of /api/health. It needs no authentication and contains nothing private. */
export const zHealth = z.object({
  status: z.literal('ok'),
  product: z.literal('verbslab'),
  version: z.string(),
  protocol: zU32,
  pid: zCount,
  uptimeSeconds: z.number(),
  /** True if the request had a valid session. Absent from older agents. */
  signedIn: z.boolean().optional(),
});
export type Health = z.infer<typeof zHealth>;
