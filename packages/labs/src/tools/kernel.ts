import { z } from 'zod';
import { defineTool } from './tool.js';

export const rdma = defineTool({
  name: 'rdma',
  title: 'rdma statistic',
  package: 'iproute2',
  summary: 'Prints what the kernel counts and knows of its RDMA devices.',
  shows:
    'The program asks the kernel over netlink, so it sees rxe0 and NICs, and never the embedded device, which lives in the processes that use it: the counters of uroce0 are on the page of each run. Where the kernel has no RDMA, it fails and says so.',
  params: z.object({
    object: z
      .enum(['statistic', 'link', 'dev', 'resource'])
      .default('statistic')
      .meta({
        title: 'Object',
        description: 'What to print. The counters of “statistic” are per port, or per QP where one counts.',
        choiceTitles: {
          statistic: 'Counters',
          link: 'Ports and their network interfaces',
          dev: 'Devices',
          resource: 'Objects in use',
        },
      }),
  }),
  flags: { object: '' },
  roles: [
    {
      name: 'alone',
      text: 'Asks the kernel and prints its answer.',
      args: ({ object }) => [object, 'show'],
    },
  ],
});
