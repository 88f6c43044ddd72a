/** The four modes: the moves of each end, and the rights that it needs. */
import type { Access, LabContext, Move } from '@verbslab/protocol';
import { DATA, placeOf, RESULT, RESULT_BYTES, writeImm, type End } from '../lambda/endpoints.js';
import { functionOf } from '../lambda/functions.js';
import { remoteOf } from '../endpoints/side.js';
import type { FourModesParams } from './params.js';

export type Context = LabContext<FourModesParams>;

/** Function that the server runs over the payload. */
export const FUNCTION = functionOf('sum');

export const MODES = [
  {
    id: 'send',
    title: 'Send',
    does: 'SEND of the payload; the server answers with an empty SEND',
    rights: { client: [], server: ['LOCAL_WRITE'] },
  },
  {
    id: 'write',
    title: 'Write',
    does: 'WRITE_WITH_IMM of the payload; the immediate is its length',
    rights: { client: [], server: ['LOCAL_WRITE', 'REMOTE_WRITE'] },
  },
  {
    id: 'read',
    title: 'Read',
    does: 'READ of the payload from the server',
    rights: { client: ['LOCAL_WRITE'], server: ['REMOTE_READ'] },
  },
  {
    id: 'run',
    title: 'Remote execution',
    does: 'WRITE_WITH_IMM of the payload; the server runs a function over it and writes the result back',
    rights: { client: ['LOCAL_WRITE', 'REMOTE_WRITE'], server: ['LOCAL_WRITE', 'REMOTE_WRITE'] },
  },
] as const satisfies readonly {
  id: string;
  title: string;
  does: string;
  rights: Record<'client' | 'server', readonly Access[]>;
}[];
export type Mode = (typeof MODES)[number];

export interface Wire {
  client: End;
  server: End;
  /** Handle of the function at the server; 0 in modes that run nothing. */
  lambda: number;
}

const sent: Move = { move: 'sent', count: 1 };
const received: Move = { move: 'received', count: 1 };
const empty: Move = { move: 'recv', wr: {} };

/** Buffer of the server’s RECVs. */
export const recvOf = ({ id }: Mode, { server }: Wire, payload: number) =>
  id === 'send' ? { local: [placeOf(server, DATA, payload)] } : {};

/**
 * Moves of one operation. They rely on a RECV that is already posted at the server, or on all of them in the mode
 * without an answer.
 */
export function movesOf(mode: Mode, wire: Wire, payload: number): Record<'client' | 'server', Move[]> {
  const { client, server, lambda } = wire;
  const local = [placeOf(client, DATA, payload)];
  const recv: Move = { move: 'recv', wr: recvOf(mode, wire, payload) };
  const push: Move = { move: 'post', wr: writeImm(client, server, DATA, payload, payload) };
  switch (mode.id) {
    case 'send':
      return {
        client: [empty, { move: 'post', wr: { opcode: 'SEND', local } }, sent, received],
        server: [received, recv, { move: 'post', wr: { opcode: 'SEND' } }, sent],
      };
    case 'write':
      return { client: [push, sent], server: [received] };
    case 'read':
      return {
        client: [{ move: 'post', wr: { opcode: 'RDMA_READ', local, remote: remoteOf(server, DATA) } }, sent],
        server: [],
      };
    case 'run':
      return {
        client: [empty, push, sent, received],
        server: [
          received,
          recv,
          {
            move: 'run',
            lambda,
            input: placeOf(server, DATA, payload),
            output: placeOf(server, RESULT, RESULT_BYTES),
          },
          { move: 'post', wr: writeImm(server, client, RESULT, FUNCTION.outputBytes, FUNCTION.outputBytes) },
          sent,
        ],
      };
  }
}
