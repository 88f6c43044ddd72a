import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { AppError } from '@verbslab/protocol';
import { z } from 'zod';
import { Kind, FrameReader, frame, type ExecEnd, type ExecRequest } from './exec-frames.js';
import type { Vm } from './state.js';

const zExecEnd = z.object({
  code: z.int().nullable(),
  signal: z.string().nullable(),
  error: z.string().nullable(),
}) satisfies z.ZodType<ExecEnd>;

export interface ExecStreams {
  stdin?: Readable;
  stdout: (chunk: Buffer) => void;
  stderr: (chunk: Buffer) => void;
  /** Aborting ends the command with SIGKILL. */
  signal?: AbortSignal;
}

/**
 * Runs a command in a machine. Resolves with its end. Rejects with VMS_COMMAND if it could not be started or the
 * machine went away, or with the signal's reason.
 */
export async function execute(
  vm: Vm,
  request: Omit<ExecRequest, 'token'>,
  streams: ExecStreams,
): Promise<ExecEnd> {
  const socket = connect({ host: vm.exec.address, port: vm.exec.port, noDelay: true });
  const abort = (): void => void socket.destroy(streams.signal?.reason as Error);
  if (streams.signal?.aborted) abort();
  streams.signal?.addEventListener('abort', abort, { once: true });
  const reader = new FrameReader();
  let end: ExecEnd | null = null;
  const input = (chunk: Buffer): void => {
    if (socket.write(frame(Kind.Stdin, chunk))) return;
    streams.stdin?.pause();
    socket.once('drain', () => streams.stdin?.resume());
  };
  const inputEnd = (): void => void (socket.writable && socket.write(frame(Kind.StdinEnd)));
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => {
        socket.write(`${JSON.stringify({ ...request, token: vm.exec.token })}\n`);
        if (streams.stdin) streams.stdin.on('data', input).once('end', inputEnd);
        else inputEnd();
      });
      socket.on('data', (chunk: Buffer) => {
        try {
          for (const { kind, payload } of reader.read(chunk)) {
            if (kind === Kind.Stdout) streams.stdout(payload);
            if (kind === Kind.Stderr) streams.stderr(payload);
            if (kind === Kind.End) end = zExecEnd.parse(JSON.parse(payload.toString()));
          }
        } catch (error) {
          socket.destroy(error as Error);
        }
      });
      socket.once('error', reject);
      socket.once('close', () => resolve());
    });
  } catch (error) {
    streams.signal?.throwIfAborted();
    throw new AppError('VMS_COMMAND', { name: vm.name, detail: (error as Error).message }, { cause: error });
  } finally {
    streams.signal?.removeEventListener('abort', abort);
    streams.stdin?.off('data', input).off('end', inputEnd).pause();
    socket.destroy();
  }
  const result = end as ExecEnd | null;
  if (!result)
    throw new AppError('VMS_COMMAND', {
      name: vm.name,
      detail: 'it closed the connection before the command ended',
    });
  if (result.error !== null) throw new AppError('VMS_COMMAND', { name: vm.name, detail: result.error });
  return result;
}

export interface CommandOutcome extends ExecEnd {
  stdout: string;
  stderr: string;
}

/** Runs a command without input and collects its output. */
export async function runIn(
  vm: Vm,
  command: string[],
  options: { env?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<CommandOutcome> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const end = await execute(
    vm,
    { command, env: options.env ?? {}, terminal: null },
    {
      stdout: (chunk) => stdout.push(Buffer.from(chunk)),
      stderr: (chunk) => stderr.push(Buffer.from(chunk)),
      ...(options.signal ? { signal: options.signal } : {}),
    },
  );
  return { ...end, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

/** Runs a command that must succeed. Returns its stdout; rejects with VMS_COMMAND if it fails. */
export async function mustRunIn(vm: Vm, command: string[], signal?: AbortSignal): Promise<string> {
  const { code, signal: by, stdout, stderr } = await runIn(vm, command, signal ? { signal } : {});
  if (code === 0) return stdout;
  const detail = `${command.join(' ')} ended with ${code ?? by}: ${stderr.trim() || stdout.trim()}`;
  throw new AppError('VMS_COMMAND', { name: vm.name, detail });
}
