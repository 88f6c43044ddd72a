import { z } from 'zod';
import { defineTool } from './tool.js';

export const rdma = defineTool({
  name: 'rdma',
  title: 'rdma',
  package: 'iproute2',
  summary: 'Lists RDMA devices and their ports.',
  shows:
    'The program asks the kernel over netlink. Under verbslab exec, as here, the embedded device answers in its place: “link” and “dev” list uroce0. “statistic” and “resource” fail, because counters and objects belong to the processes that use the device: they are on the page of each run. Without exec, the program lists the kernel’s devices, such as rxe0 and NICs.',
  params: z.object({
    object: z
      .enum(['link', 'dev', 'statistic', 'resource'])
      .default('link')
      .meta({
        title: 'Object',
        description: 'What to print. The embedded device answers “link” and “dev” only.',
        choiceTitles: {
          link: 'Ports and their network interfaces',
          dev: 'Devices',
          statistic: 'Counters',
          resource: 'Objects in use',
        },
      }),
  }),
  flags: { object: '' },
  roles: [
    {
      name: 'alone',
      text: 'Asks and prints the answer.',
      args: ({ object }) => [object, 'show'],
    },
  ],
});
