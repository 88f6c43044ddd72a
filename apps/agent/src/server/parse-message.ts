import {
  AppError,
  CLIENT_MESSAGES,
  issueText,
  PROTOCOL_VERSION,
  zClientMessage,
  type ClientMessage,
} from '@verbslab/protocol';

/** Throws AppError PROTOCOL_VERSION. */
export function checkProtocol(theirs: number): void {
  if (theirs !== PROTOCOL_VERSION) throw new AppError('PROTOCOL_VERSION', { theirs, ours: PROTOCOL_VERSION });
}

/** Throws AppError UNKNOWN_MESSAGE, BAD_MESSAGE, PROTOCOL_VERSION. */
export function parseMessage(raw: unknown): ClientMessage {
  const parsed = zClientMessage.safeParse(raw);
  if (parsed.success) return parsed.data;
  const { type, protocol } = (raw ?? {}) as { type?: unknown; protocol?: unknown };
  // Another version may say the rest of it in another way.
  if (type === 'hello' && typeof protocol === 'number') checkProtocol(protocol);
  if (typeof type === 'string' && !Object.hasOwn(CLIENT_MESSAGES, type)) {
    throw new AppError('UNKNOWN_MESSAGE', { type: type.slice(0, 64) });
  }
  throw new AppError('BAD_MESSAGE', { detail: issueText(parsed.error) });
}
