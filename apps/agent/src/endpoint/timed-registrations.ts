/** Registers memory repeatedly and times each call. */
import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AppError, type EndpointResult, type RegistrationTimes } from '@verbslab/protocol';
import type { Access, Mr, Pd } from '@verbslab/verbs';

/**
 * Size from which memory is fresh, bytes. The allocator serves requests of up to 32 MiB from memory that it got back,
 * and those pages exist. Beyond, it maps fresh pages, which come to exist at the first access.
 */
const FRESH_BYTES = 64 * 1024 * 1024;

/** Bytes of garbage below which collecting is left to the engine. */
const COLLECT_BYTES = 16 * 1024 * 1024;

const kib = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;

const procSelf = (file: string): string => readFileSync(`/proc/self/${file}`, 'utf8');

/** Memory locked by the process (mlock), or pinned on its behalf by a driver. */
function lockedBytes(): number {
  const status = procSelf('status');
  return kib(status, 'VmLck') + kib(status, 'VmPin');
}

/** Soft limit of RLIMIT_MEMLOCK, bytes; null for no limit. */
function memlockLimit(): number | null {
  const soft = /^Max locked memory\s+(\d+)/m.exec(procSelf('limits'))?.[1];
  return soft === undefined ? null : Number(soft);
}

/**
 * Frees the buffers now. Otherwise they are freed when their objects are collected, which may be long after they become
 * garbage. Closed regions hold theirs until a finalizer has run, after the first collection.
 */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let pass = 0; pass < 2; pass++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

/** @param register registers the nth piece of memory */
function timed(times: number, register: (index: number) => Mr): RegistrationTimes {
  const registerNs = new Array<number>(times).fill(0);
  const deregisterNs = new Array<number>(times).fill(0);
  let locked = 0;
  let faults = 0;
  for (let index = 0; index < times; index++) {
    const lockedBefore = index === 0 ? lockedBytes() : 0;
    const faultsBefore = process.resourceUsage().minorPageFault;
    const begun = process.hrtime.bigint();
    const mr = register(index);
    const registered = process.hrtime.bigint();
    faults += process.resourceUsage().minorPageFault - faultsBefore;
    if (index === 0) locked = lockedBytes() - lockedBefore;
    const closing = process.hrtime.bigint();
    mr.close();
    deregisterNs[index] = Number(process.hrtime.bigint() - closing);
    registerNs[index] = Number(registered - begun);
  }
  return { registerNs, deregisterNs, faults, lockedBytes: locked };
}

/** Allocates memory. Throws LIMIT rather than let the kernel end the process. */
function allocate(bytes: number): Uint8Array {
  const free = freemem();
  if (bytes > free)
    throw new AppError('LIMIT', {
      what: 'This host has too little free memory for the registrations',
      value: bytes,
      limit: free,
    });
  return new Uint8Array(Math.max(bytes, FRESH_BYTES));
}

export interface TimedRegistrationsOptions {
  pd: Pd;
  length: number;
  times: number;
  access: readonly Access[];
  /** Bytes between the start of a page and that of each region. */
  offset: number;
  hugePages: boolean;
}

export async function timeRegistrations({
  pd,
  length,
  times,
  access,
  offset,
  hugePages,
}: TimedRegistrationsOptions): Promise<EndpointResult<'timeRegistrations'>> {
  const about = { pageBytes: kib(procSelf('smaps'), 'KernelPageSize'), memlockLimit: memlockLimit() };
  if (hugePages)
    return {
      ...about,
      untouched: timed(times, () => pd.regMr(length, access, { hugePages })),
      touched: null,
    };
  try {
    return { ...about, ...onPages(pd, length, times, access, offset, about.pageBytes) };
  } finally {
    if (length * times >= COLLECT_BYTES) await collectGarbage();
  }
}

/** Separate function, so that nothing refers to the memory after it has returned. */
function onPages(
  pd: Pd,
  length: number,
  times: number,
  access: readonly Access[],
  offset: number,
  pageBytes: number,
): { untouched: RegistrationTimes; touched: RegistrationTimes } {
  const stride = roundUp(offset + length, pageBytes);
  const arena = allocate(stride * times + pageBytes);
  // Only a region reveals the address of memory. The probe touches its page, so that page is left out.
  const probe = pd.regMr(arena.subarray(0, 1), access);
  const first = pageBytes - Number(probe.addr % BigInt(pageBytes));
  probe.close();
  const piece = (index: number): Uint8Array => {
    const at = first + index * stride + offset;
    return arena.subarray(at, at + length);
  };
  const register = (index: number): Mr => pd.regMr(piece(index), access);
  return { untouched: timed(times, register), touched: timed(times, register) };
}
