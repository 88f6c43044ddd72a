// Errors of the virtual machines of `verbslab vms`.
import type { ErrorTable } from './entry.js';

export const machines = {
  VMS_PLATFORM: {
    http: 501,
    usage: true,
    message: 'Virtual machines need Linux on x86-64; this is {platform}.',
    cure: 'Use such a host or cloud VM, or the embedded device.',
  },
  VMS_PACKAGES: {
    http: 503,
    message: 'The virtual machines need {what}, which this host does not have.',
    cure: 'On Debian or Ubuntu: sudo apt-get install -y --no-install-recommends {packages}',
  },
  VMS_KERNEL: {
    http: 500,
    message: 'The kernel {version} cannot be used for virtual machines: {detail}.',
    cure: 'Install linux-image-amd64 (Debian), linux-modules-extra (Ubuntu) or the missing program, or remove the cached kernel with `verbslab vms down --cache`.',
  },
  VMS_KERNEL_SOURCE: {
    http: 503,
    message:
      'This host has no readable kernel with rdma_rxe, and it is not Debian or Ubuntu, so none can be downloaded.',
    cure: 'Install a kernel whose modules include rdma_rxe and make /boot/vmlinuz-VERSION readable.',
  },
  VMS_DOWNLOAD: {
    http: 502,
    message: 'The kernel package {package} cannot be downloaded: {detail}.',
    cure: 'Run `sudo apt-get update`, then try again.',
  },
  VMS_MEMORY: {
    http: 507,
    message: '{count} virtual machines need {needed} MiB of free memory; there is enough for {fit}.',
    cure: 'End other programs, or start fewer with --count.',
  },
  VMS_DIFFERENT: {
    http: 409,
    usage: true,
    message: 'The virtual machines run with {what} {have}, but you asked for {asked}.',
    cure: 'Run `verbslab vms down` first, or leave the option out.',
  },
  VMS_BUSY: {
    http: 409,
    message: 'Another `verbslab vms` command is changing the virtual machines.',
    cure: 'Wait until it ends.',
  },
  VMS_PROCESS: {
    http: 500,
    message: 'The process that starts and stops the virtual machines ended: {how}.',
    cure: '{hint}',
  },
  VMS_STATE: {
    http: 500,
    message: 'The list of virtual machines ({path}) cannot be read: {detail}.',
    cure: 'End processes named qemu-system-x86_64 with “verbslab-” in their arguments, then delete the folder of that file.',
  },
  VMS_NONE: {
    http: 404,
    message: 'No virtual machine is up.',
    cure: 'Start them with `verbslab vms up`.',
  },
  VMS_UNKNOWN: {
    http: 404,
    usage: true,
    message: 'There is no virtual machine “{name}”.',
    cure: 'Choose one of: {known}.',
  },
  VMS_CRASHED: {
    http: 503,
    message: 'The virtual machine “{name}” has crashed: its QEMU has ended.',
    cure: 'Press “Start two machines” on the page “Set up two machines”, or run `npx verbslab vms up`. `npx verbslab vms status` shows the end of its console.',
  },
  VMS_LOST: {
    http: 502,
    message: 'The virtual machine “{name}” crashed, which ended the endpoint “{endpoint}”.',
    cure: 'Press “Start two machines” on the page “Set up two machines”, or run `npx verbslab vms up`. Then run the lab again; everything recorded until then is kept.',
  },
  VMS_BOOT: {
    http: 500,
    message: 'The virtual machine “{name}” did not start. It failed at the step “{step}”: {detail}.',
    cure: '`VERBSLAB_DEBUG=1 npx verbslab vms up` also prints the end of its console.',
  },
  VMS_SLOW: {
    http: 504,
    message: 'The virtual machine “{name}” was not ready within {seconds} s; it was at the step “{step}”.',
    cure: 'Allow more time with --timeout, or start fewer machines.',
  },
  VMS_COMMAND: {
    http: 502,
    message: 'The command in the virtual machine “{name}” could not be run: {detail}.',
    cure: '`verbslab vms status` shows the state of the machine.',
  },
} as const satisfies ErrorTable;
