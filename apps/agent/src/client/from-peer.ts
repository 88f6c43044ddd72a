import { AppError, type ErrorInfo } from '@verbslab/protocol';

/**
 * Most events in one message of a peer. Reading them takes a tenth of a second; agents send far fewer at a time.
 */
const MAX_EVENTS = 20_000;

/** Throws for a message with more events than any agent sends at once, before the events are parsed. */
export function refuseFlood(raw: unknown): void {
  const count = (raw as { events?: { length?: unknown } }).events?.length;
  if (typeof count === 'number' && count > MAX_EVENTS)
    throw new Error(`${count} events in one message (limit ${MAX_EVENTS})`);
}

/** The error of a peer. An internal one happened in that agent, so its sentence names the agent. */
export function ofPeer(info: ErrorInfo, who: string): ErrorInfo {
  if (info.code !== 'INTERNAL') return info;
  const detail = info.message.replace(/^Internal error: /, '');
  return new AppError(
    'PEER_INTERNAL',
    { who, detail },
    info.detail === undefined ? {} : { detail: info.detail },
  ).info;
}
