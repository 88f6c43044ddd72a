import { existsSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { urocePath } from '@verbslab/native';
import { Context } from './context.js';
import { callError, unknownDevice, VerbsError } from '../base/errors.js';
import { leaveOpen } from './leave-open.js';
import { binding, type NativeDevice, type NativeLibrary } from '../native/binding.js';
import type { Capabilities, Provider, ProviderClass } from './types.js';

const ENOENT = 2;
const ENOSYS = 38;

/** A device that can be opened. */
export class Device {
  readonly #native: NativeDevice;
  /** Name of the device in its library: `uroce0`, `mlx5_0`, `rxe0`. */
  readonly name: string;
  /** GUID of the device. */
  readonly guid: bigint;
  /** Kind of provider that does the NIC's work. */
  readonly providerClass: ProviderClass;
  /** Extensions of the device beyond verbs. */
  readonly capabilities: Readonly<Capabilities>;

  /** @internal */
  constructor(
    /** Library of the device. */
    readonly provider: Provider,
    native: NativeDevice,
  ) {
    this.#native = native;
    this.name = native.name;
    this.guid = native.guid;
    this.providerClass = provider === 'embedded' ? 'user-space' : classOf(native.name);
    const has = new Set(native.extensions);
    this.capabilities = {
      tap: has.has('tap'),
      pcap: has.has('pcap'),
      faults: has.has('faults'),
      stamps: has.has('stamps'),
      engineCpu: has.has('engineCpu'),
      counters: has.has('counters') || this.counterFolders(1).length > 0,
      pinned: has.has('pinned'),
      link: has.has('link'),
      shaping: has.has('shaping'),
      sendPacket: has.has('sendPacket'),
      marks: has.has('marks'),
      queues: has.has('queues'),
      policies: has.has('policies'),
    };
  }

  /**
   * @internal Folders of a kernel device's counters in sysfs: those of the driver, which `rdma statistic` prints, and
   *   those of the port, which rxe lacks.
   */
  counterFolders(port: number): string[] {
    if (this.#native.sysfsPath === '') return [];
    const folder = join('/sys/class/infiniband', this.name, 'ports', String(port));
    return ['hw_counters', 'counters'].map((name) => join(folder, name)).filter((path) => existsSync(path));
  }

  /**
   * `ibv_open_device`.
   *
   * @throws VerbsError EADDRINUSE if the embedded device cannot have its UDP port; EACCES without access to the kernel
   *   device
   */
  open(): Context {
    return leaveOpen(new Context(this, new binding.Context(this.#native)));
  }
}

/**
 * Class of a system device by its place in sysfs. Kernel software devices have no bus and are among the virtual
 * devices.
 */
function classOf(name: string): ProviderClass {
  try {
    const path = realpathSync(join('/sys/class/infiniband', name));
    return path.startsWith('/sys/devices/virtual/') ? 'kernel' : 'hardware';
  } catch {
    return 'hardware';
  }
}

/** A verbs library with its devices, or the reason why it has none. */
export interface ProviderStatus {
  /** Provider of the library. */
  provider: Provider;
  /** Library that was loaded: a path, or `libibverbs.so.1`. */
  library: string;
  /** Devices of the library. */
  devices: Device[];
  /** Reason why the library cannot be used; `null` if it can. A machine without RDMA gives ENOSYS. */
  error: VerbsError | null;
}

const libraries = new Map<string, NativeLibrary>();

/** @internal Library that the addon loads for a provider. */
export const libraryPath = (provider: Provider): string => (provider === 'system' ? 'system' : urocePath);

function load(provider: Provider): NativeLibrary {
  const path = libraryPath(provider);
  let library = libraries.get(path);
  if (library === undefined) {
    if (provider === 'embedded' && !existsSync(path)) throw callError(ENOENT, 'dlopen', basename(path));
    library = new binding.Library(path);
    libraries.set(path, library);
  }
  return library;
}

/** Lists the verbs libraries of this machine, or those in `which`, with their devices. Never throws. */
export function listProviders(which: readonly Provider[] = ['embedded', 'system']): ProviderStatus[] {
  return which.map((provider): ProviderStatus => {
    const status = { provider, library: provider === 'system' ? 'libibverbs.so.1' : urocePath };
    try {
      const devices = load(provider)
        .devices()
        .map((native) => new Device(provider, native));
      return { ...status, devices, error: null };
    } catch (error) {
      const known =
        error instanceof VerbsError ? error : callError(ENOSYS, 'ibv_get_device_list', String(error));
      return { ...status, devices: [], error: known };
    }
  });
}

/** All devices of this machine: the embedded device and those of the machine's libibverbs. */
export function listDevices(): Device[] {
  return listProviders().flatMap(({ devices }) => devices);
}

/**
 * Opens a device by name.
 *
 * @param name default: the first device of {@link listDevices}
 * @throws VerbsError ENODEV if there is no such device; its hint names the existing ones
 */
export function openDevice(name?: string): Context {
  const providers = listProviders();
  const devices = providers.flatMap((provider) => provider.devices);
  const device = name === undefined ? devices[0] : devices.find((candidate) => candidate.name === name);
  if (device !== undefined) return device.open();
  const broken = providers.find(({ error }) => error !== null)?.error;
  if (devices.length === 0 && broken) throw broken;
  throw unknownDevice(
    name ?? 'any',
    devices.map((candidate) => candidate.name),
  );
}
