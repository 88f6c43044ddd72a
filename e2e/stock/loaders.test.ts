/** Programs that load libibverbs and librdmacm by themselves, and what they look up in them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { able, Programs } from './compile.js';
import { exported, installed, library, start } from './run.js';

const options = { exec: true, cwd: '/', timeoutMs: 120_000 };

const programs = new Programs();
afterAll(() => {
  programs.remove();
});

/** The distribution's libraries, by their paths. */
const SYSTEM = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64'].flatMap((folder) =>
  ['libibverbs.so.1', 'librdmacm.so.1'].map((name) => join(folder, name)).filter((path) => existsSync(path)),
);
const NAMES = ['libibverbs.so', 'libibverbs.so.1', 'librdmacm.so', 'librdmacm.so.1', ...SYSTEM];

describe.skipIf(!able)('a program that loads the libraries by itself', () => {
  it('gets the device by each name and flag, and each function by its versions', async () => {
    const { code, output } = await start(programs.compile('loader', [], []), NAMES, options).finished;
    expect(code, output).toBe(0);
    expect(output.trim().split('\n')).toEqual([...NAMES.map((name) => `${name}: 1 1 1 1 1`), 'own: 1']);
  });

  it('gets the system’s with UROCE_LOAD=system, once with a warning', async () => {
    const settings = { ...options, env: { UROCE_LOAD: 'system' } };
    const { code, output } = await start(programs.compile('loader', [], []), ['libibverbs.so.1'], settings)
      .finished;
    expect(code, output).toBe(0);
    expect(output).toMatch(/^libibverbs\.so\.1: 0 0 0 0 0$/m);
    expect(output).toMatch(/^own: 1$/m);
    expect(output.match(/^uroce: loader loaded \S*libibverbs\.so\.1 with dlopen\(\)/gm)).toHaveLength(1);
  });

  it.skipIf(!installed('python3'))('is named in the report if it got the system’s', async () => {
    const script = (file: string) => ['-c', `import ctypes; ctypes.CDLL(${file})`];
    const report = { ...options, env: { UROCE_REPORT: 'text', UROCE_LOAD: 'system' } };
    const { code, output } = await start('python3', script("'librdmacm.so.1'"), report).finished;
    expect(code, output).toBe(0);
    expect(output).toMatch(/^uroce: python3\S* loaded \S*librdmacm\.so\.1 with dlopen\(\)\. That library/m);
    expect(output).toMatch(/1 finding\n\nsystem-library-loaded: dlopen loaded the system’s \S*librdmacm/);
    const others = await start('python3', script('None'), report).finished;
    expect([others.code, others.output]).toEqual([0, '']);
  });

  it.skipIf(!installed('python3'))('works from Python’s ctypes, without a finding', async () => {
    const script = [
      'import ctypes',
      "verbs = ctypes.CDLL('libibverbs.so.1')",
      'verbs.ibv_get_device_list.restype = ctypes.POINTER(ctypes.c_void_p)',
      'verbs.ibv_get_device_name.restype = verbs.ibv_wc_status_str.restype = ctypes.c_char_p',
      'verbs.ibv_get_device_name.argtypes = [ctypes.c_void_p]',
      'devices = verbs.ibv_get_device_list(None)',
      'print(verbs.ibv_get_device_name(devices[0]).decode(), verbs.ibv_wc_status_str(12).decode())',
    ].join('\n');
    const report = { ...options, env: { UROCE_REPORT: 'text' } };
    const { code, output } = await start('python3', ['-c', script], report).finished;
    expect(code, output).toBe(0);
    expect(output).toBe('uroce0 transport retry counter exceeded\n');
  });
});

/** Functions by the version that brought them, after rdma-core 44. */
const LATER = {
  'IBVERBS_1.15': ['ibv_alloc_dmah', 'ibv_dealloc_dmah', 'ibv_reg_mr_ex'],
  'IBVERBS_1.16': ['ibv_dm_export_dmabuf_fd', 'ibv_query_port_speed'],
  'IBVERBS_1.17': ['ibv_alloc_buf', 'ibv_free_buf', 'ibv_reg_buf_mr'],
  'IBVERBS_1.18': [
    ...[
      '_ibv_query_comp_cntr_caps',
      'ibv_create_comp_cntr',
      'ibv_destroy_comp_cntr',
      'ibv_qp_attach_comp_cntr',
    ],
    ...['set', 'inc', 'read'].flatMap((verb) => [`ibv_${verb}_comp_cntr`, `ibv_${verb}_err_comp_cntr`]),
    'ibv_export_buf_dmabuf_fd',
  ],
  'RDMACM_1.4': ['rdma_query_addrinfo', 'rdma_resolve_addrinfo', 'rdma_write_cm_event'],
  'RDMACM_1.5': ['repoll_create', 'repoll_ctl', 'repoll_wait'],
};

describe.skipIf(!able)('functions of later versions than that of the distribution', () => {
  it('are found, and do what the device can', async () => {
    const names = Object.entries(LATER).flatMap(([version, all]) => all.map((name) => `${name}@${version}`));
    const { code, output } = await start(
      programs.compile('later', [], ['-libverbs', '-lrdmacm']),
      names,
      options,
    ).finished;
    expect(code, output).toBe(0);
    expect(output.split('\n').filter((line) => !line.startsWith('uroce: '))).toEqual([
      'registered 1 0',
      'with iova 1 0',
      'from a descriptor 0 EOPNOTSUPP',
      'unknown 0 EINVAL',
      'speed 0 25, port 257: EINVAL',
      'too early -1 ENOENT',
      'unknown host -1 ENOENT',
      'resolve 0, again -1 EBUSY',
      'RDMA_CM_EVENT_ADDRINFO_RESOLVED 0',
      'found 0 1',
      'write 0 RDMA_CM_EVENT_USER -7 1 123456789abcdef',
      'other -1 EINVAL',
      '',
    ]);
    const refused = [...output.matchAll(/^uroce: (\w+) failed/gm)].map(([, call]) => call);
    expect(refused).toEqual(['ibv_reg_mr_ex', 'ibv_query_port_speed', 'rdma_write_cm_event']);
  });
});

describe.skipIf(!able || SYSTEM.length === 0)('the functions of the distribution’s libraries', () => {
  it.each(SYSTEM)('of %s are in the device’s, but for those that only providers call', (path) => {
    const own = new Set(exported(library).map(({ name }) => name));
    const missing = exported(path).filter(({ name }) => !own.has(name));
    expect(missing.filter(({ version }) => !version.includes('PRIVATE')).map(({ name }) => name)).toEqual([]);
  });

  it('that give words and rates give the same', async () => {
    const { code, output } = await start(programs.compile('helpers', [], []), [library], {
      timeoutMs: 60_000,
    }).finished;
    expect(code, output).toBe(0);
    expect(output).toMatch(/^\d{7} compared, 0 different\n$/);
  });
});
