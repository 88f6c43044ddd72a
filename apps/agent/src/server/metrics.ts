import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { HostRegistry } from '../peers/hosted.js';
import type { Peers } from '../peers/peers.js';
import type { RunManager } from '../runs/manager.js';
import type { RunStore } from '../store/store.js';
import { VERSION } from '../config/version.js';

/** Counters of the connections. */
export interface Counters {
  receivedMessages: number;
  sentMessages: number;
  sentFrames: number;
  sentBytes: number;
  droppedRecords: number;
  errors: number;
}

export const newCounters = (): Counters => ({
  receivedMessages: 0,
  sentMessages: 0,
  sentFrames: 0,
  sentBytes: 0,
  droppedRecords: 0,
  errors: 0,
});

export interface MetricsOptions {
  store: RunStore;
  manager: RunManager;
  peers: Peers;
  hosted: HostRegistry;
  counters: Counters;
  http: () => { requests: number; refused: number };
  websocket: () => { connections: number; refused: number };
}

type Sample = [value: number, labels?: Record<string, string>];

const escapeLabel = (text: string): string =>
  text.replace(/[\\"\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`));

function family(name: string, type: 'counter' | 'gauge', help: string, samples: Sample[]): string {
  const lines = samples.map(([value, labels = {}]) => {
    const list = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
    return `${name}${list.length > 0 ? `{${list.join(',')}}` : ''} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n');
}

/** The agent’s own metrics in the Prometheus text format. Base units: seconds and bytes. */
export class Metrics {
  readonly #options: MetricsOptions;
  readonly #loop = monitorEventLoopDelay({ resolution: 50 });

  constructor(options: MetricsOptions) {
    this.#options = options;
    this.#loop.enable();
  }

  close(): void {
    this.#loop.disable();
  }

  text(): string {
    const { store, manager, peers, hosted, counters, http, websocket } = this.#options;
    const cpu = process.cpuUsage();
    const recording = manager.active.reduce((sum, run) => sum + run.recordedBytes, 0);
    const runs = Object.entries(store.countByState()).map(([state, count]): Sample => [count, { state }]);
    return (
      [
        family('verbslab_info', 'gauge', 'Version of the agent.', [
          [1, { version: VERSION, node: process.version }],
        ]),
        family('verbslab_runs', 'gauge', 'Runs in the history by state.', runs),
        family('verbslab_endpoints', 'gauge', 'Endpoint processes.', [[manager.endpointCount]]),
        family('verbslab_hosted_endpoints', 'gauge', 'Endpoint processes for runs of other agents.', [
          [hosted.count],
        ]),
        family(
          'verbslab_peers',
          'gauge',
          'Paired agents by state.',
          (['connecting', 'up', 'down'] as const).map((state): Sample => [
            peers.list.filter((peer) => peer.state === state).length,
            { state },
          ]),
        ),
        family('verbslab_recording_bytes', 'gauge', 'Stream bytes of runs in progress.', [[recording]]),
        family('verbslab_http_requests_total', 'counter', 'HTTP requests.', [[http().requests]]),
        family('verbslab_refused_total', 'counter', 'Requests refused by host, origin or token.', [
          [http().refused, { over: 'http' }],
          [websocket().refused, { over: 'websocket' }],
        ]),
        family('verbslab_connections', 'gauge', 'WebSocket connections.', [[websocket().connections]]),
        family('verbslab_messages_total', 'counter', 'WebSocket messages.', [
          [counters.receivedMessages, { direction: 'received', form: 'json' }],
          [counters.sentMessages, { direction: 'sent', form: 'json' }],
          [counters.sentFrames, { direction: 'sent', form: 'binary' }],
        ]),
        family('verbslab_message_errors_total', 'counter', 'Messages answered by an error.', [
          [counters.errors],
        ]),
        family('verbslab_sent_bytes_total', 'counter', 'WebSocket payload sent.', [[counters.sentBytes]]),
        family('verbslab_dropped_records_total', 'counter', 'Detail records not sent to slow clients.', [
          [counters.droppedRecords],
        ]),
        family('process_cpu_seconds_total', 'counter', 'CPU time of the agent.', [
          [(cpu.user + cpu.system) / 1e6],
        ]),
        family('process_resident_memory_bytes', 'gauge', 'Resident memory of the agent.', [
          [process.memoryUsage.rss()],
        ]),
        family('process_start_time_seconds', 'gauge', 'Start of the agent since 1970.', [
          [Math.round(Date.now() / 1000 - process.uptime())],
        ]),
        family('nodejs_eventloop_delay_p99_seconds', 'gauge', 'Event loop delay.', [
          [Number.isFinite(this.#loop.percentile(99)) ? this.#loop.percentile(99) / 1e9 : 0],
        ]),
      ].join('\n') + '\n'
    );
  }
}
