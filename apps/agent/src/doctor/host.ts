import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

const TIMEOUT_MS = 5_000;

/** The machine as the checks read it: files under `root`, and a few commands that only look. */
export class Host {
  readonly #root: string;
  readonly uid: number;

  constructor(root = '/', uid = process.getuid?.() ?? 0) {
    this.#root = root;
    this.uid = uid;
  }

  /** A file's text without the last newline; null when it cannot be read. */
  read(path: string): string | null {
    try {
      return readFileSync(join(this.#root, path), 'utf8').trimEnd();
    } catch {
      return null;
    }
  }

  /** Names in a folder, sorted; empty when there is none. */
  list(path: string): string[] {
    try {
      return readdirSync(join(this.#root, path)).sort();
    } catch {
      return [];
    }
  }

  exists(path: string): boolean {
    return existsSync(join(this.#root, path));
  }

  mayUse(path: string): boolean {
    try {
      accessSync(join(this.#root, path), constants.R_OK | constants.W_OK);
      return true;
    } catch {
      return false;
    }
  }

  /** Address → the interfaces that have it, loopback included. */
  addresses(): Map<string, string[]> {
    const owners = new Map<string, string[]>();
    for (const [name, list] of Object.entries(networkInterfaces())) {
      for (const { address } of list ?? []) owners.set(address, [...(owners.get(address) ?? []), name]);
    }
    return owners;
  }

  /** Runs a program. Null if there is no such program, or it takes too long. */
  async command(program: string, args: readonly string[]): Promise<CommandResult | null> {
    return new Promise((resolve) => {
      execFile(program, [...args], { timeout: TIMEOUT_MS, maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
        if (!error) resolve({ code: 0, stdout, stderr });
        else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
        else resolve(null);
      });
    });
  }
}

/** Ids of the distribution and of those that it descends from: `debian`, `ubuntu`, `fedora` … */
export function distribution(host: Host): { ids: string[]; name: string } {
  const text = host.read('/etc/os-release') ?? '';
  const value = (key: string): string =>
    new RegExp(`^${key}="?([^"\\n]*)"?$`, 'm').exec(text)?.[1]?.trim() ?? '';
  return {
    ids: `${value('ID')} ${value('ID_LIKE')}`.trim().split(/\s+/).filter(Boolean),
    name: value('PRETTY_NAME') || 'this system',
  };
}

export function inContainer(host: Host): boolean {
  if (host.exists('/.dockerenv') || host.exists('/run/.containerenv')) return true;
  return /(^|\0)container=/.test(host.read('/proc/1/environ') ?? '');
}

export interface RdmaGid {
  index: number;
  gid: string;
  /** The IPv4 address in an IPv4-mapped GID. */
  ipv4: string | null;
  type: string;
  /** Null if the kernel does not report it: the interface is in another network namespace. */
  netdev: string | null;
}

export interface RdmaPort {
  device: string;
  port: number;
  state: string;
  linkLayer: string;
  gids: RdmaGid[];
}

function ipv4Of(gid: string): string | null {
  const match = /^0000:0000:0000:0000:0000:ffff:([0-9a-f]{2})([0-9a-f]{2}):([0-9a-f]{2})([0-9a-f]{2})$/.exec(
    gid,
  );
  return match
    ? match
        .slice(1)
        .map((byte) => parseInt(byte, 16))
        .join('.')
    : null;
}

const RDMA = '/sys/class/infiniband';

export const rdmaDevices = (host: Host): string[] => host.list(RDMA);

/** Ports of the kernel's RDMA devices, as sysfs has them (Documentation/ABI/stable/sysfs-class-infiniband). */
export function rdmaPorts(host: Host): RdmaPort[] {
  return rdmaDevices(host).flatMap((device) =>
    host.list(`${RDMA}/${device}/ports`).map((port) => {
      const folder = `${RDMA}/${device}/ports/${port}`;
      const gids = host.list(`${folder}/gids`).flatMap((index) => {
        const gid = host.read(`${folder}/gids/${index}`) ?? '';
        if (!/[1-9a-f]/.test(gid)) return [];
        const type = host.read(`${folder}/gid_attrs/types/${index}`) ?? '';
        const netdev = host.read(`${folder}/gid_attrs/ndevs/${index}`);
        return [{ index: Number(index), gid, ipv4: ipv4Of(gid), type, netdev }];
      });
      return {
        device,
        port: Number(port),
        state: (host.read(`${folder}/state`) ?? '').replace(/^\d+:\s*/, ''),
        linkLayer: host.read(`${folder}/link_layer`) ?? '',
        gids: gids.sort((a, b) => a.index - b.index),
      };
    }),
  );
}

/** Ethernet interfaces that are up and not loopback: where an rxe link can go. */
export const upInterfaces = (host: Host): string[] =>
  host
    .list('/sys/class/net')
    .filter((name) => name !== 'lo' && host.read(`/sys/class/net/${name}/type`) === '1')
    .filter((name) => ['up', 'unknown'].includes(host.read(`/sys/class/net/${name}/operstate`) ?? ''));
