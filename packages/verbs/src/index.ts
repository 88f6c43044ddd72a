import { nativeError } from './errors.js';
import { binding } from './native.js';

binding.setErrorFactory(nativeError);

export { Ah } from './ah.js';
export { CmError } from './cm-events.js';
export { CmId } from './cm-id.js';
export { CompletionRing, RECORD_WORDS } from './completion-ring.js';
export { CompChannel } from './comp-channel.js';
export { Context } from './context.js';
export { Cq, type WaitOptions } from './cq.js';
export { Device, listDevices, listProviders, openDevice, type ProviderStatus } from './device.js';
export { VerbsError } from './errors.js';
export { allowTracer } from './tracer.js';
export { createEventChannel, EventChannel } from './event-channel.js';
export { Extensions, faultsBytes, type InjectedFaults } from './extensions.js';
export { GRH_BYTES, readGrh, type Grh } from './grh.js';
export { compressHistogram } from './histogram.js';
export { Loop, startLoop, startTcpLoop, startUdpLoop } from './loop.js';
export { Mr, type RegionChange } from './mr.js';
export { Mw } from './mw.js';
export { Pd } from './pd.js';
export { DEFAULT_QKEY, Qp } from './qp.js';
export { Srq } from './srq.js';
export type * from './types.js';
