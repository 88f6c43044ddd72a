/** Functions that the server must refuse or stop: shipped like all others, and answered with a number. */
import { AppError, base64, bytesOfBase64, LAMBDA_IMAGE, type ErrorCode } from '@verbslab/protocol';
import { formatBytes, formatTime } from '../base/format.js';
import { DATA, IMAGE, placeOf, RESULT, RESULT_BYTES, writeImm } from '../lambda/endpoints.js';
import { FUNCTIONS } from '../lambda/functions.js';
import * as hostile from '../lambda/hostile.js';
import { completions } from '../endpoints/verbs.js';
import { loadAt, type Context, type Ends } from './endpoints.js';
import { MEMORY_BYTES } from './params.js';

/** Input of the functions here. */
const INPUT_BYTES = 4096;

type Signer = 'own' | 'stranger';

interface Case {
  id: string;
  title: string;
  module: Uint8Array;
  signer?: Signer;
  /** Changes the image after it was signed; base64. */
  spoil?: (image: string) => string;
  /** Null: it runs. */
  code: ErrorCode | null;
  limited?: true;
}

/** Zeroes the bytes of the signature. */
function unsigned(image: string): string {
  const bytes = bytesOfBase64(image);
  bytes.fill(0, LAMBDA_IMAGE.signature, LAMBDA_IMAGE.module);
  return base64(bytes);
}

/** Changes one bit of the last byte of the module. */
function altered(image: string): string {
  const bytes = bytesOfBase64(image);
  bytes[bytes.length - 1]! ^= 1;
  return base64(bytes);
}

const good = FUNCTIONS[0].module;

export const REFUSALS: readonly Case[] = [
  { id: 'unsigned', title: 'No signature', module: good, spoil: unsigned, code: 'LAMBDA_UNSIGNED' },
  {
    id: 'altered',
    title: 'One bit changed after signing',
    module: good,
    spoil: altered,
    code: 'LAMBDA_ALTERED',
  },
  {
    id: 'stranger',
    title: 'Signed with an unknown key',
    module: good,
    signer: 'stranger',
    code: 'LAMBDA_UNKNOWN_SIGNER',
  },
  {
    id: 'not-module',
    title: 'Text instead of a module',
    module: hostile.notModule,
    code: 'LAMBDA_NOT_MODULE',
  },
  {
    id: 'imports',
    title: 'Imports a function “system”',
    module: hostile.importing('system'),
    code: 'LAMBDA_IMPORTS',
  },
  {
    id: 'memory',
    title: 'Declares 1 GiB of memory',
    module: hostile.declaring(hostile.TOO_MUCH_MEMORY),
    code: 'LAMBDA_MEMORY',
  },
  { id: 'grows', title: 'Grows its memory until it gets no more', module: hostile.growing, code: null },
  { id: 'time', title: 'Loops forever', module: hostile.looping, code: 'LAMBDA_TIME', limited: true },
  { id: 'trap', title: 'Reads beyond its memory', module: hostile.straying, code: 'LAMBDA_TRAP' },
  { id: 'result', title: 'Claims 1 GiB of output', module: hostile.claiming(1 << 30), code: 'LAMBDA_RESULT' },
];

/** The status that a server answers with: 0, or the place of the refusal among them. */
const statusOf = (code: string | null): number =>
  code === null ? 0 : REFUSALS.filter((one) => one.code !== null).findIndex((one) => one.code === code) + 1;

interface Outcome {
  code: string | null;
  text: string;
  memoryBytes: number;
}

/** Loads and runs an image of `imageBytes` bytes in the server's memory. */
async function attempt(ends: Ends, imageBytes: number, timeMs?: number): Promise<Outcome> {
  const { server } = ends;
  const { endpoint } = server;
  try {
    const { lambda } = await endpoint.call('lambda.load', loadAt(server, imageBytes, ends, timeMs));
    try {
      const { bytes, memoryBytes } = await endpoint.call('lambda.run', {
        lambda,
        input: placeOf(server, DATA, INPUT_BYTES),
        output: placeOf(server, RESULT, RESULT_BYTES),
      });
      return {
        code: null,
        text: `It ran: ${bytes} B of output, ${formatBytes(memoryBytes)} of memory.`,
        memoryBytes,
      };
    } finally {
      await endpoint.call('lambda.unload', { lambda });
    }
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('LAMBDA_')) throw error;
    return { code: error.code, text: error.info.message, memoryBytes: 0 };
  }
}

interface Tried extends Outcome {
  /** The immediate that the client got. */
  status: number;
  ns: number;
}

/** Ships a function, lets the server decide, and takes the answer. */
async function ship(ctx: Context, ends: Ends, one: Case): Promise<Tried> {
  const { client, server } = ends;
  const signed = await client.endpoint.call('lambda.sign', {
    module: base64(one.module),
    signer: one.signer ?? 'own',
  });
  const image = one.spoil?.(signed.image) ?? signed.image;
  const imageBytes = bytesOfBase64(image).length;
  await client.endpoint.call('writeMemory', { mr: client.mr.mr, offset: IMAGE, base64: image });
  await server.endpoint.call('postRecv', { qp: server.qp.qp, wr: {} });
  await client.endpoint.call('postRecv', { qp: client.qp.qp, wr: {} });
  await client.endpoint.call('postSend', {
    qp: client.qp.qp,
    wr: writeImm(client, server, IMAGE, imageBytes, imageBytes),
  });
  await completions(client.endpoint, client.sendCq, 1, 'RDMA WRITE');
  await completions(server.endpoint, server.recvCq, 1, 'RECV');
  const begun = ctx.now();
  const outcome = await attempt(ends, imageBytes, one.limited && ctx.params.timeLimit);
  const ns = ctx.now() - begun;
  await server.endpoint.call('postSend', {
    qp: server.qp.qp,
    wr: writeImm(server, client, RESULT, 0, statusOf(outcome.code)),
  });
  await completions(server.endpoint, server.sendCq, 1, 'RDMA WRITE');
  const [answer] = await completions(client.endpoint, client.recvCq, 1, 'RECV');
  return { ...outcome, status: answer!.imm ?? -1, ns };
}

export async function tryRefusals(ctx: Context, ends: Ends): Promise<void> {
  const wrong: string[] = [];
  const untold: string[] = [];
  const found = new Map<string, Tried>();
  for (const one of REFUSALS) {
    const tried = await ship(ctx, ends, one);
    found.set(one.id, tried);
    ctx.row('refusals', {
      case: one.title,
      code: tried.code ?? 'none',
      says: tried.text,
      status: tried.status,
      time: tried.ns / 1e6,
    });
    if (tried.code !== one.code) wrong.push(`${one.title}: ${tried.code ?? 'it ran'}.`);
    if (tried.status !== statusOf(one.code)) untold.push(`${one.title}: status ${tried.status}.`);
  }
  const refused = REFUSALS.filter(({ code }) => code !== null).length;
  ctx.check(
    'refused',
    wrong.length === 0,
    wrong.join(' ') ||
      `${refused} functions were refused or stopped, each with a code of its own. The one that grows its memory ran within the limit.`,
  );
  ctx.check(
    'told',
    untold.length === 0,
    untold.join(' ') ||
      `The client got status 1 to ${refused} as immediate data, and 0 for the one that ran.`,
  );
  const { memoryBytes } = found.get('grows')!;
  ctx.figure('grown', memoryBytes);
  ctx.check(
    'memory-held',
    memoryBytes > 0 && memoryBytes <= MEMORY_BYTES,
    `A function that asked for ever more memory had ${formatBytes(memoryBytes)} in the end (limit ${formatBytes(MEMORY_BYTES)}).`,
  );
  const { code, ns } = found.get('time')!;
  ctx.figure('stopped', ns / 1e6);
  ctx.outcome('loop', code === 'LAMBDA_TIME' ? 'stopped' : 'other');
  const after = await ship(ctx, ends, { id: 'after', title: 'After all', module: good, code: null });
  ctx.check(
    'goes-on',
    after.code === null,
    `After all of them the same server ${after.code === null ? 'ran a good function' : `answered ${after.code}`}. The loop had been stopped after ${formatTime(ns)}.`,
  );
}
