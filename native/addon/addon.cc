// Entry of the addon. One instance a JavaScript thread; nothing is shared between them but the loaded
// libraries.
#include <napi.h>
#include <sys/prctl.h>

#include "addon/ah.h"
#include "addon/args.h"
#include "addon/cm_id.h"
#include "addon/comp_channel.h"
#include "addon/context.h"
#include "addon/cq.h"
#include "addon/env.h"
#include "addon/event_channel.h"
#include "addon/extensions.h"
#include "addon/library.h"
#include "addon/loop.h"
#include "addon/mr.h"
#include "addon/mw.h"
#include "addon/pd.h"
#include "addon/qp.h"
#include "addon/srq.h"

namespace addon {
namespace {

Napi::Value set_error_factory(const Napi::CallbackInfo& info) {
  env_data(info.Env()).error_factory = Napi::Persistent(function(info[0], "factory"));
  return info.Env().Undefined();
}

// Lets another process of this user trace this one where Yama allows that to ancestors only. Without Yama there
// is nothing to allow, and the call fails with EINVAL.
Napi::Value allow_tracer(const Napi::CallbackInfo& info) {
  prctl(PR_SET_PTRACER, integer<unsigned long>(info[0], "pid"), 0, 0, 0);
  return info.Env().Undefined();
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  auto* data = new EnvData;
  env.SetInstanceData(data);
  data->device_class = Napi::Persistent(DeviceWrap::define(env));
  exports["version"] = Napi::String::New(env, VERBSLAB_VERSION);
  exports["setErrorFactory"] = Napi::Function::New(env, set_error_factory, "setErrorFactory");
  exports["allowTracer"] = Napi::Function::New(env, allow_tracer, "allowTracer");
  exports["faultsBytes"] = Napi::Function::New(env, faults_bytes, "faultsBytes");
  exports["Library"] = LibraryWrap::define(env);
  data->context_class = Napi::Persistent(ContextWrap::define(env));
  exports["Context"] = data->context_class.Value();
  exports["Pd"] = PdWrap::define(env);
  exports["Mr"] = MrWrap::define(env);
  exports["CompChannel"] = CompChannelWrap::define(env);
  exports["Cq"] = CqWrap::define(env);
  exports["Mw"] = MwWrap::define(env);
  exports["Ah"] = AhWrap::define(env);
  exports["Srq"] = SrqWrap::define(env);
  exports["Qp"] = QpWrap::define(env);
  exports["EventChannel"] = EventChannelWrap::define(env);
  data->cm_id_class = Napi::Persistent(CmIdWrap::define(env));
  exports["CmId"] = data->cm_id_class.Value();
  exports["Extensions"] = ExtensionsWrap::define(env);
  LoopWrap::define(env, exports);
  return exports;
}

}  // namespace
}  // namespace addon

static Napi::Object Init(Napi::Env env, Napi::Object exports) { return addon::init(env, exports); }

NODE_API_MODULE(verbslab, Init)
