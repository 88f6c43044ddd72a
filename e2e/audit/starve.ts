// Slows down the application at one end of a run while the device there continues: receives are then posted too late.
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';

/** Name of the thread that posts and polls in an endpoint (native/bench/loop.cc). */
const LOOP = 'vl-loop';

/** Thread of the measuring loop in an endpoint; null before the loop has started. */
export function loopThread(pid: number): number | null {
  const threads = readdirSync(`/proc/${pid}/task`);
  const found = threads.find(
    (thread) => readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trim() === LOOP,
  );
  return found === undefined ? null : Number(found);
}

/**
 * Gives a thread the lowest priority and keeps every core busy with a program of a higher one. The returned function
 * ends these programs. The priority stays, because an ordinary user cannot raise one.
 */
export function starve(thread: number): () => void {
  setPriority(thread, 19);
  const busy: ChildProcess[] = [];
  for (let cpu = 0; cpu < availableParallelism(); cpu++) {
    const program = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    // Lower priority than the browser and the agent.
    setPriority(program.pid!, 5);
    busy.push(program);
  }
  return () => busy.forEach((program) => program.kill('SIGKILL'));
}
