// Debian or Ubuntu packages that each purpose needs, and the way to install the missing ones.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { exec, has } from './exec.mjs';
import { done, step, Trouble, warn } from './say.mjs';

/** Purpose → package names. `g++` and `git` are asked of the user by the README; they are here for a clear message. */
export const PACKAGES = {
  build: [
    'g++',
    'make',
    'python3',
    'cmake',
    'ninja-build',
    'pkg-config',
    'libisal-dev',
    'libpcap0.8-dev',
    'libibverbs-dev',
    'librdmacm-dev',
  ],
  test: [
    'libgtest-dev',
    'clang-19',
    'clang-format-19',
    'libclang-rt-19-dev',
    'ibverbs-utils',
    'rdmacm-utils',
    'perftest',
    'tshark',
    'python3-scapy',
    'python3-pyverbs',
    'infiniband-diags',
    'ucx-utils',
    'libfabric-bin',
    'openmpi-bin',
    'libopenmpi-dev',
    'fio',
    'tgt',
    'libiscsi-bin',
    'librpma-dev',
    'libgloo-dev',
    'dapl2-utils',
    'chromium',
  ],
  // Programs that `verbslab vms up` names, and those that judge the packets.
  vm: [
    'qemu-system-x86',
    'busybox-static',
    'kmod',
    'iproute2',
    'ibverbs-providers',
    'ibverbs-utils',
    'rdmacm-utils',
    'perftest',
    'libibverbs-dev',
    'tcpdump',
    'tshark',
    'procps',
  ],
};

/** Packages that make a purpose quicker where the distribution has them. */
const PREFERRED = {
  // A quarter less CPU time than `chromium` (e2e/lib/chromium.ts).
  test: ['chromium-headless-shell'],
};

function missing(names) {
  const query = spawnSync('dpkg-query', ['-W', '-f=${Package} ${Provides} ${Status}\\n'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (query.error) return null; // not a dpkg system: unknown
  const installed = new Set();
  for (const line of query.stdout.split('\n')) {
    if (!line.endsWith('install ok installed')) continue;
    const [name] = line.split(' ', 1);
    installed.add(name);
  }
  return names.filter((name) => !installed.has(name));
}

const NONINTERACTIVE = { DEBIAN_FRONTEND: 'noninteractive' };

function installer() {
  if (!has('apt-get')) return null;
  if (process.getuid?.() === 0) return ['apt-get'];
  const sudo = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' });
  return sudo.status === 0 ? ['sudo', 'apt-get'] : null;
}

async function install(apt, names, options = {}) {
  step(`installing system packages: ${names.join(' ')}`);
  const [program, ...rest] = apt;
  return exec(program, [...rest, 'install', '-y', '-q', '--no-install-recommends', ...names], {
    quiet: true,
    env: NONINTERACTIVE,
    ...options,
  });
}

/** Installs the packages that the purposes lack, or throws with the one command that does. */
export async function ensurePackages(purposes) {
  await ensureRequired(purposes);
  const absent = missing(purposes.flatMap((purpose) => PREFERRED[purpose] ?? [])) ?? [];
  const apt = absent.length > 0 ? installer() : null;
  if (!apt) return;
  // A package without a candidate is not in this distribution; that is no fault.
  const known = spawnSync('apt-cache', ['policy', ...absent], { encoding: 'utf8' }).stdout ?? '';
  if (!/Candidate: [^(\s]/.test(known)) return;
  const { code } = await install(apt, absent, { allowFailure: true });
  if (code !== 0) warn(`${absent.join(' ')} could not be installed; tests take longer without`);
}

async function ensureRequired(purposes) {
  const wanted = purposes.flatMap((purpose) => PACKAGES[purpose]);
  const absent = missing(wanted);
  if (absent === null) {
    if (!existsSync('/usr/include/infiniband/verbs.h')) {
      throw new Trouble(
        `This is not a Debian or Ubuntu system. Install the equivalents of these packages and try again:\n  ${wanted.join(' ')}`,
      );
    }
    return;
  }
  if (absent.length === 0) return;
  const apt = installer();
  if (!apt) {
    throw new Trouble(
      `Some system packages are missing, and I may not install them. Run this once, then try again:\n` +
        `  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${absent.join(' ')}`,
    );
  }
  const [program, ...rest] = apt;
  await exec(program, [...rest, 'update', '-q'], { quiet: true, allowFailure: true, env: NONINTERACTIVE });
  await install(apt, absent);
  done('system packages are in place');
}
