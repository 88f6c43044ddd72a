// The registered memory of the endpoints, read from outside during their life: /proc/PID/mem.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { itemsOf, type RunExport } from './export.js';

/** Process and address of an endpoint's memory region, from the calls of ibv_reg_mr. Regions count from 0. */
function regionOf(data: RunExport, role: string, region: number): { pid: number; addr: number } {
  const endpoint = itemsOf(data, 'endpoint').find((event) => event.role === role);
  const calls = itemsOf(data, 'verb').filter(
    (event) => event.call === 'ibv_reg_mr' && event.endpoint === role,
  );
  const call = calls[region];
  if (endpoint?.pid === undefined || !call) throw new Error(`the ${role} has registered no memory`);
  return { pid: endpoint.pid, addr: Number(call.args.addr) };
}

/** SHA-256 of a part of an endpoint's region. */
export function hashOf(data: RunExport, role: string, offset: number, length: number, region = 0): string {
  const { pid, addr } = regionOf(data, role, region);
  const bytes = Buffer.alloc(length);
  const fd = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (let at = 0; at < length;) {
      const read = readSync(fd, bytes, at, length - at, addr + offset + at);
      if (read === 0) throw new Error(`the ${role}'s memory ends ${length - at} bytes early`);
      at += read;
    }
  } finally {
    closeSync(fd);
  }
  return createHash('sha256').update(bytes).digest('hex');
}
