/** A module of the owner of this host. No command can name its path: see docs/security.md. */
import { open } from 'node:fs/promises';
import { AppError, callFailed, LAMBDA_MODULE_BYTES } from '@verbslab/protocol';

/** Reads a module from a file. Throws AppError SYSTEM, LIMIT. */
export async function readModule(path: string): Promise<Buffer> {
  const room = Buffer.alloc(LAMBDA_MODULE_BYTES + 1);
  let bytes = 0;
  try {
    const file = await open(path);
    try {
      ({ bytesRead: bytes } = await file.read(room, 0, room.length, 0));
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code = 'EIO' } = error as NodeJS.ErrnoException;
    throw callFailed('SYSTEM', `Reading ${path}`, code, 'Check the path in VERBSLAB_MODULE.');
  }
  if (bytes > LAMBDA_MODULE_BYTES)
    throw new AppError('LIMIT', {
      what: 'Bytes of the module in VERBSLAB_MODULE',
      value: `more than ${LAMBDA_MODULE_BYTES}`,
      limit: LAMBDA_MODULE_BYTES,
    });
  return room.subarray(0, bytes);
}
