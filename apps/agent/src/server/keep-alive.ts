import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { deadline } from '../base/deadline.js';

/** Pings a client now and then, and cuts off one that sends nothing at all within the time for its answer. */
export function keepAlive(
  socket: WebSocket,
  { stream, intervalMs, answerMs }: { stream: Socket; intervalMs: number; answerMs: number },
): void {
  let callOff: (() => void) | null = null;
  const interval = setInterval(() => {
    if (callOff) return;
    const before = stream.bytesRead;
    socket.ping();
    callOff = deadline(answerMs, () => {
      callOff = null;
      if (stream.bytesRead === before) socket.terminate();
    });
  }, intervalMs);
  socket.on('close', () => {
    clearInterval(interval);
    callOff?.();
  });
}
