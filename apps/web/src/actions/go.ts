import { byKey, type Action } from './types';

/** The pages: name, key after "g", address, label and keywords. */
const PAGES: readonly (readonly [
  name: string,
  key: string,
  href: string,
  label: string,
  keywords: string,
])[] = [
  ['go-home', 'h', '/', 'Go to home', 'learn measure debug start overview'],
  ['go-labs', 'l', '/labs', 'Go to labs', 'catalog questions experiments'],
  [
    'go-exercises',
    'e',
    '/labs/exercises',
    'Go to the exercises',
    'calculations worksheet questions practice print',
  ],
  [
    'go-explanations',
    'x',
    '/explanations',
    'Go to the explanations',
    'interactive explore averages polling setup loss states copies',
  ],
  [
    'go-tools',
    't',
    '/tools',
    'Go to the tools',
    'programs ibv_devinfo pingpong rping perftest ib_write_bw ib_send_lat',
  ],
  [
    'go-workbench',
    'w',
    '/workbench',
    'Go to the workbench',
    'build your own program editor typescript c tasks code write',
  ],
  ['go-runs', 'r', '/runs', 'Go to runs', 'history results figures'],
  ['go-sweeps', 's', '/sweeps', 'Go to sweeps', 'parameters grid curves list'],
  ['go-packets', 'p', '/packets', 'Go to packets', 'capture pcap pcapng wireshark decode file'],
  ['go-notebook', 'n', '/notebook', 'Go to the notebook', 'notes tags markdown'],
  ['go-hosts', 'o', '/hosts', 'Go to hosts', 'peer agent pair join machine vm remote clock path check'],
  [
    'go-set-up',
    'u',
    '/set-up',
    'Set up two machines',
    'install rxe softroce rdma link modprobe vm virtual machine pair doctor symptoms',
  ],
];

export const GO: readonly Action[] = PAGES.map(([name, key, href, label, keywords]) => ({
  ...{ name, label, keywords },
  group: 'Go',
  ...byKey(key, 'g'),
  perform: (ctx) => ctx.navigate(href),
}));
