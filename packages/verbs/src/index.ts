import { nativeError } from './errors.js';
import { binding } from './native.js';

binding.setErrorFactory(nativeError);

export { CompletionRing, RECORD_WORDS } from './completion-ring.js';
export { CompChannel } from './comp-channel.js';
export { Context } from './context.js';
export { Cq, type WaitOptions } from './cq.js';
export { Device, listDevices, listProviders, openDevice, type ProviderStatus } from './device.js';
export { VerbsError } from './errors.js';
export { Extensions } from './extensions.js';
export { compressHistogram } from './histogram.js';
export { Loop, startLoop, startTcpLoop, startUdpLoop } from './loop.js';
export { Mr } from './mr.js';
export { Pd } from './pd.js';
export { Qp } from './qp.js';
export type * from './types.js';
