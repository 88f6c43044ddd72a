import { AppError } from '@verbslab/protocol';
import { openHome } from '../config/home.js';
import { lockFile } from '../config/lock.js';
import { vmsFolder, type VmsFolder } from './paths.js';

/** Runs what changes the machines, one such work at a time. Rejects with VMS_BUSY while another process does. */
export async function changing<T>(work: (folder: VmsFolder) => Promise<T>): Promise<T> {
  openHome();
  const folder = vmsFolder();
  const lock = lockFile(folder.lock);
  if (!lock) throw new AppError('VMS_BUSY');
  try {
    return await work(folder);
  } finally {
    lock.release();
  }
}
