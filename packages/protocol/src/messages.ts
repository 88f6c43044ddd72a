import { z } from 'zod';
import { zAgentInfo } from './agent-info.js';
import { zDeviceInfo } from './device.js';
import { DEVICE_TRAFFIC_AGENT_MESSAGES, DEVICE_TRAFFIC_CLIENT_MESSAGES } from './device-traffic.js';
import { zErrorInfo } from './errors.js';
import { zRunEvent } from './events.js';
import { zFaults, zPlannedFaults } from './faults.js';
import { HOSTED_AGENT_MESSAGES, HOSTED_CLIENT_MESSAGES } from './hosted.js';
import { zLabDescription } from './lab.js';
import { zGuess } from './lab-form.js';
import { NOTEBOOK_AGENT_MESSAGES, NOTEBOOK_CLIENT_MESSAGES } from './notebook.js';
import { PEER_AGENT_MESSAGES, PEER_CLIENT_MESSAGES, zPlace } from './peers.js';
import { PROGRESS_AGENT_MESSAGES, PROGRESS_CLIENT_MESSAGES } from './progress.js';
import { PROGRAM_AGENT_MESSAGES, PROGRAM_CLIENT_MESSAGES } from './program-messages.js';
import { zRunId, zRunMode, zRunRecord } from './runs.js';
import { zRunRow } from './run-row-schema.js';
import { zKnown } from './skew.js';
import { SET_UP_AGENT_MESSAGES, SET_UP_CLIENT_MESSAGES } from './set-up.js';
import { MACHINES_AGENT_MESSAGES, MACHINES_CLIENT_MESSAGES } from './virtual-machines.js';
import { SWEEP_AGENT_MESSAGES, SWEEP_CLIENT_MESSAGES } from './sweeps.js';
import { TOOL_AGENT_MESSAGES, TOOL_CLIENT_MESSAGES } from './tool-messages.js';
import { zCount, zU32 } from './verbs.js';
import { WORKBENCH_AGENT_MESSAGES, WORKBENCH_CLIENT_MESSAGES } from './workbench-messages.js';

/**
 * Messages between a client (page, command, peer agent) and the agent over the WebSocket at /ws. Text frames
 * are JSON, one message each; binary frames are described in frames.ts and go from the agent to the client,
 * or from a client that feeds a run of its own (`program.start`) to the agent. Each request has an `id` and gets exactly one reply with the same number in `re`: the one named in
 * REPLY_OF, or `error`.
 */
/** Largest text message that the agent takes, bytes. */
export const MAX_MESSAGE_BYTES = 256 * 1024;
/** Bytes of stream that may be under way to a client that has not acknowledged them. */
export const CREDIT_BYTES = 8 * 1024 * 1024;
/** A client acknowledges at least every so many bytes. */
export const ACK_BYTES = 512 * 1024;

const request = { id: zU32 };
const ref = { ...request, runId: zRunId };

export const CLIENT_MESSAGES = {
  /** First message. */
  hello: z.object({
    type: z.literal('hello'),
    ...request,
    protocol: zU32,
    client: zKnown(['web', 'cli', 'peer'], 'cli'),
  }),
  /** For programs only: a one-time code that signs a browser in. */
  'sign-in.code': z.object({ type: z.literal('sign-in.code'), ...request }),
  'devices.list': z.object({ type: z.literal('devices.list'), ...request }),
  'labs.list': z.object({ type: z.literal('labs.list'), ...request }),
  'run.start': z.object({
    type: z.literal('run.start'),
    ...request,
    lab: z.string().max(64),
    /** Checked against the lab's schema; defaults fill what is absent. */
    params: z.record(z.string(), z.json()),
    /** The lab's variation by this name fills in parameters; `params` goes before it. */
    variation: z.string().max(64).optional(),
    /** What the person expects, by the ids of the lab's predictions. */
    predictions: z.record(z.string().max(64), zGuess).optional(),
    mode: zRunMode,
    /** Device for all roles; absent: the first usable one (embedded before system). */
    device: z.string().max(64).optional(),
    /** Where an endpoint, or all of a role, is to be; what is absent is on `device` of this agent. */
    endpoints: z.record(z.string().max(64), zPlace).optional(),
    faults: z.array(zPlannedFaults).max(1000).optional(),
  }),
  /** Lets a run in step mode go on: by one step, or through to the end. */
  'run.step': z.object({ type: z.literal('run.step'), ...ref, go: z.enum(['next', 'all']) }),
  'run.cancel': z.object({ type: z.literal('run.cancel'), ...ref }),
  /**
   * While a run of a lab is in progress: what the device of one of its endpoints, or of all, does to the packets that it
   * sends from now on.
   */
  'run.faults': z.object({
    type: z.literal('run.faults'),
    ...ref,
    endpoint: z.string().max(64).optional(),
    faults: zFaults,
  }),
  'run.get': z.object({ type: z.literal('run.get'), ...ref }),
  /** Newest first. */
  'run.list': z.object({
    type: z.literal('run.list'),
    ...request,
    limit: z.int().min(1).max(500).optional(),
    /** Only runs with a smaller number: the next page. */
    before: zU32.optional(),
    lab: z.string().max(64).optional(),
    /** Also runs that are parts of joined ones. */
    parts: z.literal(true).optional(),
  }),
  /** The same list as rows: what a list shows of each run, without the rest of its results. */
  'run.rows': z.object({
    type: z.literal('run.rows'),
    ...request,
    limit: z.int().min(1).max(500).optional(),
    before: zU32.optional(),
  }),
  /** Only of a run that has ended and is no part of another. The parts of a joined run are deleted with it. */
  'run.delete': z.object({ type: z.literal('run.delete'), ...ref }),
  /**
   * The run's stream from `fromSeq` on (1: all of it), first what was recorded, then live. `detail: false` leaves out the
   * frames of completions and packets, which are most of a long run: figures, time series and histograms do without.
   */
  'run.subscribe': z.object({
    type: z.literal('run.subscribe'),
    ...ref,
    fromSeq: zU32,
    detail: z.literal(false).optional(),
  }),
  'run.unsubscribe': z.object({ type: z.literal('run.unsubscribe'), ...ref }),
  /**
   * No reply. `bytes`: what was consumed on this connection in all: the bytes of binary frames and the characters
   * (UTF-16, as in `data.length`) of `run.events` messages.
   */
  'run.ack': z.object({ type: z.literal('run.ack'), id: zU32.optional(), bytes: zCount }),
  ping: z.object({ type: z.literal('ping'), ...request }),
  ...PROGRAM_CLIENT_MESSAGES,
  ...PROGRESS_CLIENT_MESSAGES,
  ...DEVICE_TRAFFIC_CLIENT_MESSAGES,
  ...PEER_CLIENT_MESSAGES,
  ...HOSTED_CLIENT_MESSAGES,
  ...SWEEP_CLIENT_MESSAGES,
  ...NOTEBOOK_CLIENT_MESSAGES,
  ...TOOL_CLIENT_MESSAGES,
  ...WORKBENCH_CLIENT_MESSAGES,
  ...SET_UP_CLIENT_MESSAGES,
  ...MACHINES_CLIENT_MESSAGES,
} as const;

export type ClientType = keyof typeof CLIENT_MESSAGES;

export const zClientMessage = z.discriminatedUnion('type', [
  CLIENT_MESSAGES.hello,
  CLIENT_MESSAGES['sign-in.code'],
  CLIENT_MESSAGES['devices.list'],
  CLIENT_MESSAGES['labs.list'],
  CLIENT_MESSAGES['run.start'],
  CLIENT_MESSAGES['run.step'],
  CLIENT_MESSAGES['run.cancel'],
  CLIENT_MESSAGES['run.faults'],
  CLIENT_MESSAGES['run.get'],
  CLIENT_MESSAGES['run.list'],
  CLIENT_MESSAGES['run.rows'],
  CLIENT_MESSAGES['run.delete'],
  CLIENT_MESSAGES['run.join'],
  CLIENT_MESSAGES['run.separate'],
  CLIENT_MESSAGES['run.subscribe'],
  CLIENT_MESSAGES['run.unsubscribe'],
  CLIENT_MESSAGES['run.ack'],
  CLIENT_MESSAGES['program.start'],
  CLIENT_MESSAGES['program.events'],
  CLIENT_MESSAGES['program.faulted'],
  CLIENT_MESSAGES['program.join'],
  CLIENT_MESSAGES['program.end'],
  CLIENT_MESSAGES.ping,
  CLIENT_MESSAGES['progress.get'],
  CLIENT_MESSAGES['progress.answer'],
  CLIENT_MESSAGES['progress.reset'],
  CLIENT_MESSAGES['traffic.watch'],
  CLIENT_MESSAGES['peers.list'],
  CLIENT_MESSAGES['peers.add'],
  CLIENT_MESSAGES['peers.remove'],
  CLIENT_MESSAGES['peers.check'],
  CLIENT_MESSAGES.clock,
  CLIENT_MESSAGES['endpoint.open'],
  CLIENT_MESSAGES['endpoint.call'],
  CLIENT_MESSAGES['endpoint.close'],
  CLIENT_MESSAGES['sweep.start'],
  CLIENT_MESSAGES['sweep.pause'],
  CLIENT_MESSAGES['sweep.resume'],
  CLIENT_MESSAGES['sweep.cancel'],
  CLIENT_MESSAGES['sweep.get'],
  CLIENT_MESSAGES['sweep.list'],
  CLIENT_MESSAGES['notebook.get'],
  CLIENT_MESSAGES['notebook.list'],
  CLIENT_MESSAGES['notebook.find'],
  CLIENT_MESSAGES['note.write'],
  CLIENT_MESSAGES['note.delete'],
  CLIENT_MESSAGES['run.tag'],
  CLIENT_MESSAGES['tools.list'],
  CLIENT_MESSAGES['tool.start'],
  CLIENT_MESSAGES['workbench.list'],
  CLIENT_MESSAGES['workbench.start'],
  CLIENT_MESSAGES['set-up.look'],
  CLIENT_MESSAGES['machines.start'],
  CLIENT_MESSAGES['machines.stop'],
  CLIENT_MESSAGES['machines.cancel'],
]);
export type ClientMessage = z.infer<typeof zClientMessage>;
export type ClientMessageOf<T extends ClientType> = Extract<ClientMessage, { type: T }>;

const reply = { re: zU32 };
/** What stands beside the runs of one page of a list. */
const page = {
  more: z.boolean(),
  /** Of all runs that the query fits, whatever page was asked for. */
  total: zCount.optional(),
  /** Runs in this stretch of the list that this version cannot read, and why. */
  unreadable: z.array(z.object({ id: z.string(), number: zCount, reason: z.string() })).optional(),
};

export const AGENT_MESSAGES = {
  welcome: z.object({
    type: z.literal('welcome'),
    ...reply,
    protocol: zU32,
    agent: zAgentInfo,
    devices: z.array(zDeviceInfo),
    labs: z.array(zLabDescription),
    /** Runs that have not ended. */
    runs: z.array(zRunRow),
    /** For pages: what signs this page in again after a restart of the agent, by proof. Kept in memory only. */
    resume: z.object({ id: z.string(), key: z.string() }).optional(),
  }),
  'sign-in.coded': z.object({ type: z.literal('sign-in.coded'), ...reply, code: z.string() }),
  devices: z.object({ type: z.literal('devices'), ...reply, devices: z.array(zDeviceInfo) }),
  labs: z.object({ type: z.literal('labs'), ...reply, labs: z.array(zLabDescription) }),
  run: z.object({ type: z.literal('run'), ...reply, run: zRunRecord }),
  runs: z.object({ type: z.literal('runs'), ...reply, runs: z.array(zRunRecord), ...page }),
  rows: z.object({ type: z.literal('rows'), ...reply, runs: z.array(zRunRow), ...page }),
  /** The endpoints whose devices have taken it. */
  'run.faulted': z.object({
    type: z.literal('run.faulted'),
    ...reply,
    runId: zRunId,
    endpoints: z.array(z.string()),
  }),
  'run.deleted': z.object({ type: z.literal('run.deleted'), ...reply, runId: zRunId }),
  'run.subscribed': z.object({
    type: z.literal('run.subscribed'),
    ...reply,
    run: zRunRecord,
    /** The first sequence number that will come. */
    fromSeq: zU32,
  }),
  'run.unsubscribed': z.object({ type: z.literal('run.unsubscribed'), ...reply, runId: zRunId }),
  pong: z.object({ type: z.literal('pong'), ...reply }),
  /** Without `re` when the message could not be read that far. */
  error: z.object({ type: z.literal('error'), re: zU32.optional(), ...zErrorInfo.shape }),
  // Without being asked:
  /** To every client: a run was created, changed its state, waits for a step, made progress. */
  'run.changed': z.object({ type: z.literal('run.changed'), run: zRunRecord }),
  'run.removed': z.object({ type: z.literal('run.removed'), runId: zRunId }),
  /** Part of a subscribed stream. */
  'run.events': z.object({ type: z.literal('run.events'), runId: zRunId, events: z.array(zRunEvent) }),
  /** The replay has caught up: what follows is live. */
  'run.live': z.object({ type: z.literal('run.live'), runId: zRunId, seq: zU32 }),
  /** This client was too slow: so many binary frames of detail were not sent to it. */
  'run.dropped': z.object({
    type: z.literal('run.dropped'),
    runId: zRunId,
    source: zU32,
    what: z.enum(['completions', 'packets']),
    /** Whether they are in the record; those that are not are also in the sum of the run's `dropped` events. */
    recorded: z.boolean(),
    frames: zCount,
    records: zCount,
  }),
  /** The run has ended and everything was sent. */
  'run.complete': z.object({ type: z.literal('run.complete'), runId: zRunId, lastSeq: zU32 }),
  ...PROGRAM_AGENT_MESSAGES,
  ...PROGRESS_AGENT_MESSAGES,
  ...DEVICE_TRAFFIC_AGENT_MESSAGES,
  ...PEER_AGENT_MESSAGES,
  ...HOSTED_AGENT_MESSAGES,
  ...SWEEP_AGENT_MESSAGES,
  ...NOTEBOOK_AGENT_MESSAGES,
  ...TOOL_AGENT_MESSAGES,
  ...WORKBENCH_AGENT_MESSAGES,
  ...SET_UP_AGENT_MESSAGES,
  ...MACHINES_AGENT_MESSAGES,
} as const;

export type AgentType = keyof typeof AGENT_MESSAGES;

export const zAgentMessage = z.discriminatedUnion('type', [
  AGENT_MESSAGES.welcome,
  AGENT_MESSAGES['sign-in.coded'],
  AGENT_MESSAGES.devices,
  AGENT_MESSAGES.labs,
  AGENT_MESSAGES.run,
  AGENT_MESSAGES.runs,
  AGENT_MESSAGES.rows,
  AGENT_MESSAGES['run.faulted'],
  AGENT_MESSAGES['run.deleted'],
  AGENT_MESSAGES['run.subscribed'],
  AGENT_MESSAGES['run.unsubscribed'],
  AGENT_MESSAGES.pong,
  AGENT_MESSAGES.error,
  AGENT_MESSAGES['run.changed'],
  AGENT_MESSAGES['run.removed'],
  AGENT_MESSAGES['run.events'],
  AGENT_MESSAGES['run.live'],
  AGENT_MESSAGES['run.dropped'],
  AGENT_MESSAGES['program.joined'],
  AGENT_MESSAGES['program.stop'],
  AGENT_MESSAGES['program.faults'],
  AGENT_MESSAGES['run.separated'],
  AGENT_MESSAGES['run.complete'],
  AGENT_MESSAGES.progress,
  AGENT_MESSAGES['progress.changed'],
  AGENT_MESSAGES['traffic.watched'],
  AGENT_MESSAGES['traffic.changed'],
  AGENT_MESSAGES.peers,
  AGENT_MESSAGES.peer,
  AGENT_MESSAGES['peers.removed'],
  AGENT_MESSAGES['peers.checked'],
  AGENT_MESSAGES.clocked,
  AGENT_MESSAGES['peers.changed'],
  AGENT_MESSAGES['endpoint.opened'],
  AGENT_MESSAGES['endpoint.result'],
  AGENT_MESSAGES['endpoint.closed'],
  AGENT_MESSAGES['endpoint.events'],
  AGENT_MESSAGES['endpoint.log'],
  AGENT_MESSAGES['endpoint.exited'],
  AGENT_MESSAGES.sweep,
  AGENT_MESSAGES.sweeps,
  AGENT_MESSAGES['sweep.changed'],
  AGENT_MESSAGES['sweep.measured'],
  AGENT_MESSAGES.notebook,
  AGENT_MESSAGES.notes,
  AGENT_MESSAGES['notebook.found'],
  AGENT_MESSAGES.note,
  AGENT_MESSAGES['note.deleted'],
  AGENT_MESSAGES['notebook.changed'],
  AGENT_MESSAGES.tools,
  AGENT_MESSAGES.workbench,
  AGENT_MESSAGES['set-up.seen'],
  AGENT_MESSAGES['machines.work'],
  AGENT_MESSAGES['machines.changed'],
]);
export type AgentMessage = z.infer<typeof zAgentMessage>;
export type AgentMessageOf<T extends AgentType> = Extract<AgentMessage, { type: T }>;

/** The reply that each request gets when it succeeds. */
export const REPLY_OF = {
  hello: 'welcome',
  'sign-in.code': 'sign-in.coded',
  'devices.list': 'devices',
  'labs.list': 'labs',
  'run.start': 'run',
  'run.step': 'run',
  'run.cancel': 'run',
  'run.faults': 'run.faulted',
  'run.get': 'run',
  'run.list': 'runs',
  'run.rows': 'rows',
  'run.delete': 'run.deleted',
  'run.subscribe': 'run.subscribed',
  'run.unsubscribe': 'run.unsubscribed',
  'run.join': 'run',
  'run.separate': 'run.separated',
  'program.start': 'run',
  'program.join': 'program.joined',
  'program.end': 'run',
  ping: 'pong',
  'progress.get': 'progress',
  'progress.answer': 'progress',
  'progress.reset': 'progress',
  'traffic.watch': 'traffic.watched',
  'peers.list': 'peers',
  'peers.add': 'peer',
  'peers.remove': 'peers.removed',
  'peers.check': 'peers.checked',
  clock: 'clocked',
  'endpoint.open': 'endpoint.opened',
  'endpoint.call': 'endpoint.result',
  'endpoint.close': 'endpoint.closed',
  'sweep.start': 'sweep',
  'sweep.pause': 'sweep',
  'sweep.resume': 'sweep',
  'sweep.cancel': 'sweep',
  'sweep.get': 'sweep',
  'sweep.list': 'sweeps',
  'notebook.get': 'notebook',
  'notebook.list': 'notes',
  'notebook.find': 'notebook.found',
  'note.write': 'note',
  'note.delete': 'note.deleted',
  'run.tag': 'run',
  'set-up.look': 'set-up.seen',
  'machines.start': 'machines.work',
  'machines.stop': 'machines.work',
  'machines.cancel': 'machines.work',
  'tools.list': 'tools',
  'tool.start': 'run',
  'workbench.list': 'workbench',
  'workbench.start': 'run',
} as const satisfies Partial<Record<ClientType, AgentType>>;
export type RequestType = keyof typeof REPLY_OF;
export type ReplyOf<T extends RequestType> = AgentMessageOf<(typeof REPLY_OF)[T]>;

/** HTTP answer of /api/health; no authentication needed, nothing private in it. */
export const zHealth = z.object({
  status: z.literal('ok'),
  product: z.literal('verbslab'),
  version: z.string(),
  protocol: zU32,
  pid: zCount,
  uptimeSeconds: z.number(),
  /** Whether the request came with a valid session. Absent from older agents. */
  signedIn: z.boolean().optional(),
});
export type Health = z.infer<typeof zHealth>;
