// Errors that a lab causes on purpose. They are no problems of its run, up to the announced number.
import type { RunEvent } from './events.js';
import type { Intended } from './lab-form.js';

type Seen = { kind: string } & Partial<RunEvent>;

/** Intended errors of an endpoint. The endpoint's name is its role, or its role and a number. */
export const intendedAt = (endpoint: string, intended: readonly Intended[]): Intended[] =>
  intended.filter(({ role }) => endpoint.replace(/-\d+$/, '') === role);

/** Errno of a failed call, such as `EINVAL`; undefined if the call was refused before it reached the device. */
export const errnoOf = ({ error }: { error?: { message: string } | undefined }): string | undefined =>
  /\((E[A-Z0-9]+)\)/.exec(error?.message ?? '')?.[1];

/** Key of equal errors: the same status, the same event, or the same refusal of the same call. */
function kindOf(event: Seen): { key: string; meant: (one: Intended) => boolean } | null {
  const e = event as RunEvent;
  if (e.kind === 'completion') {
    const { status } = e.wc;
    return { key: `status ${status}`, meant: ({ statuses }) => !!statuses?.includes(status) };
  }
  if (e.kind === 'async')
    return { key: `event ${e.event}`, meant: ({ events }) => !!events?.includes(e.event) };
  if (e.kind !== 'verb') return null;
  const errno = errnoOf(e);
  return {
    key: `${e.call} ${errno}`,
    meant: ({ calls }) => !!calls?.some((one) => one.call === e.call && one.errno === errno),
  };
}

/**
 * Problems that the lab did not announce, or that exceed the announced number. Failed checks and misuse are never
 * intended.
 */
export function unintended<E extends Seen>(problems: readonly E[], intended: readonly Intended[]): E[] {
  const left = new Map<string, number>();
  return problems.filter((event) => {
    const endpoint = event.endpoint ?? '';
    const kind = kindOf(event);
    if (!kind) return true;
    const key = `${endpoint} ${kind.key}`;
    const meant = intendedAt(endpoint, intended).filter(kind.meant);
    const rest = left.get(key) ?? meant.reduce((sum, { most = Infinity }) => sum + most, 0);
    left.set(key, rest - 1);
    return rest < 1;
  });
}
