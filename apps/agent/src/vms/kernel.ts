import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '@verbslab/protocol';
import { cacheFolder } from './paths.js';
import { MODULES, plainName, readModule, resolveModules } from './modules.js';
import { tool } from './requirements.js';
import { extractVmlinux } from './vmlinux.js';

const run = promisify(execFile);

export interface Kernel {
  version: string;
  image: string;
  /** Modules in order of loading. */
  modules: { name: string; path: string }[];
}

/** Compares versions without the package's flavor number by number. */
const newestFirst = (a: string, b: string): number => b.localeCompare(a, undefined, { numeric: true });

function readable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Kernels of this host whose image can be read and which have SoftRoCE, newest first. */
function installedKernels(): string[] {
  if (!existsSync('/lib/modules')) return [];
  return readdirSync('/lib/modules')
    .filter((version) => readable(`/boot/vmlinuz-${version}`))
    .filter((version) => {
      const dependencies = `/lib/modules/${version}/modules.dep`;
      return existsSync(dependencies) && /\/rdma_rxe\.ko/.test(readFileSync(dependencies, 'utf8'));
    })
    .sort(newestFirst);
}

/** Version of the cache's format; a new one invalidates what an older version of the program cached. */
const FORM = 2;

const WANTED = JSON.stringify([FORM, MODULES]);

/** Reads a cached kernel: its image and modules. Null if there is none, or other modules are wanted now. */
function readCached(version: string): Kernel | null {
  const folder = join(cacheFolder(), version);
  const list = join(folder, 'modules.json');
  if (!existsSync(list)) return null;
  const { wanted, files } = JSON.parse(readFileSync(list, 'utf8')) as { wanted: string; files: string[] };
  if (wanted !== WANTED) return null;
  const modules = files.map((name) => ({ name, path: join(folder, name) }));
  return { version, image: join(folder, 'kernel'), modules };
}

/** Copies image and modules into the cache, by one rename: an incomplete copy is never taken for a complete one. */
function keep(version: string, image: string, root: string): Kernel {
  mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
  const temporary = mkdtempSync(join(cacheFolder(), 'new-'));
  const files = resolveModules(root, version);
  for (const path of files) writeFileSync(join(temporary, plainName(path)), readModule(path, version));
  const packed = readFileSync(image);
  writeFileSync(join(temporary, 'kernel'), extractVmlinux(packed) ?? packed);
  writeFileSync(
    join(temporary, 'modules.json'),
    JSON.stringify({ wanted: WANTED, files: files.map(plainName) }),
  );
  const folder = join(cacheFolder(), version);
  rmSync(folder, { recursive: true, force: true });
  renameSync(temporary, folder);
  return readCached(version)!;
}

interface Distribution {
  /** A package that depends on the newest kernel. */
  meta: string;
  /** Packages of a kernel version, which leave the system's own kernel alone. */
  packages(version: string): string[];
}

const DISTRIBUTIONS: Readonly<Record<string, Distribution>> = {
  debian: { meta: 'linux-image-amd64', packages: (version) => [`linux-image-${version}`] },
  ubuntu: {
    meta: 'linux-image-generic',
    packages: (version) => [
      `linux-image-${version}`,
      `linux-modules-${version}`,
      `linux-modules-extra-${version}`,
    ],
  },
};

function distribution(): Distribution {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const ids = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap(([, value]) =>
    value!.split(' '),
  );
  const known = ids.map((id) => DISTRIBUTIONS[id]).find((one) => one !== undefined);
  if (known) return known;
  throw new AppError('VMS_KERNEL_SOURCE');
}

async function newestPackaged({ meta }: Distribution): Promise<string> {
  const { stdout } = await run(tool('apt-cache'), ['depends', meta]);
  const version = /Depends: linux-image-(?:unsigned-)?(\d\S+)/.exec(stdout)?.[1];
  if (version) return version;
  throw new AppError('VMS_DOWNLOAD', { package: meta, detail: 'the package lists do not name a kernel' });
}

/** Fetches a kernel with the system's package manager and unpacks it; nothing is installed. */
async function download(version: string, from: Distribution, signal: AbortSignal): Promise<Kernel> {
  mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(cacheFolder(), 'download-'));
  try {
    for (const name of from.packages(version)) {
      try {
        await run(tool('apt-get'), ['download', '-q', name], { cwd: folder, signal });
      } catch (error) {
        signal.throwIfAborted();
        const detail = String((error as { stderr?: string }).stderr ?? error)
          .trim()
          .split('\n')
          .at(-1);
        throw new AppError('VMS_DOWNLOAD', { package: name, detail }, { cause: error });
      }
    }
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.deb')))
      await run(tool('dpkg-deb'), ['-x', name, 'root'], { cwd: folder, signal });
    const root = join(folder, 'root');
    // Newer packages have their modules below usr/lib (merged /usr).
    const base = existsSync(join(root, 'lib/modules')) ? root : join(root, 'usr');
    await run(tool('depmod'), ['-b', base, version], { signal });
    return keep(version, join(root, 'boot', `vmlinuz-${version}`), base);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function newestCached(): Kernel | null {
  const cached = existsSync(cacheFolder()) ? readdirSync(cacheFolder()).sort(newestFirst) : [];
  for (const version of cached) {
    const kernel = readCached(version);
    if (kernel) return kernel;
  }
  return null;
}

/** Size of a distribution's kernel package, MB. */
export const DOWNLOAD_MB = 70;

/** The first place at which `prepareKernel` will look, with the version if it is known. */
export function foreseeKernel(): { from: 'host' | 'cached' | 'download'; version: string | null } {
  const [installed] = installedKernels();
  if (installed !== undefined) return { from: 'host', version: installed };
  const cached = newestCached();
  return cached ? { from: 'cached', version: cached.version } : { from: 'download', version: null };
}

/**
 * A kernel with SoftRoCE: the host's own, else the distribution's package from the cache, else downloaded (70 MB,
 * once). Throws VMS_KERNEL, VMS_KERNEL_SOURCE or VMS_DOWNLOAD.
 */
export async function prepareKernel(say: (text: string) => void, signal: AbortSignal): Promise<Kernel> {
  for (const version of installedKernels()) {
    const cached = readCached(version);
    if (cached) return cached;
    try {
      return keep(version, `/boot/vmlinuz-${version}`, '/');
    } catch (error) {
      say(`kernel ${version} of this host cannot be used: ${(error as Error).message}`);
    }
  }
  const cached = newestCached();
  if (cached) return cached;
  const from = distribution();
  const version = await newestPackaged(from);
  say(`downloading kernel ${version} (${DOWNLOAD_MB} MB, once; nothing is installed)`);
  return download(version, from, signal);
}
