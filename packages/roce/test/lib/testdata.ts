import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const captures = ['rxe-verbs-and-cm.pcap', 'rxe-write-8pc-loss.pcap'] as const;

export const capturePath = (name: (typeof captures)[number]): string =>
  fileURLToPath(new URL(`../../../../testdata/${name}`, import.meta.url));

/** A capture of the kernel's SoftRoCE; see testdata/README.md. */
export const captureBytes = (name: (typeof captures)[number]): Uint8Array =>
  new Uint8Array(readFileSync(capturePath(name)));
