import { z } from 'zod';
import { defineTool } from './tool.js';
import { flag } from './words.js';

export const ibvDevices = defineTool({
  name: 'ibv_devices',
  package: 'ibverbs-utils',
  summary: 'Lists the RDMA devices of this host.',
  shows:
    'The list comes from ibv_get_device_list(). No device is opened, so the run has no objects and no packets.',
  params: z.object({}),
  flags: {},
  roles: [{ name: 'alone', text: 'Asks for the list of devices and prints it.', args: () => [] }],
});

export const ibvDevinfo = defineTool({
  name: 'ibv_devinfo',
  package: 'ibverbs-utils',
  summary: 'Prints what a device can do, and the state of its ports.',
  shows:
    'The program opens the device, queries it and its ports, and closes it. The run has one context and no packets. The limits are those that your own programs have to stay within.',
  params: z.object({
    verbose: z
      .boolean()
      .default(true)
      .meta({ title: 'All attributes', description: 'Print every limit and the GID table too.' }),
  }),
  flags: { verbose: '-v' },
  roles: [
    {
      name: 'alone',
      text: 'Queries the device and its ports.',
      args: ({ verbose }) => flag('-v', verbose),
    },
  ],
});

export const ibvAsyncwatch = defineTool({
  name: 'ibv_asyncwatch',
  package: 'ibverbs-utils',
  summary: 'Waits for asynchronous events of a device.',
  shows:
    'Asynchronous events are what a device says without being asked: a port went down, a QP was shut down by an error. On a quiet device none comes, and the program prints only that it watches. Take the network interface of the device down and up while it runs to see at least two.',
  params: z.object({
    seconds: z.int().min(1).max(50).default(5).meta({
      title: 'Watch for',
      description: 'The program never ends by itself. The agent ends it after this time.',
      unit: 's',
    }),
  }),
  flags: { seconds: '' },
  roles: [
    {
      name: 'alone',
      text: 'Prints each asynchronous event of the device.',
      lineBuffered: true,
      args: () => [],
    },
  ],
  endsAfter: ({ seconds }) => seconds,
});
