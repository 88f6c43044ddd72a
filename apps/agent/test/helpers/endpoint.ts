import { spawn } from 'node:child_process';
import { AppError, type EndpointOp } from '@verbslab/protocol';
import { processEnd } from '../../src/base/process-end.js';
import type { HostedEndpoint, SpawnEndpoint, SpawnOptions } from '../../src/endpoint/hosted-endpoint.js';
import { device } from './device.js';

/** An endpoint that a run opened, for the test to use. */
export interface Puppet {
  readonly options: SpawnOptions;
  readonly endpoint: HostedEndpoint;
}

/**
 * Endpoints for tests of the run manager. Each is a real process, so that its death is real. The test decides what it
 * sends, since no verbs are needed here.
 */
export function puppets(): { spawn: SpawnEndpoint; opened: Puppet[] } {
  const opened: Puppet[] = [];
  return {
    opened,
    spawn(options) {
      const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
        child.once('exit', (code, signal) => resolve({ code, signal })),
      );
      let died: AppError | null = null;
      const pending = new Set<(error: AppError) => void>();
      void exited.then(({ signal, code }) => {
        died = new AppError('ENDPOINT_DIED', { endpoint: options.name, ...processEnd(code, signal) });
        for (const reject of pending) reject(died);
      });
      const endpoint: HostedEndpoint = {
        name: options.name,
        device,
        pid: child.pid!,
        exited,
        has: () => true,
        // Answers nothing: a command that is pending when the process dies is what tests need.
        call: (op: EndpointOp) =>
          new Promise((_, reject) => {
            if (died) reject(died);
            else pending.add(reject);
            void op;
          }),
        async close(graceMs) {
          child.stdin.end();
          const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
          await exited;
          clearTimeout(timer);
        },
        kill: () => void child.kill('SIGKILL'),
      };
      options.signal?.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
      opened.push({ options, endpoint });
      return Promise.resolve(endpoint);
    },
  };
}
