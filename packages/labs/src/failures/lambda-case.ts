/**
 * Failures of remote execution: the verbs all succeed, and the server’s program answers why it did not run the
 * function.
 */
import { AppError, base64, bytesOfBase64, type ErrorCode } from '@verbslab/protocol';
import { functionOf } from '../lambda/functions.js';
import { attempt, PATIENCE_MS, postRecv, REGION, write, type Bench, type Pair } from './bench.js';
import type { FailureCase } from './case.js';

/** Function of the correct program. */
export const GOOD = functionOf('sum');
export const LIMITS = { memoryBytes: 1024 * 1024, timeMs: 500 };

const IMAGE_BYTES = REGION / 2;
const INPUT_BYTES = 4096;
/** The answers of the server: 0, or the place of the code among these. */
const ANSWERS = [
  'LAMBDA_UNSIGNED',
  'LAMBDA_ALTERED',
  'LAMBDA_UNKNOWN_SIGNER',
  'LAMBDA_NOT_MODULE',
  'LAMBDA_IMPORTS',
  'LAMBDA_MEMORY',
  'LAMBDA_TIME',
  'LAMBDA_TRAP',
  'LAMBDA_RESULT',
] as const satisfies readonly ErrorCode[];

interface Mistake {
  id: string;
  name: string;
  cause: string;
  explanation: string;
  fix: string;
  code: (typeof ANSWERS)[number];
  /** Module that the broken program ships instead. */
  module?: Uint8Array;
  signer?: 'stranger';
  /** Changes the image after it was signed. */
  spoil?: (image: Uint8Array) => void;
}

/** Signs a module at the client, spoils it if the case says so, and writes it to the memory from which it is sent. */
async function prepare(
  { client }: Pair,
  module: Uint8Array,
  { signer, spoil }: Pick<Mistake, 'signer' | 'spoil'>,
) {
  const sign = (who: 'own' | 'stranger') =>
    client.endpoint.call('lambda.sign', { module: base64(module), signer: who });
  const { publicKey } = await sign('own');
  const image = bytesOfBase64((await sign(signer ?? 'own')).image);
  spoil?.(image);
  await client.endpoint.call('writeMemory', { mr: client.mr.mr, offset: 0, base64: base64(image) });
  return { publicKey, imageBytes: image.length };
}

/** The server’s program: takes the function, runs it, and returns the error code. Null: the function ran. */
async function serve({ server }: Pair, imageBytes: number, publicKey: string): Promise<string | null> {
  const { endpoint, mr } = server;
  const place = (offset: number, length: number) => ({ mr: mr.mr, offset, length });
  try {
    const { lambda } = await endpoint.call('lambda.load', {
      image: place(0, imageBytes),
      trusted: [publicKey],
      ...LIMITS,
    });
    try {
      const input = place(IMAGE_BYTES, INPUT_BYTES);
      await endpoint.call('lambda.run', {
        lambda,
        input,
        output: place(IMAGE_BYTES + INPUT_BYTES, GOOD.outputBytes),
      });
      return null;
    } finally {
      await endpoint.call('lambda.unload', { lambda });
    }
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('LAMBDA_')) throw error;
    return error.code;
  }
}

/** The immediate of the server’s answer. */
async function answer({ client, server }: Pair, status: number): Promise<number | null> {
  await client.endpoint.call('postRecv', { qp: client.qp.qp, wr: {} });
  await attempt(server, { opcode: 'SEND_WITH_IMM', imm: status });
  const { completions } = await client.endpoint.call('waitCq', {
    cq: client.cq,
    count: 1,
    timeoutMs: PATIENCE_MS,
  });
  return completions[0]?.imm ?? null;
}

async function run(bench: Bench, mistake: Mistake, broken: boolean) {
  const pair = await bench.pair();
  const { client, server } = pair;
  await server.endpoint.call('fillMemory', {
    mr: server.mr.mr,
    offset: IMAGE_BYTES,
    length: INPUT_BYTES,
    seed: 1,
  });
  const module = (broken && mistake.module) || GOOD.module;
  const { publicKey, imageBytes } = await prepare(pair, module, broken ? mistake : {});
  await postRecv(pair);
  const wr = { ...write(pair, imageBytes), opcode: 'RDMA_WRITE_WITH_IMM' as const, imm: imageBytes };
  const shipped = await attempt(client, wr);
  await server.endpoint.call('waitCq', { cq: server.cq, count: 1, timeoutMs: PATIENCE_MS });
  const code = await serve(pair, imageBytes, publicKey);
  const status = code === null ? 0 : ANSWERS.findIndex((one) => one === code) + 1;
  const told = await answer(pair, status);
  return {
    ...shipped,
    worked: shipped.worked && code === null && told === 0,
    ...(code === null ? {} : { code }),
    seen: `The WRITE arrived. The server’s program answered with immediate ${told}, ${code ?? 'the function ran'}.`,
  };
}

export function lambdaCase(mistake: Mistake): FailureCase {
  const { id, name, cause, explanation, fix, code } = mistake;
  return {
    id,
    name,
    symptom:
      'The client ships a function by WRITE with immediate. The request succeeds, but no result comes back: the server answers with a code.',
    cause,
    explanation,
    fix,
    expected: { status: 0, code },
    run: (bench, broken) => run(bench, mistake, broken),
  };
}
