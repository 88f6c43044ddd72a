import { Socket } from 'node:net';
import {
  toErrorInfo,
  zEndpointRequest,
  type EndpointOp,
  type EndpointRequest,
  AppError,
} from '@verbslab/protocol';
import { Recorder } from './recorder.js';
import { Session } from './session.js';
import { FRAME_FD, hasRoom, MESSAGE_FD, readMessages, writeFrame, writeMessage } from './wire.js';

/** A device that does not let go is left to the kernel. */
const SHUTDOWN_LIMIT_MS = 1_500;
/** Time for commands in progress when the endpoint is closed, ms. */
const DRAIN_MS = 0;

/** Carries out one command; throws AppError or VerbsError. */
export type Operate = (session: Session, op: Exclude<EndpointOp, 'close'>, args: unknown) => Promise<unknown>;

const finished = (pipe: Socket): Promise<void> =>
  new Promise((resolve) => {
    pipe.once('error', () => resolve());
    pipe.end(() => resolve());
  });

/**
 * The whole of an endpoint process: owns a device and its objects, and carries out commands until its agent says
 * `close` or goes away, or a signal comes. Then it destroys everything in order and ends.
 */
export function serve(operate: Operate): void {
  const messages = new Socket({ fd: MESSAGE_FD, readable: true, writable: true });
  const framePipe = new Socket({ fd: FRAME_FD, readable: false, writable: true });
  let framesSent = 0;

  const recorder = new Recorder((events) => writeMessage(messages, { events }));
  const session = new Session(
    recorder,
    (frame, onWritten) => {
      framesSent++;
      writeFrame(framePipe, frame, onWritten);
    },
    () => hasRoom(framePipe),
  );

  function answer(id: number, body: { result: unknown } | { error: unknown }): void {
    recorder.flush();
    writeMessage(messages, { re: id, ...body, frames: framesSent });
  }

  async function carryOut({ id, op, args }: EndpointRequest): Promise<void> {
    if (op !== 'open') recorder.release();
    if (op === 'close') {
      await shutDown(() => answer(id, { result: {} }));
      return;
    }
    try {
      answer(id, { result: await operate(session, op, args) });
    } catch (error) {
      answer(id, { error: toErrorInfo(error) });
    }
  }

  let ending = false;

  /** Ends the process: everything destroyed, everything said. */
  async function shutDown(lastWord: () => void): Promise<void> {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), SHUTDOWN_LIMIT_MS).unref();
    await session.closeAll(DRAIN_MS);
    recorder.release();
    lastWord();
    await Promise.all([finished(messages), finished(framePipe)]);
    process.exit(0);
  }

  const leave = (): void => void shutDown(() => undefined);

  readMessages(
    messages,
    (raw) => {
      const request = zEndpointRequest.safeParse(raw);
      if (request.success) void carryOut(request.data);
      else {
        const id = (raw as { id?: unknown } | null)?.id;
        const error = toErrorInfo(new AppError('BAD_MESSAGE', { detail: 'no such command' }));
        if (typeof id === 'number') answer(id, { error });
      }
    },
    leave,
  );

  // The agent is gone when its end of the pipe is.
  messages.on('end', leave).on('error', leave).on('close', leave);
  framePipe.on('error', leave);
  process.on('SIGTERM', leave);
  // Ctrl-C reaches the whole process group; the agent then closes its endpoints in order.
  process.on('SIGINT', () => undefined);
}
