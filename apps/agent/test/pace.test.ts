/** Pace of reading the connection of a peer: reading must not occupy the agent. */
import type { WebSocket } from 'ws';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Pace } from '../src/client/pace.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function paced() {
  const socket = { pause: vi.fn(), resume: vi.fn(), once: vi.fn() };
  return { socket, pace: new Pace(socket as unknown as WebSocket) };
}

it('stops for as long as a burst took, and goes on then', () => {
  const { socket, pace } = paced();
  for (let ms = 0; ms < 30; ms += 10) {
    vi.advanceTimersByTime(10);
    pace.spent(10);
  }
  expect(socket.pause).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(29);
  expect(socket.resume).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(socket.resume).toHaveBeenCalledTimes(1);
});

it('does not stop one that leaves the agent more than half of the time', () => {
  const { socket, pace } = paced();
  for (let n = 0; n < 1_000; n++) {
    vi.advanceTimersByTime(10);
    pace.spent(4);
  }
  expect(socket.pause).not.toHaveBeenCalled();
});
