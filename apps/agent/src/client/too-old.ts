import { AppError } from '@verbslab/protocol';

/** Turns an older agent's UNKNOWN_MESSAGE into JOIN_OLD_AGENT. */
export async function orTooOld<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const old = error instanceof AppError && error.code === 'UNKNOWN_MESSAGE';
    throw old ? new AppError('JOIN_OLD_AGENT') : error;
  }
}
