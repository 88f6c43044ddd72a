import { AppError, type EndpointHandle } from '@verbslab/protocol';

/** MISSING_CAPABILITY of a server’s device. `what`: in the plural; `attribute`: what its attributes say. */
export const lackingAtServer = (server: EndpointHandle, what: string, attribute: string): AppError =>
  AppError.from({
    code: 'MISSING_CAPABILITY',
    message: `${server.device.name} at the server has no ${what} (${attribute}).`,
    cure: 'Place the server on a device that has them, such as the embedded one.',
  });
