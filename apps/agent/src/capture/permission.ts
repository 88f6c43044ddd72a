import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { AppError } from '@verbslab/protocol';
import { capturePath } from '@verbslab/native';

/** Exit codes of `vlcapture` (native/capture/capture.h, `enum class Trouble`). */
export const FORBIDDEN = 3;
const TIMEOUT_MS = 5_000;

/** The error for a capture that is not allowed; names the command that allows it. */
export const captureForbidden = (detail?: string): AppError =>
  new AppError('CAPTURE_FORBIDDEN', { program: capturePath }, detail ? { detail } : {});

/** Returns why this process may not capture packets of network interfaces; null if it may. Takes some milliseconds. */
export function captureTrouble(program = capturePath): AppError | null {
  if (!existsSync(program))
    return new AppError('CAPTURE_FAILED', { interface: 'any interface', detail: `there is no ${program}` });
  const { status, error, stderr } = spawnSync(program, ['check'], { encoding: 'utf8', timeout: TIMEOUT_MS });
  if (status === 0) return null;
  const detail = error?.message ?? stderr.trim();
  if (status === FORBIDDEN) return captureForbidden(detail);
  return new AppError('CAPTURE_FAILED', { interface: 'any interface', detail });
}
