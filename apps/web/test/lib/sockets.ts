// Sockets in the hands of a test, and the client of the agent behind them.
import type { ClientMessage } from '@verbslab/protocol';
import { afterEach, beforeEach, vi } from 'vitest';
import { AgentClient, type ClientEvents } from '../../src/connection/client';
import { DirectLink } from '../direct-link';

/** The browser's end of a socket, in the hands of the test. */
export class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = 0;
  binaryType = '';
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((e: { data: string | ArrayBuffer }) => void) | null = null;
  readonly sent: ClientMessage[] = [];

  constructor(readonly url: string) {
    Socket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }
  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.();
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  say(m: object): void {
    this.onmessage?.({ data: JSON.stringify(m) });
  }
  frame(bytes: Uint8Array): void {
    this.onmessage?.({ data: bytes.slice().buffer });
  }
  last(type: string): ClientMessage & { id: number } {
    return this.sent.findLast((m) => m.type === type) as ClientMessage & { id: number };
  }
}

const WELCOME = {
  type: 'welcome',
  protocol: 1,
  agent: {
    id: 'a',
    version: '0',
    host: 'h',
    platform: 'p',
    cpus: 2,
    cpuModel: 'c',
    kernel: 'k',
    memlockLimit: null,
  },
  devices: [],
  labs: [],
  runs: [],
};
/** Long enough on a busy machine for what comes within a second on any other. */
export const WAIT = { timeout: 60_000 };
export const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A client whose events go to spies, but for those that are given. */
export function newClient(more: Partial<ClientEvents> = {}) {
  const on = {
    welcome: vi.fn(),
    lost: vi.fn(),
    connecting: vi.fn(),
    message: vi.fn(),
    frame: vi.fn(),
    completions: vi.fn(),
    latencies: vi.fn(),
    ...more,
  };
  return { client: new AgentClient('ws://agent/ws', new DirectLink(), on), on };
}

/** A client whose first socket has been welcomed. */
export async function connected(more: Partial<ClientEvents> = {}, said: object = {}) {
  const { client, on } = newClient(more);
  client.start();
  await welcome(said);
  return { client, on, socket: Socket.all.at(-1)! };
}

export async function welcome(said: object = {}) {
  const socket = Socket.all.at(-1)!;
  socket.open();
  socket.say({ ...WELCOME, ...said, re: socket.last('hello').id });
  await turn();
}

/** Puts these sockets in the place of the browser's for each test of the file. */
export function stubSockets(): void {
  beforeEach(() => {
    Socket.all = [];
    vi.stubGlobal('WebSocket', Socket);
    vi.stubGlobal('fetch', vi.fn().mockResolvedValue({ ok: false }));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
}
