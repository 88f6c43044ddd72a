import { nativeError } from './base/errors.js';
import { binding } from './native/binding.js';

binding.setErrorFactory(nativeError);

export { Ah } from './objects/ah.js';
export { CmError } from './objects/cm-events.js';
export { CmId } from './objects/cm-id.js';
export { CompletionRing, RECORD_WORDS } from './loop/completion-ring.js';
export { CompChannel } from './objects/comp-channel.js';
export { Context } from './objects/context.js';
export { Cq, type WaitOptions } from './objects/cq.js';
export { Device, listDevices, listProviders, openDevice, type ProviderStatus } from './objects/device.js';
export { VerbsError } from './base/errors.js';
export { allowTracer } from './native/tracer.js';
export { createEventChannel, EventChannel } from './objects/event-channel.js';
export { Extensions, faultsBytes, type InjectedFaults } from './objects/extensions.js';
export { GRH_BYTES, readGrh, type Grh } from './base/grh.js';
export { compressHistogram } from './loop/histogram.js';
export { Loop, startLoop, startTcpLoop, startUdpLoop } from './loop/loop.js';
export { Mr, type RegionChange } from './objects/mr.js';
export { Mw } from './objects/mw.js';
export { Pd } from './objects/pd.js';
export { DEFAULT_QKEY, Qp } from './objects/qp.js';
export { Srq } from './objects/srq.js';
export type * from './objects/types.js';
export type * from './loop/types.js';
